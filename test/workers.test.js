'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const vm = require('node:vm');
const { Worker } = require('node:worker_threads');
const { P, Native, prelude, root, unlessNative } = require('./helpers/subject');
const { macro, rejectionEvents, sleep } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { random } = require('./helpers/program');

const single = unlessNative('there is only one class');

function worker(code, options) {
  const text = `${prelude()}const { parentPort, workerData } = require('worker_threads');\n${code}`;
  return new Worker(text, { eval: true, ...options });
}

/** First message of a worker, or the error that ended it. */
function answer(w) {
  return new Native((resolve, reject) => {
    w.once('message', resolve);
    w.once('error', reject);
    w.once('exit', (code) => reject(new Error(`ended with ${code} before an answer`)));
  });
}

/** A second copy of the library, its addon loaded again. */
function secondCopy() {
  const saved = new Map();
  for (const id of Object.keys(require.cache)) {
    const inside = id.startsWith(root + path.sep) && !id.includes(`${path.sep}node_modules${path.sep}`)
      && !id.startsWith(__dirname + path.sep);
    if (inside) {
      saved.set(id, require.cache[id]);
      delete require.cache[id];
    }
  }
  assert.ok(saved.size > 0);
  const copy = require(root);
  for (const [id, m] of saved) require.cache[id] = m;
  return copy;
}

const BUSY = `(function loop() { return P.resolve().then(loop); })();`;
const BURSTS = `setInterval(() => {
  const d = [];
  for (let i = 0; i < 3000; i++) P.all([new P((r) => d.push(r)), P.resolve(i).then((x) => x)]);
  d.forEach((r) => r());
  P.reject(1).catch(() => {});
}, 1);`;
const IDLE = 'for (let i = 0; i < 1000; i++) new P(() => {}).then(() => {}); setInterval(() => {}, 5);';

describe('workers and copies', () => {
  it('several workers at work side by side, and the main thread with them', async () => {
    const code = `
      (function loop(n) { return n ? P.resolve(n).then(() => loop(n - 1)) : P.all([1, P.resolve(2)]); })(3000)
        .then((v) => parentPort.postMessage(v.concat(workerData)));`;
    const answers = [1, 2, 3, 4].map((i) => answer(worker(code, { workerData: i })));
    let sum = 0;
    for (let i = 0; i < 500; i++) sum += await P.resolve(i);
    assert.equal(sum, 124750);
    assert.deepEqual(await Promise.all(answers), [[1, 2, 1], [1, 2, 2], [1, 2, 3], [1, 2, 4]]);
  });

  it('workers one after the other', async () => {
    for (let i = 0; i < 8; i++) {
      const w = worker('P.resolve(workerData).then((x) => parentPort.postMessage(x + 1));',
        { workerData: i });
      assert.equal(await answer(w), i + 1);
      await w.terminate();
    }
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
  });

  it('terminated at random moments, some in the middle of a drain', async () => {
    const rnd = random(11);
    const codes = [BUSY, BURSTS, IDLE, BUSY + BURSTS];
    async function lane(k) {
      for (let i = 0; i < 8; i++) {
        const w = worker(codes[(k + i) % codes.length]);
        w.on('error', () => {});
        const started = rnd(3) > 0 ? new Native((r) => w.once('online', r)) : sleep(0);
        await started;
        await sleep(rnd(60));
        await w.terminate();
      }
    }
    await Promise.all([lane(0), lane(1), lane(2)]);
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
  });

  it('process.exit inside a handler ends the worker', async () => {
    const w = worker('P.resolve().then(() => process.exit(7)).then(() => parentPort.postMessage(1));');
    let message = false;
    w.on('message', () => { message = true; });
    const code = await new Native((resolve) => w.once('exit', resolve));
    assert.deepEqual([code, message], [7, false]);
  });

  it('process.exit inside a handler ends the process, exit listeners run', async () => {
    for (const at of ['P.resolve()', 'new P((r) => setTimeout(r, 5))', 'P.all([P.resolve(), 1])']) {
      const r = await runChild(`
        process.on('exit', (code) => { console.log('exit', code); P.resolve().then(() => console.log('never')); });
        ${at}.then(() => { for (let i = 0; i < 9999; i++) P.resolve().then(() => {}); process.exit(3); })
          .then(() => console.log('never'));
        ${at}.then(() => console.log('never'));`);
      assert.deepEqual([r.status, r.signal, r.stdout, r.stderr], [3, null, 'exit 3\n', '']);
    }
  });

  it('an unhandled rejection in a worker is its error', async () => {
    const w = worker('P.reject(new RangeError("in the worker")); setInterval(() => {}, 5);');
    await assert.rejects(answer(w), { name: 'RangeError', message: 'in the worker' });
  });

  it('a worker that ends with promises pending', async () => {
    const w = worker('for (let i = 0; i < 5000; i++) new P(() => {}).then(() => {});');
    assert.equal(await new Native((resolve) => w.once('exit', resolve)), 0);
  });

  it('a worker within a worker', async () => {
    const w = worker(`
      const { Worker } = require('worker_threads');
      const inner = new Worker(workerData.code, { eval: true });
      new P((r) => inner.once('message', r)).then((x) => parentPort.postMessage(x + 1));`,
    { workerData: { code: `${prelude()}P.resolve(1).then((x) => require('worker_threads').parentPort.postMessage(x + 1));` } });
    assert.equal(await answer(w), 3);
  });

  single('a second copy has a class of its own, promises are adopted both ways', async () => {
    const Q = secondCopy();
    assert.notEqual(Q, P);
    assert.equal(typeof Q, 'function');
    for (const [A, B] of [[P, Q], [Q, P]]) {
      assert.ok(!(A.resolve(1) instanceof B));
      assert.equal(await A.resolve(B.resolve(1)), 1);
      assert.ok(A.resolve(B.resolve(1)) instanceof A);
      assert.equal(await A.resolve().then(() => new B((r) => setImmediate(r, 2))), 2);
      assert.deepEqual(await A.all([B.resolve(1), A.resolve(2), new B((r) => setImmediate(r, 3))]), [1, 2, 3]);
      assert.equal(await A.reject(3).catch((x) => B.reject(x + 1)).catch((x) => x + 1), 5);
      assert.equal(await A.race([new B(() => {}), B.resolve(6)]), 6);
      assert.throws(() => A.prototype.then.call(B.resolve(1)), TypeError);
      assert.throws(() => A.prototype.then.call(new B(() => {})), TypeError);
    }
  });

  single('copies keep their orders and reports apart', async () => {
    const Q = secondCopy();
    const log = [];
    for (const [name, C] of [['p', P], ['q', Q]]) {
      C.resolve().then(() => log.push(`${name}1`)).then(() => log.push(`${name}2`));
      C.resolve().then(() => log.push(`${name}3`)).then(() => log.push(`${name}4`));
    }
    await macro();
    for (const name of ['p', 'q']) {
      assert.equal(log.filter((x) => x[0] === name).join(), [1, 3, 2, 4].map((i) => name + i).join());
    }
    const promises = [];
    const events = await rejectionEvents(() => {
      promises.push(P.reject(1), Q.reject(2));
    });
    assert.deepEqual(events.map((e) => e.reason).sort(), [1, 2]);
    assert.ok(events.every((e) => promises.includes(e.promise)));
    const inner = Q.reject(3);
    const more = await rejectionEvents(() => { promises.push(P.resolve(inner)); });
    assert.deepEqual(more.map((e) => e.promise), [promises[2]]);
  });

  single('many copies, made and dropped', async () => {
    for (let i = 0; i < 10; i++) {
      const Q = secondCopy();
      assert.equal(await Q.all([P.resolve(i), Q.resolve(1)]).then(([a, b]) => a + b), i + 1);
    }
  });

  it('functions and values of a vm context', async () => {
    const c = vm.createContext({ P });
    assert.equal(await vm.runInContext('P.resolve(1).then((x) => x + 1)', c), 2);
    assert.equal(await vm.runInContext('(async () => await P.resolve(3))()', c), 3);
    assert.ok(vm.runInContext('(class S extends P {}).resolve(1)', c) instanceof P);
    const e = await vm.runInContext('P.resolve().then(() => { throw new TypeError("x"); })', c)
      .catch((x) => x);
    assert.equal(e.constructor, vm.runInContext('TypeError', c));
    assert.deepEqual([...await vm.runInContext('P.all(new Set([1, Promise.resolve(2)]))', c)], [1, 2]);
    const wrong = await vm.runInContext('P.all(1)', c).catch((x) => x);
    assert.ok(wrong instanceof TypeError);
  });

  single('the library read in a vm context, as test runners do', async () => {
    const r = await runChild(`
      const Module = require('module'); const vm = require('vm'); const fs = require('fs'); const path = require('path');
      const context = vm.createContext({ process, console, setTimeout, setImmediate, clearTimeout, clearImmediate, queueMicrotask, Buffer });
      context.global = context.globalThis = vm.runInContext('this', context);
      const cache = new Map();
      function load(file) {
        if (cache.has(file)) return cache.get(file).exports;
        const module = { exports: {} };
        cache.set(file, module);
        const inner = Module.createRequire(file);
        const req = (id) => {
          const full = inner.resolve(id);
          return path.isAbsolute(full) && full.endsWith('.js') ? load(full) : inner(id);
        };
        req.resolve = inner.resolve;
        const code = fs.readFileSync(file, 'utf8');
        const f = vm.compileFunction(code, ['module', 'exports', 'require', '__filename', '__dirname'],
          { parsingContext: context, filename: file });
        f(module, module.exports, req, file, path.dirname(file));
        return module.exports;
      }
      const Q = load(require.resolve(${JSON.stringify(root)}));
      if (Q === P) throw new Error('not a copy');
      (async () => {
        const out = [];
        out.push(await Q.resolve(1).then((x) => x + 1));
        out.push(await Q.all([P.resolve(2), Promise.resolve(3), [4][0]]));
        out.push(await P.resolve(Q.resolve(5)));
        out.push((await Q.all(1).catch((e) => e)).name);
        out.push(await Q.reject(new TypeError('t')).catch((e) => e instanceof TypeError));
        console.log(JSON.stringify(out));
      })();`);
    assert.deepEqual([r.stderr, r.stdout, r.status], ['', '[2,[2,3,4],5,"TypeError",true]\n', 0]);
  });
});

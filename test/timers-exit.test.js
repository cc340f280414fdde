'use strict';

// What keeps a process alive, and how it ends with deadlines that are live.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { P, Native, prelude, root, isNative } = require('./helpers/subject');
const { sleep } = require('./helpers/util');
const { run } = require('./helpers/child');
const { random } = require('./helpers/program');

const MANY = `for (let i = 0; i < 100000; i++) P.delay(1000 + i).then(() => {});
for (let i = 0; i < 10000; i++) new P(() => {}).timeout(60000 + i).catch(() => {});\n`;

/** The two clocks: that of libuv, and the timer that takes its place where libuv must not be called. */
const CLOCKS = {
  'with libuv': '',
  'without libuv': "Object.defineProperty(process.versions, 'bun', { value: '1.0.0' });",
};

function worker(code) {
  return new Worker(`${prelude()}const { parentPort } = require('worker_threads');\n${code}`, { eval: true });
}

function exitOf(w) {
  w.on('error', () => {});
  return new Native((resolve) => w.once('exit', resolve));
}

async function ends(code, { stdout = '', status = 0, before, flags } = {}) {
  const start = performance.now();
  const r = await run(code, { before, flags });
  assert.deepEqual([r.stdout, r.stderr, r.status, r.signal], [stdout, '', status, null]);
  return performance.now() - start;
}

(isNative ? describe.skip : describe)('timers and the end of the process', () => {
  for (const [name, before] of Object.entries(CLOCKS)) {
    describe(name, () => {
      it('a delay keeps the process alive', async () => {
        await ends("P.delay(200).then(() => console.log('came'));", { before, stdout: 'came\n' });
        await ends("(async () => { for (let i = 0; i < 5; i++) await P.delay(10); console.log('came'); })();", { before, stdout: 'came\n' });
      });

      it('a delay with ref: false does not', async () => {
        await ends("P.delay(100000, 1, { ref: false }).then(() => console.log('came')); console.log('end');", { before, stdout: 'end\n' });
        await ends("P.resolve().delay(100000, { ref: false }).then(() => console.log('came'));", { before });
        await ends("P.delay(1, 1, { ref: false }).then(() => console.log('first')); P.delay(200).then(() => console.log('second'));",
          { before, stdout: 'first\nsecond\n' });
        await ends(`P.delay(20).then(() => console.log('first'));
          P.delay(10, 1, { ref: false }).then(() => P.delay(100000, 1, { ref: false })).then(() => console.log('never'));`,
        { before, stdout: 'first\n' });
      });

      it('what is settled does not', async () => {
        await ends("P.resolve(1).timeout(100000).then(() => console.log('end'));", { before, stdout: 'end\n' });
        await ends("P.delay(1).timeout(100000).then(() => console.log('end'));", { before, stdout: 'end\n' });
        await ends("new P((f, r) => setTimeout(r, 10)).timeout(100000).catch(() => console.log('end'));", { before, stdout: 'end\n' });
        await ends(`const c = new AbortController();
          P.delay(100000, 1, { signal: c.signal }).catch(() => console.log('aborted'));
          new P(() => {}).timeout(100000, '', { signal: c.signal }).catch(() => console.log('aborted'));
          P.delay(100000, P.delay(1), { signal: c.signal }).catch(() => console.log('aborted'));
          P.delay(100000, 1, { signal: c.signal });
          setTimeout(() => c.abort(), 10);
          process.on('unhandledRejection', () => {});`, { before, stdout: 'aborted\naborted\naborted\n' });
        await ends("new P(() => {}).timeout(Infinity).then(() => console.log('never'));", { before });
        await ends('P.race([P.delay(10, 1), P.delay(20, 2)]).then(console.log);', { before, stdout: '1\n' });
      });

      it('process.exit with 100,000 live', async () => {
        await ends(`${MANY} setTimeout(() => process.exit(3), 20);`, { before, status: 3 });
        await ends(`${MANY} process.exit(4);`, { before, status: 4 });
        await ends(`${MANY} P.delay(5).then(() => process.exit(5)).then(() => console.log('never'));`, { before, status: 5 });
        await ends(`${MANY} process.on('exit', () => { P.delay(1).then(() => console.log('never')); }); P.resolve().then(() => process.exit(6));`,
          { before, status: 6 });
      });

      it('an uncaught exception with 100,000 live', async () => {
        const r = await run(`${MANY} setTimeout(() => { throw new Error('uncaught'); }, 20);`, { before });
        assert.match(r.stderr, /Error: uncaught/);
        assert.deepEqual([r.status, r.signal], [1, null]);
      });

      it('an error in a handler of a delay is a rejection like any other', async () => {
        const r = await run("P.delay(5).then(() => { throw new Error('thrown'); });", { before });
        assert.match(r.stderr, /Error: thrown/);
        assert.deepEqual([r.status, r.signal], [1, null]);
      });

      it('the order of deadlines, equal ones, long ones, ones set again and again', async () => {
        await ends(`
          const log = [];
          for (const ms of [30, 10, 20, 10]) P.delay(ms, ms).then((x) => log.push(x));
          P.delay(2 ** 40, 1, { ref: false });
          const start = performance.now();
          (async () => {
            for (let i = 0; i < 20; i++) await P.delay(i % 3);
            await P.delay(40.5);
            console.log(log.join(), performance.now() - start >= 40.5);
            try { await P.delay(100000).timeout(5); } catch (e) { console.log(e.name); }
            console.log(await P.delay(1, 'x').timeout(100000));
            process.exit();
          })();`, { before, stdout: '10,10,20,30 true\nTimeoutError\nx\n' });
      });
    });
  }

  it('no timer of the runtime is set for less than nothing', async () => {
    const before = `${CLOCKS['without libuv']}
      const timers = require('node:timers');
      const { setTimeout } = timers;
      const asked = [];
      timers.setTimeout = globalThis.setTimeout = (fn, ms) => { asked.push(ms); return setTimeout(fn, ms); };`;
    await ends(`const late = P.delay(1);
      const end = performance.now() + 20;
      while (performance.now() < end);
      late.then(() => console.log(asked.length > 0, asked.filter((ms) => !(ms >= 0)).length));`, { before, stdout: 'true 0\n' });
  });

  it('a worker that is terminated with 100,000 live', async () => {
    for (const code of [MANY, `${MANY} setInterval(() => {}, 1);`, `${MANY} (function loop() { P.delay(0).then(loop); })();`]) {
      const w = worker(`${code} parentPort.postMessage(1);`);
      await new Native((resolve) => w.once('message', resolve));
      assert.equal(typeof await w.terminate(), 'number');
    }
    assert.equal(await P.delay(1, 'x'), 'x');
  });

  it('workers that are terminated at random moments', async () => {
    const rnd = random(5);
    const codes = [
      '(function loop() { P.delay(0).then(loop); })();',
      'for (let i = 0; i < 500; i++) (function loop() { P.delay(i % 20).then(loop); })();',
      'setInterval(() => { for (let i = 0; i < 500; i++) new P((f) => setImmediate(f)).timeout(i).catch(() => {}); }, 1);',
      '(function loop() { P.delay(1).then(() => { for (let t = Date.now() + 5; Date.now() < t;); }).then(loop); })();',
    ];
    async function lane(k) {
      for (let i = 0; i < 10; i++) {
        const w = worker(codes[(k + i) % codes.length]);
        w.on('error', () => {});
        if (rnd(4) > 0) await new Native((resolve) => w.once('online', resolve));
        await sleep(rnd(60));
        await w.terminate();
      }
    }
    await Promise.all([lane(0), lane(1), lane(2)]);
    assert.equal(await P.delay(1, 'x'), 'x');
  });

  it('a worker ends by itself when nothing is left to wait for', async () => {
    assert.equal(await exitOf(worker('P.delay(20).then(() => P.delay(100000, 1, { ref: false }));')), 0);
    assert.equal(await exitOf(worker(`${MANY} process.exit(7);`)), 7);
    assert.equal(await exitOf(worker(`${MANY} P.delay(1).then(() => process.exit(8));`)), 8);
    assert.equal(await exitOf(worker("P.delay(1).then(() => { throw new Error('x'); });")), 1);
  });

  it('each worker has a clock of its own', async () => {
    const all = [5, 15, 10].map((ms) => new Native((resolve) => {
      worker(`P.delay(${ms}, ${ms}).then((x) => parentPort.postMessage(x));`).once('message', resolve);
    }));
    assert.deepEqual(await Native.all(all), [5, 15, 10]);
  });

  it('a copy of the library that nobody holds lives until its deadlines have come, and no longer', async () => {
    const r = await run(`
      const before = new Set(Object.keys(require.cache));
      const own = () => Object.keys(require.cache).filter((id) => id.startsWith(${JSON.stringify(root + path.sep)}) && !id.endsWith('.node'));
      const load = () => {
        for (const id of own()) delete require.cache[id];
        const children = module.children;
        const Q = require(${JSON.stringify(root)});
        children.length = 0;
        return Q;
      };
      let came = 0;
      const refs = [];
      for (let i = 0; i < 20; i++) {
        const Q = load();
        Q.delay(20 + i).then(() => { came++; });
        if (i % 2) Q.delay(1e9, 1, { ref: false, signal: AbortSignal.timeout(30) }).catch(() => { came++; });
        refs.push(new WeakRef(Q));
      }
      P.delay(1);
      (async () => {
        for (let i = 0; i < 30; i++) { await new Promise((resolve) => setTimeout(resolve, 10)); gc(); }
        const held = refs.filter((ref) => ref.deref() !== undefined).length;
        // On Node 20 the watch for contexts holds each copy (lib/context.js).
        console.log(came, parseInt(process.versions.node, 10) < 22 || held <= 3);
      })();`, { flags: ['--expose-gc'] });
    assert.deepEqual([r.stderr, r.stdout, r.status], ['', '30 true\n', 0]);
  });
});

'use strict';

const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { P, unlessNative } = require('./helpers/subject');
const { deferred, macro, sleep } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { generate, random, run } = require('./helpers/program');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const TOOLS = `
const MB = 1048576;
const turn = () => new Native((r) => setImmediate(r));
const Native = (async () => {})().constructor;
async function heap() {
  for (let i = 0; i < 4; i++) { gc(); await turn(); }
  return process.memoryUsage().heapUsed / MB;
}
function now() { gc(); return process.memoryUsage().heapUsed / MB; }
function done(x) { console.log(JSON.stringify(x)); }
`;

/** What the code gave to done(). */
async function measure(code, flags = []) {
  const r = await runChild(TOOLS + code, { flags: ['--expose-gc', ...flags] });
  assert.deepEqual([r.status, r.signal, r.stderr], [0, null, '']);
  return JSON.parse(r.stdout);
}

/**
 * Heap after each round of `body(i)`; the rounds after the first few may not grow.
 * A round must be long enough for several sweeps (lib/tenure.js).
 */
async function flat(body, { rounds = 8, count = 20000, limit = 6, setup = '' } = {}) {
  const list = await measure(`${setup}
    (async () => {
      const list = [];
      for (let k = 0; k < ${rounds}; k++) {
        for (let i = 0; i < ${count}; i++) {
          ${body}
          if (i % 1000 === 0) await turn();
        }
        list.push(await heap());
      }
      done(list);
    })();`);
  const early = Math.max(...list.slice(0, 3));
  const late = Math.min(...list.slice(-3));
  assert.ok(late - early < limit, `heap in MB: ${list.map((x) => x.toFixed(1))}`);
}

const leaks = unlessNative('keeps a reaction per call on the pending promise');
const coroutines = unlessNative('has no coroutine');
const chains = unlessNative('a recursive return keeps a promise per turn, by the standard');

describe('memory', () => {
  describe('is given back', () => {
    it('for a million abandoned promises with handlers', async () => {
      const rss = await measure(`
        (async () => {
          const rss = [];
          for (let k = 0; k < 20; k++) {
            for (let i = 0; i < 50000; i++) {
              new P(() => {}).then(() => i);
              if (i % 10000 === 0) await turn();
            }
            for (let i = 0; i < 5; i++) await turn();
            rss.push([await heap(), process.memoryUsage().rss / MB]);
          }
          done(rss);
        })();`);
      for (const k of [0, 1]) {
        const list = rss.map((x) => x[k]);
        const early = Math.max(...list.slice(0, 8));
        const late = Math.min(...list.slice(-4));
        assert.ok(late - early < (k ? 60 : 10), `${list.map((x) => x.toFixed(1))}`);
      }
    });

    it('for abandoned promises under a small heap limit, without asking', async () => {
      const n = await measure(`
        (async () => {
          let n = 0;
          for (; n < 600000; n++) {
            new P(() => {}).then(() => {}).then(() => {});
            if (n % 2000 === 0) await turn();
          }
          done(n);
        })();`, ['--max-old-space-size=150']);
      assert.equal(n, 600000);
    });

    it('for abandoned chains, adoptions and combinators', () => flat(`
      const p = new P(() => {});
      p.then(() => {}).then(() => {}).finally(() => {});
      new P((r) => r(p)).catch(() => {});
      P.resolve().then(() => p);
      P.all([p, 1]).then(() => {});
      P.race([p, new P(() => {})]).then(() => {});
      P.any([p]); P.allSettled([p, p]);`, { count: 20000, limit: 20 }));

    it('for abandoned promises that hold large values', () => flat(`
      const big = new Array(40).fill(i);
      new P(() => {}).then(() => big);
      new P((r) => { big.r = r; }).then(() => big);`, { count: 35000, limit: 30 }));

    it('for abandoned promises whose resolver is in a cycle with them', () => flat(`
      const d = {};
      d.promise = new P((r) => { d.resolve = r; });
      d.child = d.promise.then(() => d);`, { count: 80000 }));

    it('for abandoned subclass promises', () => flat('new Sub(() => {}).then(() => i);',
      { setup: 'class Sub extends P {}', count: 60000 }));

    coroutines('for abandoned coroutines', () => flat('wait(i);',
      { setup: 'const wait = P.coroutine(function* (i) { yield P.resolve(); yield new P(() => {}); return i; });', count: 60000 }));

    coroutines('for the steps of a coroutine', async () => {
      const grown = await measure(`
        P.coroutine(function* () {
          for (let i = 0; i < 2000; i++) yield P.resolve();
          const base = now();
          for (let i = 0; i < 200000; i++) yield P.resolve();
          for (let i = 0; i < 50000; i++) yield new P((r) => process.nextTick(r));
          return now() - base;
        })().then(done);`);
      assert.ok(grown < 4, `${grown.toFixed(1)} MB`);
    });

    leaks('for losers of a race against a promise pending for ever', () => flat(
      'await P.race([forever, P.resolve("x".repeat(500) + i)]);',
      { setup: 'const forever = new P(() => {});', count: 10000 }));

    leaks('for losers of a race won later', () => flat(
      'await P.race([forever, new P((r) => process.nextTick(r, new Array(50)))]);',
      { setup: 'const forever = new P(() => {});', count: 5000 }));

    leaks('for any and all decided while an input is pending for ever', () => flat(`
      await P.any([forever, P.resolve(new Array(50).fill(i))]);
      await P.all([forever, P.reject(new Array(50).fill(i))]).catch(() => {});`,
    { setup: 'const forever = new P(() => {});', count: 5000 }));

    it('for races of promises nobody settles', () => flat(
      'P.race([new P(() => {}), new P(() => {})]).then(() => i);', { count: 60000 }));

    it('for races of settled promises within one turn', async () => {
      const grown = await measure(`
        const [a, b] = [P.resolve(1), P.resolve(2)];
        (async () => {
          for (let i = 0; i < 200; i++) await P.race([a, b]);
          const before = now();
          for (let i = 0; i < 60000; i++) await P.race([a, b]);
          done(now() - before);
        })();`);
      assert.ok(grown < 12, `${grown} MB`);
    });

    it('for handlers of a promise that is settled', () => flat(
      'p.then(() => i);', { setup: 'const p = P.resolve(1);' }));

    it('for handlers that have run, while the promise lives on', () => flat(`
      const d = [];
      kept[i % 100] = new P((r) => { d[0] = r; });
      const big = new Array(100).fill(i);
      kept[i % 100].then(() => big);
      d[0](i);`, { setup: 'const kept = [];' }));

    it('for rejections that were reported', () => flat(
      'P.reject(new Array(100).fill(i));',
      { setup: 'process.on("unhandledRejection", () => {});', count: 5000 }));

    it('for rejections handled in time', () => flat(
      'P.reject(new Array(100).fill(i)).catch(() => {});', { count: 10000 }));
  });

  describe('a recursive return stays constant', () => {
    const cases = {
      'with the head dropped': 'loop().then(end);',
      'with the head held': 'const head = loop(); head.then(end); globalThis.head = head;',
      'with the head awaited': '(async () => end(await loop()))();',
      'with a catch and a finally at the head':
        'loop().catch(() => done([0, 0])).finally(() => {}).then(end);',
      'with the head in a resolver': 'new P((r) => r(loop())).then(end);',
      'with the head returned by a handler': 'P.resolve().then(() => loop()).then(end);',
      'with the head in a combinator': 'P.all([loop(), 1]).then(([x]) => end(x));',
      'with several handlers on the head':
        'const head = loop(); head.then(() => {}); head.catch(() => {}); head.then(end);',
    };
    const steps = {
      'settled steps': 'P.resolve()',
      'steps settled later': 'new P((r) => (n % 1000 ? process.nextTick(r) : setImmediate(r)))',
    };
    for (const [kind, step] of Object.entries(steps)) {
      for (const [title, start] of Object.entries(cases)) {
        chains(`${title}, ${kind}`, async () => {
          const n = kind === 'settled steps' ? 200000 : 60000;
          const [value, grown] = await measure(`
            let n = 0, base = 0, peak = 0;
            function loop() {
              n++;
              if (n === 2000) base = now();
              if (n % 20000 === 0) peak = Math.max(peak, now() - base);
              return n < ${n} ? ${step}.then(loop) : 'end';
            }
            function end(x) { done([x, peak]); }
            ${start}`);
          assert.equal(value, 'end');
          assert.ok(grown < 4, `${grown.toFixed(1)} MB`);
        });
      }
    }

    chains('when the last step rejects', async () => {
      const [reason, grown] = await measure(`
        let n = 0, base = 0, peak = 0;
        function loop() {
          if (++n === 2000) base = now();
          if (n % 20000 === 0) peak = Math.max(peak, now() - base);
          if (n === 100000) throw 'stop';
          return P.resolve().then(loop);
        }
        loop().then(null, (r) => done([r, peak]));`);
      assert.equal(reason, 'stop');
      assert.ok(grown < 4, `${grown.toFixed(1)} MB`);
    });

    chains('through resolvers instead of handlers', async () => {
      const [value, grown] = await measure(`
        let n = 0, base = 0, peak = 0;
        function loop(resolve) {
          if (++n === 2000) base = now();
          if (n % 20000 === 0) peak = Math.max(peak, now() - base);
          if (n === 60000) return resolve('end');
          resolve(new P((r) => process.nextTick(loop, r)));
        }
        new P(loop).then((x) => done([x, peak]));`);
      assert.equal(value, 'end');
      assert.ok(grown < 4, `${grown.toFixed(1)} MB`);
    });
  });

  describe('nothing is lost', () => {
    it('100,000 promises pending through many collections run their handlers once, in order', async () => {
      const n = 100000;
      const rnd = random(5);
      const rs = new Array(n);
      const counts = new Uint8Array(n);
      let wrong = 0;
      for (let i = 0; i < n; i++) {
        const p = new P((r) => { rs[i] = r; });
        p.then(() => { if (counts[i]++ !== 0) wrong++; });
        p.then(() => { if (counts[i]++ !== 1) wrong++; });
        if (i % 20000 === 0) {
          gc();
          await macro();
        }
      }
      for (let k = 0; k < 5; k++) {
        // Young work in between makes the engine move what is old.
        for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
        gc();
        await sleep(1);
      }
      for (let i = n - 1; i > 0; i--) {
        const k = rnd(i + 1);
        [rs[i], rs[k]] = [rs[k], rs[i]];
      }
      for (let i = 0; i < n; i++) {
        rs[i]();
        if (i % 30000 === 0) {
          gc();
          await macro();
        }
      }
      await macro();
      assert.equal(wrong, 0);
      assert.ok(counts.every((c) => c === 2));
    });

    it('promises reachable only through what will settle them', async () => {
      const n = 3000;
      const rs = [];
      const log = [];
      for (let i = 0; i < n; i++) {
        const wait = () => new P((r) => rs.push(r));
        const note = () => log.push(i);
        switch (i % 6) {
          case 0: wait().then((x) => x).then((x) => x).then(note); break;
          case 1: new P((r) => r(wait())).then(note); break;
          case 2: P.resolve().then(wait).then(note); break;
          case 3: P.all([wait(), 1]).then(note); break;
          case 4: P.race([new P(() => {}), wait()]).then(note); break;
          default: P.resolve().finally(wait).then(note);
        }
      }
      await macro();
      assert.equal(rs.length, n);
      for (let k = 0; k < 5; k++) {
        for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
        gc();
        await sleep(1);
      }
      rs.forEach((r) => r());
      await macro();
      assert.deepEqual(log.sort((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
    });

    it('handlers added before and after collections keep their order', async () => {
      const ds = Array.from({ length: 500 }, () => deferred());
      const logs = ds.map(() => []);
      for (let round = 0; round < 5; round++) {
        ds.forEach((d, i) => d.promise.then((x) => logs[i].push(round + x)));
        for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
        gc();
        await sleep(1);
      }
      ds.forEach((d) => d.resolve(10));
      await macro();
      logs.forEach((log) => assert.deepEqual(log, [10, 11, 12, 13, 14]));
    });

    it('a combinator over inputs of which some grew old', async () => {
      const old = Array.from({ length: 300 }, () => deferred());
      const waiting = ['all', 'allSettled', 'race', 'any'].map((m) => P[m](old.map((d) => d.promise)));
      for (let k = 0; k < 4; k++) {
        for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
        gc();
        await sleep(1);
      }
      const young = P.all([...old.map((d) => d.promise), P.resolve('y')]);
      old.reverse().forEach((d, i) => d.resolve(i));
      const [all, settled, race, any] = await Promise.all(waiting);
      assert.deepEqual(all, Array.from({ length: 300 }, (_, i) => 299 - i));
      assert.deepEqual(settled.map((x) => x.value), all);
      assert.deepEqual([race, any], [0, 0]);
      assert.deepEqual(await young, [...all, 'y']);
    });

    it('old promises that reject are reported, or not, as young ones', async () => {
      const r = await measure(`
        const events = [];
        process.on("unhandledRejection", (e) => events.push(e));
        const rs = [];
        new P((f, r) => rs.push(r)).then(() => {});
        new P((f, r) => rs.push(r)).catch(() => {});
        new P((f, r) => rs.push(r));
        (async () => {
          for (let k = 0; k < 5; k++) {
            for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
            gc();
            await turn();
          }
          rs.forEach((r, i) => r(i));
          await turn();
          done(events.sort());
        })();`);
      assert.deepEqual(r, [0, 2]);
    });

    it('collections at random moments change nothing', async () => {
      for (let seed = 90000; seed < 90060; seed++) {
        const program = generate(seed, { gc: true, loop: true, combinators: true, size: 60 });
        const withGc = await run(P, program, { gc });
        assert.deepEqual(withGc, await run(P, program), `seed ${seed}`);
      }
    });

    it('gc between all steps of a chain', async () => {
      for (let i = 0; i < 30; i++) {
        const d = deferred();
        const q = d.promise.then((x) => { gc(); return x + 1; })
          .then((x) => new P((r) => setImmediate(() => { gc(); r(x + 1); })));
        gc();
        d.resolve(i);
        gc();
        assert.equal(await q, i + 2);
      }
    });

    it('dropped promises are collected', async () => {
      let collected = 0;
      const registry = new FinalizationRegistry(() => { collected++; });
      for (let i = 0; i < 300; i++) {
        const d = deferred();
        registry.register(d.promise, i);
        const q = d.promise.then((x) => x + 1);
        registry.register(q, i);
        d.resolve(i);
        assert.equal(await q, i + 1);
      }
      for (let i = 0; i < 8; i++) {
        gc();
        await sleep(2);
      }
      assert.ok(collected > 500, `${collected} of 600`);
    });

    it('values of settled promises that are dropped are collected', async () => {
      const refs = [];
      (() => {
        for (let i = 0; i < 100; i++) {
          const value = { i };
          refs.push(new WeakRef(value));
          P.resolve(value).then((x) => x).then(() => {});
          P.all([value, P.resolve(value)]).then(() => {});
        }
      })();
      for (let i = 0; i < 5; i++) {
        await sleep(1);
        gc();
      }
      const alive = refs.filter((r) => r.deref()).length;
      assert.ok(alive <= 2, `${alive} of 100`);
    });
  });
});

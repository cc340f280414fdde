'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { getEventListeners } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { inspect } = require('node:util');
const { P, Native, root } = require('./helpers/subject');
const { deferred, later, macro, outcome, rejection, rejectionEvents, sleep } = require('./helpers/util');
const { collectionTests, quiet } = require('./helpers/collections');
const { watched, withFakeClock, block } = require('./helpers/clock');
const { run } = require('./helpers/child');

/** Code of the engine's module, for a process of its own. */
const engineCode = `require(${JSON.stringify(path.join(root, 'lib/engine'))})`;

const listeners = (signal) => getEventListeners(signal, 'abort').length;

function shared(C) {
  it('fulfills with undefined, or with the value', async () => {
    assert.equal(await C.delay(1), undefined);
    assert.equal(await C.delay(1, undefined), undefined);
    const object = { a: 1 };
    for (const value of [0, '', null, false, 'text', Symbol.iterator, object, [1], () => {}]) {
      assert.equal(await C.delay(1, value), value);
    }
    assert.ok(C.delay(0) instanceof C);
  });

  it('takes as long as it says', async () => {
    for (const ms of [0, 1, 10, 30]) {
      const start = performance.now();
      await C.delay(ms, 'x');
      // Those of Bluebird may come when a millisecond has begun.
      assert.ok(performance.now() - start >= ms - (C === P ? 0 : 1));
    }
  });

  it('is pending before, also with 0', async () => {
    await withFakeClock(async (clock) => {
      const seen = [watched(C.delay(0, 'a')), watched(C.delay(10, 'b')), watched(C.delay(11, 'c'))];
      const states = () => seen.map(({ state }) => state[0]).join('');
      await quiet();
      assert.equal(states(), 'ppp');
      clock.tick(0);
      await quiet();
      assert.equal(states(), 'fpp');
      clock.tick(9);
      await quiet();
      assert.equal(states(), 'fpp');
      clock.tick(1);
      await quiet();
      assert.equal(states(), 'ffp');
      clock.tick(1000);
      await quiet();
      assert.deepEqual(seen.map(({ value }) => value), ['a', 'b', 'c']);
    });
  });

  it('waits for a promise, then the time begins', async () => {
    await withFakeClock(async (clock) => {
      const d = deferred(C);
      const seen = watched(C.delay(10, d.promise));
      const method = watched(d.promise.delay(10));
      await quiet();
      clock.tick(1000);
      await quiet();
      d.resolve('late');
      await quiet();
      clock.tick(9);
      await quiet();
      assert.deepEqual([seen.state, method.state], ['pending', 'pending']);
      clock.tick(1);
      await quiet();
      assert.deepEqual([seen, method], [{ state: 'fulfilled', value: 'late' }, { state: 'fulfilled', value: 'late' }]);
    });
  });

  it('waits for promises of all kinds', async () => {
    for (const value of [
      C.resolve(1), later(C, 'fulfilled', 1), Native.resolve(1), later(Native, 'fulfilled', 1),
      { then(f) { f(1); } }, { then(f) { setImmediate(f, 1); } }, C.delay(1, 1), C.resolve().then(() => 1),
      new C((resolve) => resolve(later(C, 'fulfilled', 1))), C.delay(1, C.delay(1, 1)),
    ]) {
      assert.equal(await C.delay(1, value), 1);
      assert.equal(await C.resolve(value).delay(1), 1);
    }
  });

  it('a rejection comes at once', async () => {
    await withFakeClock(async (clock) => {
      const d = deferred(C);
      const seen = [watched(C.delay(10, C.reject('a'))), watched(C.delay(10, d.promise)), watched(C.reject('c').delay(10))];
      d.reject('b');
      await quiet();
      assert.deepEqual(seen.map(({ value }) => value), ['a', 'b', 'c']);
      if (C === P) assert.equal(clock.pending, 0); // Bluebird judges rejections by such a timer
    });
  });

  it('a rejection that comes later is handled', async () => {
    const events = await rejectionEvents(async () => {
      const d = deferred(C);
      const p = C.delay(1, d.promise);
      d.reject('reason');
      assert.equal(await rejection(p), 'reason');
    });
    assert.deepEqual(events, []);
  });

  it('in the order of the deadlines, equal ones in the order of the calls', async () => {
    const log = [];
    await withFakeClock(async (clock) => {
      for (const [name, ms] of [['c1', 30], ['a1', 10], ['b1', 20], ['a2', 10], ['c2', 30], ['a3', 10]]) {
        C.delay(ms, name).then((x) => log.push(x));
      }
      await quiet(); // Bluebird waits for the value
      clock.tick(100);
      await quiet();
    });
    assert.equal(log.join(' '), 'a1 a2 a3 b1 c1 c2');
  });

  it('those of one length come in the order of the calls', async () => {
    const log = [];
    const all = [];
    for (let i = 0; i < 2000; i++) all.push(C.delay(5).then(() => log.push(i)));
    await C.all(all);
    assert.deepEqual(log, Array.from({ length: 2000 }, (_, i) => i));
  });

  it('in a chain, in all, in race', async () => {
    assert.equal(await C.resolve(1).delay(1).then((x) => x + 1).delay(1).then((x) => x + 1), 3);
    assert.deepEqual(await C.all([C.delay(3, 'a'), C.delay(1, 'b'), C.delay(2, 'c')]), ['a', 'b', 'c']);
    assert.equal(await C.race([C.delay(300, 'a'), C.delay(1, 'b')]), 'b');
    assert.equal(await C.resolve().then(() => C.delay(1, 'x')), 'x');
    assert.equal(await new C((resolve) => resolve(C.delay(1, 'y'))), 'y');
    assert.deepEqual(await C.map([3, 1, 2], (x) => C.delay(x, x)), [3, 1, 2]);
  });

  it('set from a handler of another', async () => {
    let left = 20;
    const step = () => (--left > 0 ? C.delay(1).then(step) : 'done');
    assert.equal(await C.delay(1).then(step), 'done');
  });

  it('a loop of delays of 0 lets everything else run', async () => {
    let rounds = 0;
    let ended = false;
    const loop = () => {
      rounds++;
      return ended ? undefined : C.delay(0).then(loop);
    };
    const end = loop();
    for (let i = 0; i < 50; i++) await macro();
    await sleep(5);
    await new Native((resolve) => fs.stat(__filename, resolve));
    ended = true;
    await end;
    assert.ok(rounds > 1);
  });

  it('microtasks and ticks run after the handlers, before the next timer', async () => {
    const log = [];
    await new Native((resolve) => {
      C.delay(1).then(() => {
        setImmediate(() => { log.push('immediate'); resolve(); });
        process.nextTick(() => log.push('tick'));
        Native.resolve().then(() => log.push('native'));
      });
    });
    assert.equal(log.length, 3);
    assert.equal(log[2], 'immediate');
  });

  it('the other timers of the global place are asked at each call', async () => {
    const first = C.delay(5);
    await withFakeClock(async (clock) => {
      const seen = watched(C.delay(5));
      assert.equal(clock.pending, 1);
      assert.equal(await first, undefined);
      assert.equal(seen.state, 'pending');
      clock.tick(5);
      await quiet();
      assert.equal(seen.state, 'fulfilled');
    });
    assert.equal(await C.delay(1, 'real again'), 'real again');
  });

  it('a replacement that stays', async () => {
    await withFakeClock(async (clock) => {
      let ended = false;
      (async () => {
        for (let i = 0; i < 5; i++) await C.delay(1000);
        ended = true;
      })();
      for (let i = 0; i < 5; i++) {
        await quiet();
        assert.equal(ended, false);
        clock.tick(1000);
      }
      await quiet();
      assert.equal(ended, true);
      assert.equal(Date.now(), 6000);
    });
  });
}

const wrong = [NaN, -1, -0.001, Infinity, -Infinity, '5', '', null, undefined, true, {}, [], 5n, Symbol('s'), () => {}, new Date()];

function own() {
  describe('what only ours does', () => {
    it('a time that is no finite number >= 0 is a TypeError that names it', async () => {
      for (const ms of wrong) {
        for (const promise of [P.delay(ms), P.delay(ms, 1), P.delay(ms, { then(f) { f(); } }), P.resolve(1).delay(ms)]) {
          const error = await rejection(promise);
          assert.ok(error instanceof TypeError, inspect(error));
          assert.match(error.message, /^expecting ms to be a finite number >= 0 but got /);
          if (typeof ms !== 'object' && typeof ms !== 'function') assert.ok(error.message.includes(String(ms)), error.message);
        }
      }
      assert.equal((await rejection(P.delay())).message, 'expecting ms to be a finite number >= 0 but got undefined');
    });

    it('options that are none', async () => {
      for (const options of [null, 5, 'x', true]) {
        const error = await rejection(P.delay(1, 1, options));
        assert.ok(error instanceof TypeError);
        assert.match(error.message, /options/);
      }
      for (const signal of [null, 5, {}, { aborted: false }]) {
        const error = await rejection(P.delay(1, 1, { signal }));
        assert.ok(error instanceof TypeError);
        assert.match(error.message, /signal/);
      }
      assert.equal(await P.delay(1, 'x', {}), 'x');
      assert.equal(await P.delay(1, 'x', { signal: undefined, ref: undefined }), 'x');
      assert.equal(await P.resolve('x').delay(1, {}), 'x');
      assert.equal(await P.delay(1, 'x', { ref: true }), 'x');
    });

    it('what is wrong does not leave the rejection of the value unhandled', async () => {
      const events = await rejectionEvents(async () => {
        await rejection(P.delay(-1, P.reject('a')));
        await rejection(P.delay(1, P.reject('b'), { signal: AbortSignal.abort() }));
        await rejection(P.reject('c').delay('x'));
      });
      assert.deepEqual(events, []);
    });

    it('is never early, fractions and all', async () => {
      const times = Array.from({ length: 300 }, (_, i) => (i * 7919 % 3001) / 100);
      await P.all(times.map(async (ms) => {
        const start = performance.now();
        await P.delay(ms);
        const took = performance.now() - start;
        assert.ok(took >= ms, `${ms} ms took ${took}`);
      }));
    });

    it('is not early after the loop was blocked', async () => {
      await macro();
      block(30);
      const start = performance.now();
      await P.delay(10);
      assert.ok(performance.now() - start >= 10);
    });

    it('keeps the order of deadlines that were set at different times', async () => {
      const log = [];
      const all = [P.delay(300, 'c').then((x) => log.push(x)), P.delay(30, 'a').then((x) => log.push(x))];
      block(5);
      all.push(P.delay(50, 'b').then((x) => log.push(x)));
      block(350);
      await P.all(all);
      assert.equal(log.join(''), 'abc');
    });

    it('all that is due comes in one drain', async () => {
      const all = Array.from({ length: 1000 }, (_, i) => P.delay(1 + i / 100));
      await P.resolve();
      block(20);
      const before = P.stats().turns;
      await all[0];
      await P.all(all);
      assert.ok(P.stats().turns - before < 20, `${P.stats().turns - before} turns`);
    });

    it('does not enter C once for each', async () => {
      const before = P.stats().calls;
      const all = Array.from({ length: 20000 }, () => P.delay(1));
      assert.ok(P.stats().calls - before < 250, `${P.stats().calls - before} calls`);
      await P.all(all);
    });

    it('leaves nothing behind', async () => {
      await P.all(Array.from({ length: 5000 }, (_, i) => P.delay(i % 7)));
      await quiet();
      const { pages, slots } = P.stats();
      for (let round = 0; round < 10; round++) {
        await P.all(Array.from({ length: 5000 }, (_, i) => P.delay(i % 7)));
      }
      await quiet();
      assert.ok(P.stats().pages <= pages + 3, `${P.stats().pages} pages`);
      assert.ok(P.stats().slots <= slots + 1024);
    });

    it('100,000 random ones: none early, lost or double, those of one length in order', async () => {
      const N = 100000;
      const last = new Array(500).fill(-1);
      const wrong = [];
      let count = 0;
      const all = [];
      for (let i = 0; i < N; i++) {
        const ms = (i * 7919) % 500;
        const start = performance.now();
        all.push(P.delay(ms).then(() => {
          if (performance.now() < start + ms || last[ms] >= i) wrong.push(i);
          last[ms] = i;
          count++;
        }));
      }
      await P.all(all);
      assert.deepEqual([wrong, count], [[], N]);
    });

    it('handlers see the store of the call that attached them', async () => {
      const storage = new AsyncLocalStorage();
      const seen = [];
      const all = [];
      const plain = P.delay(3);
      for (let i = 0; i < 5; i++) {
        storage.run(i, () => {
          all.push(P.delay(2).then(() => seen.push(storage.getStore())));
          all.push(plain.then(() => seen.push(storage.getStore())));
        });
      }
      all.push(P.delay(4).then(() => seen.push(storage.getStore() === undefined ? 'none' : storage.getStore())));
      await P.all(all);
      assert.deepEqual(seen.sort(), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 'none']);
      await storage.run('awaited', async () => {
        await P.delay(1);
        assert.equal(storage.getStore(), 'awaited');
      });
      storage.disable();
    });

    it('under a scheduler of the user', async () => {
      const runs = [];
      P.setScheduler((go) => runs.push(go));
      let seen;
      try {
        P.delay(1, 'x').then((x) => { seen = x; });
        assert.equal(runs.length, 1);
        runs.shift()();
        while (runs.length === 0) await sleep(1);
        await sleep(5);
        assert.equal(runs.length, 1);
        assert.equal(seen, undefined);
        runs.shift()();
        assert.equal(seen, 'x');
        P.delay(1, 'y').then((y) => { seen = y; });
      } finally {
        P.setScheduler(undefined);
        while (runs.length > 0) runs.shift()();
      }
      await sleep(20);
      assert.equal(seen, 'y');
    });

    it('a scheduler that throws when a deadline comes', async () => {
      const r = await run(`
        process.on('uncaughtException', (e) => console.log(e.message));
        P.delay(50, 'x').then(console.log);
        setImmediate(() => {
          let calls = 0;
          P.setScheduler((go) => { if (calls++ === 0) throw new Error('no'); queueMicrotask(go); });
        });`);
      assert.deepEqual([r.stdout, r.stderr, r.status], ['no\nx\n', '', 0]);
    });
  });

  describe('signal', () => {
    it('rejects with its reason and lets go of it', async () => {
      for (const reason of [new Error('reason'), 'text', undefined, null]) {
        const controller = new AbortController();
        const { signal } = controller;
        const p = P.delay(1e6, 'x', { signal });
        assert.equal(listeners(signal), 1);
        await macro();
        controller.abort(reason);
        assert.equal(await rejection(p), signal.reason);
        assert.equal(listeners(signal), 0);
      }
    });

    it('aborted in the turn of the call, and before', async () => {
      const controller = new AbortController();
      const p = P.delay(1e6, 'x', { signal: controller.signal });
      controller.abort('now');
      assert.equal(await rejection(p), 'now');
      assert.equal(await rejection(P.delay(1e6, 'x', { signal: controller.signal })), 'now');
      assert.equal(await rejection(P.delay(1e6, new P(() => {}), { signal: controller.signal })), 'now');
      assert.equal(listeners(controller.signal), 0);
    });

    it('is let go of when the time is over', async () => {
      const controller = new AbortController();
      const p = P.delay(1, 'x', { signal: controller.signal });
      assert.equal(await p, 'x');
      assert.equal(listeners(controller.signal), 0);
      controller.abort();
      assert.equal(await p, 'x');
    });

    it('aborted while the value is waited for', async () => {
      const controller = new AbortController();
      const d = deferred();
      const p = P.delay(1, d.promise, { signal: controller.signal });
      const q = d.promise.delay(1, { signal: controller.signal });
      await macro();
      controller.abort('reason');
      assert.equal(await rejection(p), 'reason');
      assert.equal(await rejection(q), 'reason');
      assert.equal(listeners(controller.signal), 0);
      d.reject('too late');
      await quiet();
    });

    it('aborted after the value came', async () => {
      const controller = new AbortController();
      const d = deferred();
      const p = P.delay(1e6, d.promise, { signal: controller.signal });
      d.resolve(1);
      await quiet();
      controller.abort('reason');
      assert.equal(await rejection(p), 'reason');
      assert.equal(listeners(controller.signal), 0);
    });

    it('is let go of when the value is rejected', async () => {
      const controller = new AbortController();
      const d = deferred();
      const p = P.delay(1, d.promise, { signal: controller.signal });
      d.reject('rejected');
      assert.equal(await rejection(p), 'rejected');
      assert.equal(listeners(controller.signal), 0);
    });

    it('one for many', async () => {
      const controller = new AbortController();
      require('node:events').setMaxListeners(0, controller.signal);
      const all = Array.from({ length: 1000 }, (_, i) => rejection(P.delay(i < 500 ? 1e6 : 1e6 + i, i, { signal: controller.signal })));
      await macro();
      controller.abort('all');
      assert.deepEqual(new Set(await P.all(all)), new Set(['all']));
      assert.equal(listeners(controller.signal), 0);
    });

    it('aborted by a handler that runs in the same drain', async () => {
      const controller = new AbortController();
      const all = [P.delay(1).then(() => controller.abort('other'))];
      for (let i = 0; i < 10; i++) all.push(outcome(P.delay(1, i, { signal: controller.signal })));
      block(3);
      const [, ...seen] = await P.all(all);
      for (const { status, value, reason } of seen) assert.ok(status === 'fulfilled' ? value < 10 : reason === 'other');
      assert.equal(listeners(controller.signal), 0);
    });

    it('with a clock that was replaced', async () => {
      await withFakeClock(async (clock) => {
        const controller = new AbortController();
        const seen = [P.delay(10, 'a', { signal: controller.signal }), P.delay(20, 'b', { signal: controller.signal })].map(watched);
        clock.tick(10);
        await quiet();
        controller.abort('aborted');
        await quiet();
        assert.deepEqual(seen, [{ state: 'fulfilled', value: 'a' }, { state: 'rejected', value: 'aborted' }]);
        assert.equal(clock.pending, 0);
        assert.equal(listeners(controller.signal), 0);
      });
    });
  });

  describe('with a clock that was replaced', () => {
    it('ref: false is passed on', async () => {
      await withFakeClock(async (clock) => {
        const seen = watched(P.delay(5, 'x', { ref: false }));
        P.delay(5);
        assert.deepEqual([clock.pending, clock.pendingRefs], [2, 1]);
        clock.tick(5);
        await quiet();
        assert.equal(seen.value, 'x');
      });
    });

    it('times that no timer can count', async () => {
      await withFakeClock(async (clock) => {
        const ms = 2 ** 31 * 3;
        const seen = watched(P.delay(ms, 'x'));
        clock.tick(ms - 1);
        await quiet();
        assert.equal(seen.state, 'pending');
        clock.tick(1);
        await quiet();
        assert.equal(seen.value, 'x');
      });
    });

    it('a replacement without a clock', async () => {
      const { setTimeout } = globalThis;
      const calls = [];
      globalThis.setTimeout = (fn, ms) => calls.push([fn, ms]);
      const seen = watched(P.delay(1e6, 'x'));
      globalThis.setTimeout = setTimeout;
      assert.equal(calls[0][1], 1e6);
      calls[0][0]();
      await quiet();
      assert.equal(seen.value, 'x');
    });

    it('one that calls at once, twice, or throws', async () => {
      const { setTimeout } = globalThis;
      try {
        globalThis.setTimeout = (fn) => { fn(); fn(); };
        assert.equal(await P.delay(1e6, 'x'), 'x');
        globalThis.setTimeout = () => { throw new RangeError('fake'); };
        assert.equal((await rejection(P.delay(1))).message, 'fake');
        assert.equal((await rejection(P.delay(1, later(P, 'fulfilled', 1)))).message, 'fake');
        globalThis.setTimeout = undefined;
        assert.equal(await P.delay(1, 'none'), 'none');
      } finally {
        globalThis.setTimeout = setTimeout;
      }
    });

    it('performance.now alone is not the clock', async () => {
      const { now } = performance;
      performance.now = () => 1e12;
      try {
        assert.equal(await P.delay(2, 'x'), 'x');
      } finally {
        performance.now = now;
      }
    });
  });

  describe('where nobody holds it', () => {
    it('its handlers run all the same, over sweeps and collections', async () => {
      const r = await run(`
        let ran = 0;
        let kept = 0;
        for (let i = 0; i < 20000; i++) P.delay(400 + i / 100).then((x) => x).then(() => { ran++; });
        for (let i = 0; i < 100; i++) P.all([P.delay(500, i), P.delay(300).then(() => i)]).then(([a, b]) => { kept += a === b; });
        (async () => { for (let i = 0; i < 100; i++) { await P.delay(5); } kept++; })();
        const churn = () => { for (let i = 0; i < 150000; i++) P.resolve(new P(() => {})).then(() => {}); };
        for (let i = 0; i < 3; i++) setTimeout(() => { churn(); gc(); }, 40 * i);
        process.on('exit', () => console.log(ran, kept, ${engineCode}.check()));`,
      { flags: ['--expose-gc'] });
      assert.deepEqual([r.stdout, r.stderr, r.status], ['20000 101 null\n', '', 0]);
    });
  });
}

collectionTests('delay', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { getEventListeners } = require('node:events');
const path = require('node:path');
const { inspect } = require('node:util');
const vm = require('node:vm');
const { P, Native, root } = require('./helpers/subject');
const { deferred, inputs, later, macro, outcome, rejection, rejectionEvents, sleep } = require('./helpers/util');
const { HEAP, collectionTests, quiet, unreported } = require('./helpers/collections');
const { watched, withFakeClock, block } = require('./helpers/clock');
const { run } = require('./helpers/child');

const engineCode = `require(${JSON.stringify(path.join(root, 'lib/engine'))})`;

const listeners = (signal) => getEventListeners(signal, 'abort').length;

function shared(C) {
  it('rejects with a TimeoutError when the time is over', async () => {
    const p = new C(() => {});
    const error = await rejection(p.timeout(2));
    assert.ok(error instanceof C.TimeoutError);
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'TimeoutError');
    assert.equal(error.message, 'operation timed out');
    assert.equal(error.isOperational, true);
    assert.equal(typeof error.stack, 'string');
  });

  it('with the message, or the error, that was given', async () => {
    const message = await rejection(new C(() => {}).timeout(1, 'too slow'));
    assert.ok(message instanceof C.TimeoutError);
    assert.equal(message.message, 'too slow');
    class MyError extends Error {}
    for (const error of [new MyError('mine'), new TypeError('x')]) {
      assert.equal(await rejection(new C(() => {}).timeout(1, error)), error);
      assert.equal(error.isOperational, true);
    }
    for (const odd of [undefined, null, 5, {}, [], true]) {
      assert.equal((await rejection(new C(() => {}).timeout(1, odd))).message, 'operation timed out');
    }
    assert.equal((await rejection(new C(() => {}).timeout(1, ''))).message, '');
  });

  it('is caught by catch with the class', async () => {
    assert.equal(await new C(() => {}).timeout(1).catch(C.TimeoutError, () => 'caught'), 'caught');
    assert.equal(await new C(() => {}).timeout(1).error(() => 'caught'), 'caught');
  });

  it('has the outcome of a promise that is in time', async () => {
    assert.equal(await C.resolve(1).timeout(1000), 1);
    assert.equal(await later(C, 'fulfilled', 2).timeout(1000), 2);
    assert.equal(await rejection(C.reject(3).timeout(1000)), 3);
    assert.equal(await rejection(later(C, 'rejected', 4).timeout(1000)), 4);
    assert.equal(await C.delay(1).then(() => 5).timeout(1000), 5);
    assert.equal(await C.resolve().then(() => later(C, 'fulfilled', 6)).timeout(1000), 6);
    const soon = C.resolve(1).timeout(0);
    assert.ok(soon instanceof C);
    await outcome(soon); // in Bluebird either may come first
  });

  it('comes at its time, not before', async () => {
    await unreported(C, () => withFakeClock(async (clock) => {
      const seen = watched(new C(() => {}).timeout(10));
      await quiet();
      clock.tick(9);
      await quiet();
      assert.equal(seen.state, 'pending');
      clock.tick(1);
      await quiet();
      assert.equal(seen.state, 'rejected');
      if (C === P) assert.equal(clock.pending, 0); // Bluebird judges rejections by such a timer
    }));
  });

  it('leaves no timer behind', async () => {
    await withFakeClock(async (clock) => {
      const d = deferred(C);
      const e = deferred(C);
      const seen = [d.promise.timeout(10), e.promise.timeout(10), d.promise.timeout(20)].map(watched);
      assert.equal(clock.pending, 3);
      d.resolve('in time');
      e.reject('rejected');
      await quiet();
      assert.equal(clock.pending, 0);
      assert.deepEqual(seen.map(({ value }) => value), ['in time', 'rejected', 'in time']);
      clock.tick(100);
      await quiet();
      assert.deepEqual(seen.map(({ value }) => value), ['in time', 'rejected', 'in time']);
    });
  });

  it('what comes after the time changes nothing and is handled', async () => {
    const events = await rejectionEvents(async () => {
      for (const how of ['resolve', 'reject']) {
        const d = deferred(C);
        const p = d.promise.timeout(1);
        const error = await rejection(p);
        d[how]('late');
        await quiet();
        assert.equal(await rejection(p), error);
      }
    });
    assert.deepEqual(events, []);
  });

  it('leaves the promise itself alone', async () => {
    const d = deferred(C);
    const seen = [watched(d.promise), watched(d.promise.timeout(1))];
    await rejection(d.promise.timeout(2));
    assert.deepEqual(seen.map(({ state }) => state), ['pending', 'rejected']);
    d.resolve('still');
    assert.equal(await d.promise, 'still');
  });

  it('many for one promise, and one after another', async () => {
    const d = deferred(C);
    const all = Array.from({ length: 1000 }, (_, i) => outcome(d.promise.timeout(i % 2 ? 1 : 1000)));
    await sleep(20);
    d.resolve('x');
    const ends = await Native.all(all);
    assert.ok(ends.every(({ status }, i) => status === (i % 2 ? 'rejected' : 'fulfilled')));
    assert.equal(await C.delay(1).then(() => 'y').timeout(1000).timeout(1000), 'y');
    assert.equal((await rejection(new C(() => {}).timeout(1).timeout(1000))).name, 'TimeoutError');
    assert.equal((await rejection(new C(() => {}).timeout(1000).timeout(1, 'inner'))).message, 'inner');
  });
}

const wrong = [NaN, -1, -Infinity, '5', '', null, undefined, true, {}, [], 5n, Symbol('s'), () => {}];

function own() {
  describe('what only ours does', () => {
    it('a time that is no number >= 0 is a TypeError that names it', async () => {
      for (const ms of wrong) {
        for (const p of [new P(() => {}), P.resolve(1), P.reject(2)]) {
          const error = await rejection(p.timeout(ms));
          assert.ok(error instanceof TypeError, inspect(error));
          assert.match(error.message, /^expecting ms to be a number >= 0 but got /);
          if (typeof ms !== 'object' && typeof ms !== 'function') assert.ok(error.message.includes(String(ms)), error.message);
        }
      }
    });

    it('options that are none', async () => {
      for (const [options, name] of [
        [null, 'options'], [5, 'options'], ['x', 'options'], [{ signal: null }, 'signal'], [{ signal: {} }, 'signal'],
        [{ fallback: 5 }, 'fallback'], [{ fallback: 'x' }, 'fallback'],
      ]) {
        const error = await rejection(P.resolve(1).timeout(1, undefined, options));
        assert.ok(error instanceof TypeError);
        assert.ok(error.message.includes(name), error.message);
      }
      assert.equal(await P.resolve(1).timeout(1, undefined, {}), 1);
    });

    it('Infinity is never', async () => {
      const d = deferred();
      const p = d.promise.timeout(Infinity);
      await sleep(5);
      d.resolve('x');
      assert.equal(await p, 'x');
      assert.equal(await rejection(later(P, 'rejected', 'y').timeout(Infinity)), 'y');
    });

    it('takes promises of all kinds in the place of this', async () => {
      const { timeout } = P.prototype;
      for (const how of ['fulfilled', 'rejected']) {
        for (const { kind, make } of inputs(how)) {
          const after = [];
          const p = timeout.call(make('v', after), 1000);
          after.forEach((f) => f());
          assert.deepEqual(await outcome(p), how === 'fulfilled' ? { status: how, value: 'v' } : { status: how, reason: 'v' }, kind);
        }
      }
      assert.equal(await timeout.call(5, 1), 5);
    });

    it('errors of another realm, and frozen ones', async () => {
      const error = vm.runInNewContext('new RangeError("theirs")');
      assert.equal(await rejection(new P(() => {}).timeout(1, error)), error);
      const frozen = Object.freeze(new Error('frozen'));
      assert.equal(await rejection(new P(() => {}).timeout(1, frozen)), frozen);
    });

    it('is never early', async () => {
      await P.all(Array.from({ length: 200 }, async (_, i) => {
        const start = performance.now();
        await rejection(new P(() => {}).timeout(i / 10));
        assert.ok(performance.now() - start >= i / 10);
      }));
    });

    it('a promise that settles in the turn in which the time is over is in time', async () => {
      const d = deferred();
      const p = d.promise.timeout(1);
      await macro();
      block(5);
      d.resolve('in time');
      assert.equal(await p, 'in time');
    });

    it('does not enter C once for each, beaten or not', async () => {
      const before = P.stats().calls;
      const ds = Array.from({ length: 10000 }, () => deferred());
      const all = ds.map(({ promise }) => promise.timeout(5000));
      ds.forEach(({ resolve }, i) => resolve(i));
      await P.all(all);
      assert.ok(P.stats().calls - before < 400, `${P.stats().calls - before} calls`);
    });

    it('a bound promise gives a bound one', async () => {
      const receiver = {};
      const p = P.resolve(1).bind(receiver);
      assert.equal(await p.timeout(1000).then(function () { return this; }), receiver);
      assert.equal(await p.delay(1).then(function () { return this; }), receiver);
      assert.equal(await p.delay(100).timeout(1).catch(function () { return this; }), receiver);
    });

    it('one that nobody handles is reported', async () => {
      const events = await rejectionEvents(async () => {
        new P(() => {}).timeout(1, 'alone');
        await sleep(10);
      });
      assert.deepEqual(events.map(({ event, reason }) => [event, reason.message]), [['unhandledRejection', 'alone']]);
    });
  });

  describe('fallback', () => {
    const never = () => new P(() => {});

    it('gives the value in place of the error', async () => {
      assert.equal(await never().timeout(1, undefined, { fallback: () => 'fallback' }), 'fallback');
      assert.equal(await never().timeout(1, 'message', { fallback: async () => 'later' }), 'later');
      assert.equal(await never().timeout(1, undefined, { fallback: () => P.delay(1, 'delayed') }), 'delayed');
      assert.equal(await never().timeout(1, undefined, { fallback: () => undefined }), undefined);
    });

    it('is called once, without arguments and receiver, and only if the time is over', async () => {
      const calls = [];
      function fallback(...args) {
        calls.push([this, args]);
      }
      await P.resolve(1).timeout(1, undefined, { fallback });
      await later(P, 'fulfilled', 1).timeout(1000, undefined, { fallback });
      await rejection(later(P, 'rejected', 1).timeout(1000, undefined, { fallback }));
      assert.equal(calls.length, 0);
      await never().timeout(1, undefined, { fallback });
      await quiet();
      assert.deepEqual(calls, [[undefined, []]]);
    });

    it('that throws or is rejected rejects', async () => {
      const error = new Error('of the fallback');
      assert.equal(await rejection(never().timeout(1, undefined, { fallback() { throw error; } })), error);
      assert.equal(await rejection(never().timeout(1, undefined, { fallback: () => P.reject(error) })), error);
      assert.equal(await rejection(never().timeout(1, undefined, { fallback: () => P.delay(1).then(() => { throw error; }) })), error);
    });

    it('that gives a promise which others wait for already', async () => {
      const d = deferred();
      const p = never().timeout(1, undefined, { fallback: () => d.promise });
      const seen = [p.then((x) => x + 1), p.timeout(1000), P.all([p])];
      await sleep(5);
      d.resolve(1);
      assert.deepEqual(await P.all(seen), [2, 1, [1]]);
    });

    it('runs in the context of the call', async () => {
      const storage = new AsyncLocalStorage();
      const store = () => storage.getStore();
      const seen = await P.all([1, 2].map((i) => storage.run(i, () => never().timeout(i, undefined, { fallback: store }))));
      storage.disable();
      assert.deepEqual(seen, [1, 2]);
    });
  });

  describe('signal', () => {
    it('rejects with its reason and lets go of it', async () => {
      for (const ms of [1e6, Infinity]) {
        for (const reason of [new Error('reason'), undefined, 'text']) {
          const controller = new AbortController();
          const { signal } = controller;
          const d = deferred();
          const p = d.promise.timeout(ms, undefined, { signal });
          assert.equal(listeners(signal), 1);
          await macro();
          controller.abort(reason);
          assert.equal(await rejection(p), signal.reason);
          assert.equal(listeners(signal), 0);
          d.reject('late');
          await quiet();
        }
      }
    });

    it('is let go of in every outcome', async () => {
      const { signal } = new AbortController();
      await later(P, 'fulfilled', 1).timeout(1000, undefined, { signal });
      await rejection(later(P, 'rejected', 1).timeout(1000, undefined, { signal }));
      await rejection(new P(() => {}).timeout(1, undefined, { signal }));
      await new P(() => {}).timeout(1, undefined, { signal, fallback: () => 1 });
      await P.resolve(1).timeout(1, undefined, { signal });
      assert.equal(listeners(signal), 0);
    });

    it('aborted before, and in the turn of the call', async () => {
      const controller = new AbortController();
      const p = new P(() => {}).timeout(1000, undefined, { signal: controller.signal });
      controller.abort('now');
      assert.equal(await rejection(p), 'now');
      const events = await rejectionEvents(async () => {
        for (const input of [new P(() => {}), P.resolve(1), P.reject(2)]) {
          assert.equal(await rejection(input.timeout(1000, undefined, { signal: controller.signal })), 'now');
        }
      });
      assert.deepEqual(events, []);
    });

    it('aborted when the promise has settled already', async () => {
      for (const order of ['settle, abort', 'abort, settle']) {
        const controller = new AbortController();
        const d = deferred();
        const p = d.promise.timeout(1000, undefined, { signal: controller.signal });
        await macro();
        if (order === 'settle, abort') d.resolve('settled');
        controller.abort('aborted');
        d.resolve('settled');
        const { value, reason } = await outcome(p);
        assert.ok(value === 'settled' || reason === 'aborted');
        assert.equal(listeners(controller.signal), 0);
      }
      assert.equal(await P.resolve(1), 1);
    });

    it('aborted when the time is over already', async () => {
      const controller = new AbortController();
      const p = new P(() => {}).timeout(100, undefined, { signal: controller.signal });
      await macro();
      block(110);
      controller.abort('aborted');
      assert.equal(await rejection(p), 'aborted');
    });

    it('aborted after sweeps, without a time', async () => {
      const r = await run(`
        const controller = new AbortController();
        let settle;
        const p = new P((resolve) => { settle = resolve; });
        require('events').setMaxListeners(0, controller.signal);
        const ends = [];
        for (let i = 0; i < 10; i++) p.timeout(Infinity, '', { signal: controller.signal }).catch((e) => ends.push(e));
        p.timeout(Infinity).then((x) => console.log(x, ends.join(''), ${engineCode}.check()));
        let rounds = 4;
        (function churn() {
          for (let i = 0; i < 150000; i++) P.resolve(new P(() => {})).then(() => {});
          gc();
          if (--rounds > 0) setTimeout(churn, 5);
          else { controller.abort(7); setTimeout(settle, 5, 'settled'); }
        })();`, { flags: ['--expose-gc'] });
      assert.deepEqual([r.stdout, r.stderr, r.status], ['settled 7777777777 null\n', '', 0]);
    });
  });

  describe('memory', () => {
    it('does not grow with timeouts that are always beaten', async () => {
      const r = await run(`${HEAP}
        (async () => {
          const round = async () => {
            for (let i = 0; i < 200; i++) {
              const all = [];
              for (let k = 0; k < 250; k++) all.push(new P((resolve) => setImmediate(resolve)).timeout(5000));
              await P.all(all);
            }
          };
          await round();
          base = heap();
          const { bytes, pages } = P.stats();
          for (let i = 0; i < 4; i++) { await round(); sample(); }
          console.log(peak < 2, P.stats().bytes === bytes, P.stats().pages <= pages + 2);
        })();`, { flags: ['--expose-gc'] });
      assert.deepEqual([r.stdout, r.stderr, r.status], ['true true true\n', '', 0]);
    });

    it('is given back when the promise never settles', async () => {
      const r = await run(`${HEAP}
        (async () => {
          const fallback = () => {};
          for (let i = 0; i < 20; i++) {
            for (let k = 0; k < 10000; k++) new P(() => {}).timeout(1, '', { fallback }).then(() => {});
            await P.delay(10);
            gc();
            await P.delay(1);
          }
          console.log(P.stats().pages);
        })();`, { flags: ['--expose-gc'] });
      assert.deepEqual([r.stderr, r.status], ['', 0]);
      assert.ok(Number(r.stdout) < 800, r.stdout); // 200,000 promises of three slots: 2,344 pages
    });
  });
}

collectionTests('timeout', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { getEventListeners } = require('node:events');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const { collectionTests, counted, countedAsync, failing, manual, numbers, quiet } = require('./helpers/collections');

/** The methods that take a signal; `call(list, fn, options)`. */
const METHODS = {
  map: (list, fn, options) => P.map(list, fn, options),
  'map with a limit': (list, fn, options) => P.map(list, fn, { concurrency: 2, ...options }),
  'map that goes on after errors': (list, fn, options) => P.map(list, fn, { stopOnError: false, concurrency: 2, ...options }),
  filter: (list, fn, options) => P.filter(list, fn, { concurrency: 2, ...options }),
  each: (list, fn, options) => P.each(list, fn, options),
  'each with a limit': (list, fn, options) => P.each(list, fn, { concurrency: 2, ...options }),
  mapSeries: (list, fn, options) => P.mapSeries(list, fn, options),
  mapValues: (list, fn, options) => P.mapValues({ ...list }, fn, { concurrency: 2, ...options }),
};

const listeners = (signal) => getEventListeners(signal, 'abort').length;

/** The prototype methods do the same with the same options. */
const prototypes = ['map', 'filter', 'each', 'mapSeries', 'mapValues'];

collectionTests('collections: signal', null, () => {
  for (const [name, call] of Object.entries(METHODS)) {
    describe(name, () => {
      it('rejects with the reason of the signal, at once', async () => {
        for (const reason of [new Error('reason'), 'text', undefined, null]) {
          const controller = new AbortController();
          const m = manual();
          const p = call(numbers(5), m.fn, { signal: controller.signal });
          await macro();
          assert.equal(listeners(controller.signal), 1);
          const started = m.calls.length;
          assert.ok(started > 0);
          controller.abort(reason);
          const error = await rejection(p);
          assert.equal(error, controller.signal.reason);
          if (reason === undefined) assert.equal(error.name, 'AbortError');
          assert.equal(listeners(controller.signal), 0);
          m.calls.forEach((c, i) => (i % 2 ? c.reject('late') : c.resolve()));
          await quiet();
          assert.equal(m.calls.length, started);
          assert.equal(await rejection(p), controller.signal.reason);
        }
      });

      it('aborted before the call: starts nothing, listens to nothing', async () => {
        const signal = AbortSignal.abort('before');
        let called = 0;
        assert.equal(await rejection(call([1, 2], () => called++, { signal })), 'before');
        await quiet();
        assert.equal(called, 0);
        assert.equal(listeners(signal), 0);
      });

      it('aborted in the turn of the call: starts nothing', async () => {
        const controller = new AbortController();
        let called = 0;
        const p = call([1, 2], () => called++, { signal: controller.signal });
        controller.abort('now');
        assert.equal(await rejection(p), 'now');
        await quiet();
        assert.equal(called, 0);
        assert.equal(listeners(controller.signal), 0);
      });

      it('aborted by the mapper itself', async () => {
        const controller = new AbortController();
        const seen = [];
        const p = call(numbers(6), (x) => {
          seen.push(x);
          if (x === 1) controller.abort('inside');
        }, { signal: controller.signal });
        assert.equal(await rejection(p), 'inside');
        await quiet();
        assert.deepEqual(seen, [0, 1]);
        assert.equal(listeners(controller.signal), 0);
      });

      it('aborted by the mapper, which throws as well', async () => {
        const controller = new AbortController();
        const p = call([1], () => {
          controller.abort('signal');
          throw 'mapper';
        }, { signal: controller.signal });
        assert.equal(await rejection(p), 'signal');
      });

      it('the listener is gone when it is fulfilled', async () => {
        const { signal } = new AbortController();
        for (const list of [[], [1], numbers(5)]) {
          await call(list, (x) => x, { signal });
          assert.equal(listeners(signal), 0);
          await call(list, (x) => later(P, 'fulfilled', x), { signal });
          assert.equal(listeners(signal), 0);
        }
      });

      it('the listener is gone when it is rejected', async () => {
        const { signal } = new AbortController();
        await rejection(call([1, 2], () => { throw 1; }, { signal }));
        assert.equal(listeners(signal), 0);
        await rejection(call([1, 2], () => later(P, 'rejected'), { signal }));
        assert.equal(listeners(signal), 0);
        await rejection(call([P.reject(1)], (x) => x, { signal }));
        assert.equal(listeners(signal), 0);
        await rejection(call([1], null, { signal }));
        assert.equal(listeners(signal), 0);
        await rejection(call([1], (x) => x, { signal, concurrency: 0 })).catch(() => {}); // mapSeries has no limit
        assert.equal(listeners(signal), 0);
      });

      it('an abort after the end does nothing', async () => {
        const controller = new AbortController();
        const p = call([1, 2], (x) => x, { signal: controller.signal });
        await p;
        controller.abort('late');
        await quiet();
        await p;
      });

      it('aborted while an element is pending', async () => {
        const controller = new AbortController();
        const d = deferred();
        const p = call([d.promise, new P(() => {})], assert.fail, { signal: controller.signal });
        await macro();
        controller.abort('waiting');
        assert.equal(await rejection(p), 'waiting');
        d.reject('late');
        await quiet();
        assert.equal(listeners(controller.signal), 0);
      });

      it('a timeout', async () => {
        const p = call([1], () => new P(() => {}), { signal: AbortSignal.timeout(5) });
        // The timer of the signal does not hold the process.
        const hold = setInterval(() => {}, 1000);
        assert.equal((await rejection(p)).name, 'TimeoutError');
        clearInterval(hold);
      });

      it('what is no signal', async () => {
        for (const bad of [{}, 1, 'abort', true, new AbortController(), () => {}]) {
          const p = call([1], (x) => x, { signal: bad });
          assert.ok(p instanceof P);
          const error = await rejection(p);
          assert.ok(error instanceof TypeError);
          assert.match(error.message, /signal/);
        }
        await call([1], (x) => x, { signal: undefined });
      });
    });
  }

  it('the prototype methods', async () => {
    for (const method of prototypes) {
      const controller = new AbortController();
      const input = method === 'mapValues' ? { a: 1 } : [1];
      for (const promise of [P.resolve(input), later(P, 'fulfilled', input)]) {
        await promise[method]((x) => x, { signal: controller.signal });
        assert.equal(listeners(controller.signal), 0, method);
      }
      const p = later(P, 'fulfilled', input)[method](() => new P(() => {}), { signal: controller.signal });
      await quiet();
      controller.abort('reason');
      assert.equal(await rejection(p), 'reason');
      assert.equal(listeners(controller.signal), 0);
    }
  });

  it('aborted while the input is pending', async () => {
    for (const method of prototypes) {
      const controller = new AbortController();
      const d = deferred();
      const p = P[method](d.promise, assert.fail, { signal: controller.signal });
      await macro();
      controller.abort('pending');
      assert.equal(await rejection(p), 'pending');
      assert.equal(listeners(controller.signal), 0);
      const source = counted([1, 2]);
      d.resolve(source.iterable);
      await quiet();
      assert.equal(source.pulled, 0);
      assert.equal(listeners(controller.signal), 0);
    }
  });

  for (const make of [counted, countedAsync]) {
    it(`closes the source: ${make.name}`, async () => {
      for (const call of [METHODS['map with a limit'], METHODS.filter, METHODS.each, METHODS.mapSeries]) {
        const controller = new AbortController();
        const source = make(numbers(50));
        let called = 0;
        const p = call(source.iterable, (x) => {
          if (++called === 5) controller.abort('stop');
          return macro();
        }, { signal: controller.signal });
        assert.equal(await rejection(p), 'stop');
        await quiet();
        assert.equal(called, 5);
        assert.ok(source.pulled <= 8);
        assert.equal(source.closed, 1);
        assert.equal(listeners(controller.signal), 0);
      }
    });

    it(`aborted before the call it reads nothing: ${make.name}`, async () => {
      const source = make(numbers(5));
      assert.equal(await rejection(P.map(source.iterable, assert.fail, { signal: AbortSignal.abort('before') })), 'before');
      await quiet();
      assert.equal(source.pulled, 0);
    });
  }

  it('closes an async source whose next() is pending', async () => {
    let returned = 0;
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Native(() => {}),
        return: async () => { returned++; return {}; },
      }),
    };
    const controller = new AbortController();
    const p = P.map(input, assert.fail, { signal: controller.signal });
    await quiet();
    controller.abort('stuck');
    assert.equal(await rejection(p), 'stuck');
    await quiet();
    assert.equal(returned, 1);
  });

  it('an async source that goes on after the abort', async () => {
    for (const how of ['fulfilled', 'rejected']) {
      const step = deferred(Native);
      const controller = new AbortController();
      const input = { [Symbol.asyncIterator]: () => ({ next: () => step.promise }) };
      const p = P.map(input, assert.fail, { signal: controller.signal });
      await quiet();
      controller.abort('first');
      assert.equal(await rejection(p), 'first');
      step[how === 'fulfilled' ? 'resolve' : 'reject']({ done: false, value: 1 });
      await quiet();
    }
  });

  it('an iterator that throws leaves no listener', async () => {
    const { signal } = new AbortController();
    for (const isAsync of [false, true]) {
      assert.equal(await rejection(P.map(failing(1, 'it', isAsync).iterable, (x) => x, { signal })), 'it');
      assert.equal(listeners(signal), 0);
    }
  });

  it('inputs that are none leave no listener', async () => {
    const { signal } = new AbortController();
    for (const bad of [null, {}, P.reject('no')]) {
      await rejection(P.map(bad, (x) => x, { signal }));
      assert.equal(listeners(signal), 0);
    }
  });

  it('one signal for many calls', async () => {
    const controller = new AbortController();
    const ps = numbers(5).map(() => P.map(numbers(3), () => new P(() => {}), { signal: controller.signal }));
    await macro();
    controller.abort('all');
    for (const p of ps) assert.equal(await rejection(p), 'all');
    assert.equal(listeners(controller.signal), 0);
  });

  it('other listeners of the signal are left alone', async () => {
    const controller = new AbortController();
    let heard = 0;
    controller.signal.addEventListener('abort', () => heard++);
    await P.map([1], (x) => x, { signal: controller.signal });
    assert.equal(listeners(controller.signal), 1);
    controller.abort();
    assert.equal(heard, 1);
  });
});

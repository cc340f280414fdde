'use strict';

// Which rejections are reported: never those of inputs, elements and losers,
// and once that of a result nobody handles.

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Bluebird, Sub, deferred, later, outcome, rejectionEvents } = require('./helpers/util');
const { collectionTests, countedAsync, numbers, quiet } = require('./helpers/collections');

const same = (x) => x;

/** Each method over a list of elements. */
const METHODS = {
  all: (list) => P.all(list),
  allSettled: (list) => P.allSettled(list),
  any: (list) => P.any(list),
  race: (list) => P.race(list),
  'some 1': (list) => P.some(list, 1),
  'some 3': (list) => P.some(list, 3),
  map: (list) => P.map(list, same),
  'map with a limit': (list) => P.map(list, same, { concurrency: 1 }),
  'map that goes on after errors': (list) => P.map(list, same, { stopOnError: false, concurrency: 2 }),
  mapSeries: (list) => P.mapSeries(list, same),
  filter: (list) => P.filter(list, same),
  reduce: (list) => P.reduce(list, same),
  'reduce with an initial value': (list) => P.reduce(list, same, 0),
  each: (list) => P.each(list, same),
  'each with a limit': (list) => P.each(list, same, { concurrency: 2 }),
  mapValues: (list) => P.mapValues(list, same),
  'mapValues of a Map, with a limit': (list) => P.mapValues(new Map(list.entries()), same, { concurrency: 1 }),
  props: (list) => P.props(list),
  'props of a Map': (list) => P.props(new Map(list.entries())),
  allKeyed: (list) => P.allKeyed(list),
  allSettledKeyed: (list) => P.allSettledKeyed(list),
  join: (list) => P.join(...list, () => {}),
};

/** Inputs that are promises of the list; for methods of more than arrays as well. */
const wrappers = {
  'the list': same,
  'a fulfilled promise': (list) => P.resolve(list),
  'a native promise': (list) => Native.resolve(list),
};

const lists = {
  'rejected from the start': () => [P.reject(1), P.reject(2), P.reject(3)],
  'after values': () => [1, P.resolve(2), P.reject(3), P.reject(4)],
  'rejected later': () => [later(P, 'rejected', 1), later(P, 'rejected', 2), P.reject(3)],
  'behind one that stays pending': () => [new P(() => {}), P.reject(1), later(P, 'rejected', 2)],
  'behind one that takes longer': () => [later(P, 'fulfilled', 0).then(() => later(P, 'fulfilled', 1)), P.reject(1), later(P, 'rejected', 2)],
  'native promises': () => [Native.reject(1), later(Native, 'rejected', 2), Native.reject(3)],
  'native, behind one that stays pending': () => [new P(() => {}), Native.reject(1), later(Native, 'rejected', 2)],
  'of a subclass': () => [Sub.reject(1), later(Sub, 'rejected', 2), 3],
  'of Bluebird': () => [Bluebird.reject(1), later(Bluebird, 'rejected', 2), 3],
};

collectionTests('collections: unhandled rejections', null, () => {
  for (const [name, call] of Object.entries(METHODS)) {
    describe(name, () => {
      for (const [what, make] of Object.entries(lists)) {
        it(`none for elements: ${what}`, async () => {
          const events = await rejectionEvents(async () => {
            outcome(call(make()));
            await quiet(12);
          });
          assert.deepEqual(events.map((e) => e.reason), []);
        });
      }

      it('one for a result nobody handles', async () => {
        if (/Settled/.test(name)) return;
        let result;
        const events = await rejectionEvents(async () => {
          result = call([P.reject('e'), P.reject('e'), P.reject('e')]);
          await quiet();
        });
        assert.equal(events.length, 1);
        assert.equal(events[0].event, 'unhandledRejection');
        assert.equal(events[0].promise, result);
      });
    });
  }

  for (const name of ['all', 'allSettled', 'any', 'race', 'map', 'mapSeries', 'filter', 'reduce', 'each', 'props', 'mapValues', 'allKeyed', 'allSettledKeyed', 'some']) {
    it(`none for elements in a promise of the input: ${name}`, async () => {
      const args = name === 'some' ? [1] : [same];
      for (const [kind, wrap] of Object.entries(wrappers)) {
        const events = await rejectionEvents(async () => {
          outcome(P[name](wrap([P.reject(1), later(P, 'rejected', 2), P.reject(3)]), ...args));
          outcome(P.resolve(wrap([P.reject(4), later(P, 'rejected', 5)]))[name](...args));
          // The array comes into being when the promise of it is settled.
          outcome(P[name](later(P, 'fulfilled').then(() => [P.reject(6), P.reject(7)]), ...args));
          await quiet(10);
        });
        assert.deepEqual(events.map((e) => e.reason), [], kind);
      }
    });

    it(`none for a rejected input: ${name}`, async () => {
      const args = name === 'some' ? [1] : [same];
      const events = await rejectionEvents(async () => {
        for (const make of [() => P.reject('i'), () => later(P, 'rejected', 'i'), () => Native.reject('i'), () => later(Native, 'rejected', 'i')]) {
          outcome(P[name](make(), ...args));
          outcome(P.resolve(make())[name](...args));
        }
        await quiet();
      });
      assert.deepEqual(events, []);
    });
  }

  // These read their input to the end whatever they find in it.
  for (const name of ['all', 'allSettled', 'any', 'race', 'some']) {
    const iterables = {
      'a Set': (list) => new Set(list),
      'a generator': function* (list) { yield* list; },
      'an async iterable': (list) => ({
        [Symbol.asyncIterator]: () => ({ next: async () => (list.length > 0 ? { value: list.shift() } : { done: true }) }),
      }),
      'a promise of a Set': (list) => P.resolve(new Set(list)),
    };
    for (const [kind, make] of Object.entries(iterables)) {
      it(`none for the elements of ${kind}: ${name}`, async () => {
        for (const list of Object.values(lists)) {
          const events = await rejectionEvents(async () => {
            outcome(P[name](make(list()), 1));
            await quiet(12);
          });
          assert.deepEqual(events.map((e) => e.reason), []);
        }
      });
    }
  }

  it('none for the mappers that fail after the first', async () => {
    for (const C of [P, Native, Sub]) {
      for (const call of [
        (fn) => P.map(numbers(4), fn), (fn) => P.filter(numbers(4), fn), (fn) => P.each(numbers(4), fn, { concurrency: 4 }),
        (fn) => P.mapValues(numbers(4), fn), (fn) => P.map(numbers(4), fn, { stopOnError: false }),
      ]) {
        const events = await rejectionEvents(async () => {
          outcome(call((x) => (x % 2 ? later(C, 'rejected', x) : C.reject(x))));
          await quiet();
        });
        assert.deepEqual(events.map((e) => e.reason), []);
      }
    }
  });

  it('none for an initial value of reduce that is rejected', async () => {
    const events = await rejectionEvents(async () => {
      outcome(P.reduce([P.reject(1), 2], same, P.reject('initial')));
      outcome(P.reduce([new P(() => {}), P.reject(1)], same, later(P, 'rejected', 'initial')));
      outcome(P.reduce(new P(() => {}), same, P.reject('initial, input pending')));
      await quiet();
    });
    assert.deepEqual(events.map((e) => e.reason), []);
  });

  it('none for an async source that fails, or whose return() fails', async () => {
    const events = await rejectionEvents(async () => {
      outcome(P.map({ [Symbol.asyncIterator]: () => ({ next: () => Native.reject('next') }) }, same));
      outcome(P.each({
        [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: () => Native.reject('return') }),
      }, () => { throw 'mapper'; }));
      outcome(P.map(countedAsync([1, 2, 3]).iterable, () => Native.reject('mapper')));
      await quiet(10);
    });
    assert.deepEqual(events.map((e) => e.reason), []);
  });

  it('none for elements after an abort', async () => {
    const events = await rejectionEvents(async () => {
      const controller = new AbortController();
      const d = deferred();
      outcome(P.map([new P(() => {}), P.reject(1), d.promise, Native.reject(2)], same, { concurrency: 1, signal: controller.signal }));
      outcome(P.map([P.reject(3), Native.reject(4)], same, { signal: AbortSignal.abort() }));
      await quiet();
      controller.abort();
      d.reject('late');
      await quiet();
    });
    assert.deepEqual(events.map((e) => e.reason), []);
  });

  it('none for elements that were read before a getter or an iterator threw', async () => {
    const events = await rejectionEvents(async () => {
      for (const name of ['props', 'allKeyed', 'allSettledKeyed', 'mapValues']) {
        outcome(P[name]({ a: P.reject(name), get b() { throw 'getter'; } }, same));
      }
      function* g() {
        yield P.reject('read');
        throw 'iterator';
      }
      for (const name of ['all', 'allSettled', 'any', 'race', 'map', 'filter', 'each', 'reduce', 'mapSeries']) outcome(P[name](g(), same));
      outcome(P.some(g(), 1));
      await quiet();
    });
    assert.deepEqual(events.map((e) => e.reason), []);
  });

  it('none for the promise that reflect looks at', async () => {
    const events = await rejectionEvents(async () => {
      P.reject(1).reflect();
      later(P, 'rejected', 2).reflect();
      await quiet();
    });
    assert.deepEqual(events, []);
  });

  it('the elements of an n = 0 and of an impossible some', async () => {
    const events = await rejectionEvents(async () => {
      outcome(P.some([P.reject(1), later(P, 'rejected', 2)], 0));
      outcome(P.some([P.reject(3), later(P, 'rejected', 4)], 5));
      await quiet();
    });
    assert.deepEqual(events.map((e) => e.reason), []);
  });
});

'use strict';

// Every method with every kind of input and of element.

const assert = require('node:assert/strict');
const { Readable } = require('node:stream');
const vm = require('node:vm');
const { P, Native } = require('./helpers/subject');
const { Bluebird, Sub, deferred, inputs, later, rejection } = require('./helpers/util');
const { checkAggregate, collectionTests, failing, notIterable, unreported } = require('./helpers/collections');

const same = (x) => x;

/** A call whose result `read` makes from the values of the input; `args` follow the input. */
const METHODS = [
  { method: 'all', args: () => [], read: same },
  { method: 'allSettled', args: () => [], read: (values) => values.map((value) => ({ status: 'fulfilled', value })), oursOnly: true, settles: true },
  { method: 'any', args: () => [], read: ([first]) => first, needs: 1 },
  { method: 'race', args: () => [], read: ([first]) => first, needs: 1 },
  { method: 'some', args: () => [2], read: (values) => values.slice(0, 2), needs: 2 },
  { method: 'map', args: () => [(x) => [x]], read: (values) => values.map((x) => [x]) },
  { method: 'map', args: () => [(x) => [x], { concurrency: 1 }], read: (values) => values.map((x) => [x]) },
  { method: 'mapSeries', args: () => [(x) => [x]], read: (values) => values.map((x) => [x]) },
  { method: 'filter', args: () => [() => true], read: same },
  { method: 'reduce', args: () => [(a, x) => [...a, x], []], read: same },
  // What each() itself gives depends on the kind of input.
  { method: 'each', args: (seen) => [(x) => { seen.push(x); }], read: same, collects: true },
];

const title = ({ method, args }) => (args([])[1]?.concurrency ? `${method} with a limit` : method);

/** Calls both forms on inputs of `make()` and compares with `values`. */
async function check(C, entry, make, values) {
  for (const call of [
    (input, args) => C[entry.method](input, ...args),
    (input, args) => C.resolve(input)[entry.method](...args),
  ]) {
    const seen = [];
    const result = await call(make(), entry.args(seen));
    assert.deepEqual(entry.collects ? seen : result, entry.read(values));
  }
}

/** Inputs that give the characters a, b, c; each is made anew. */
function iterables(C) {
  const list = ['a', 'b', 'c'];
  function* generator() { yield* list; }
  const iterator = () => ({ [Symbol.iterator]: generator });
  return {
    'an array': () => [...list],
    'a subclass of Array': () => (class List extends Array {}).from(list),
    'a frozen array': () => Object.freeze([...list]),
    'an array of another realm': () => vm.runInNewContext('["a", "b", "c"]'),
    'a Set': () => new Set(list),
    'the values of a Map': () => new Map(list.map((x, i) => [i, x])).values(),
    'a string': () => 'abc',
    'a String object': () => Object('abc'),
    'a generator': generator,
    'an iterable object': iterator,
    arguments: () => (function () { return arguments; })('a', 'b', 'c'),
    'a fulfilled promise of an array': () => C.resolve([...list]),
    'a pending promise of an array': () => later(C, 'fulfilled', [...list]),
    'a native promise of an array': () => later(Native, 'fulfilled', [...list]),
    'a thenable of an array': () => ({ then(f) { f([...list]); } }),
    'a thenable of an array, later': () => ({ then(f) { setImmediate(f, [...list]); } }),
    'a promise of a Set': () => C.resolve(new Set(list)),
    'a promise of a generator': () => later(C, 'fulfilled', generator()),
    'a promise of a promise': () => later(C, 'fulfilled', later(Native, 'fulfilled', [...list])),
    'an array of promises': () => list.map((x) => C.resolve(x)),
    'a promise of an array of promises': () => C.resolve(list.map((x) => C.resolve(x))),
    'a generator of promises': () => (function* () { for (const x of list) yield C.resolve(x); })(),
  };
}

/** The same as async iterables, which Bluebird refuses. */
function asyncIterables() {
  const list = ['a', 'b', 'c'];
  async function* generator() { yield* list; }
  function raw(make) {
    return {
      [Symbol.asyncIterator]() {
        let i = 0;
        return { next: () => make(i < 3 ? { done: false, value: list[i++] } : { done: true }) };
      },
    };
  }
  return {
    'an async generator': generator,
    'an async iterable object': () => ({ [Symbol.asyncIterator]: generator }),
    'a stream': () => Readable.from(list),
    'a promise of an async generator': () => P.resolve(generator()),
    'a pending promise of an async generator': () => later(P, 'fulfilled', generator()),
    'a native promise of an async generator': () => Native.resolve(generator()),
    'an async iterator that gives our promises': () => raw((step) => P.resolve(step)),
    'an async iterator that gives pending promises': () => raw((step) => later(P, 'fulfilled', step)),
    'an async iterator that gives thenables': () => raw((step) => ({ then(f) { f(step); } })),
    'an async iterator that gives plain objects': () => raw(same),
    'an async generator of promises': async function* () { for (const x of list) yield P.resolve(x); },
    'a promise of a subclass': () => Sub.resolve([...list]),
    'a promise of another library': () => later(Bluebird, 'fulfilled', [...list]),
  };
}

const ES_METHODS = ['all', 'allSettled', 'any', 'race'];

collectionTests('collections: input', (C) => {
  for (const entry of METHODS) {
    if (entry.oursOnly && C !== P) continue;
    describe(title(entry), () => {
      for (const [kind, make] of Object.entries(iterables(C))) {
        it(`takes ${kind}`, () => check(C, entry, make, ['a', 'b', 'c']));
      }

      it('an element of every kind', async () => {
        for (const { kind, make } of inputs('fulfilled')) {
          if (kind === 'function with a then' && C !== P) continue;
          for (const static_ of [true, false]) {
            const after = [];
            const seen = [];
            const value = { kind };
            const list = Array.from({ length: entry.needs ?? 1 }, () => make(value, after));
            const args = entry.args(seen);
            const p = static_ ? C[entry.method](list, ...args) : C.resolve(list)[entry.method](...args);
            after.forEach((f) => f());
            const result = await p;
            assert.deepEqual(entry.collects ? seen : result, entry.read(list.map(() => value)), kind);
          }
        }
      });

      it('a rejected element of every kind', async () => {
        if (entry.settles || entry.method === 'any' || entry.method === 'some') return;
        await unreported(C, async () => {
          for (const { kind, make } of inputs('rejected')) {
            const after = [];
            const reason = { kind };
            const p = C[entry.method]([make(reason, after)], ...entry.args([]));
            after.forEach((f) => f());
            assert.equal(await rejection(p), reason, kind);
          }
        });
      });

      it('a rejected input', async () => {
        await unreported(C, async () => {
          for (const make of [
            (r) => C.reject(r), (r) => later(C, 'rejected', r), (r) => later(Native, 'rejected', r),
            (r) => ({ then(_, f) { f(r); } }),
          ]) {
            assert.equal(await rejection(C[entry.method](make('input'), ...entry.args([]))), 'input');
            assert.equal(await rejection(C.resolve(make('input'))[entry.method](...entry.args([]))), 'input');
          }
        });
      });

      it('what is not iterable', async () => {
        for (const [bad] of notIterable) {
          if (C !== P && bad?.[Symbol.iterator]) continue; // thrown during the call
          for (const start of [
            () => C[entry.method](bad, ...entry.args([])),
            () => C.resolve(bad)[entry.method](...entry.args([])),
            () => C[entry.method](later(C, 'fulfilled', bad), ...entry.args([])),
          ]) {
            assert.ok((await rejection(start())) instanceof TypeError);
          }
        }
      });
    });
  }
}, () => {
  for (const entry of METHODS) {
    describe(title(entry), () => {
      for (const [kind, make] of Object.entries(asyncIterables())) {
        it(`takes ${kind}`, () => check(P, entry, make, ['a', 'b', 'c']));
      }

      it('says what came instead of an iterable', async () => {
        for (const [bad, what] of notIterable) {
          const error = await rejection(P[entry.method](bad, ...entry.args([])));
          assert.ok(error instanceof TypeError);
          assert.match(error.message, what);
          if (bad !== null) assert.doesNotMatch(error.message, /null/i);
        }
      });

      it('an iterator that throws', async () => {
        if (entry.needs) return; // the first values decide
        for (const isAsync of [false, true]) {
          const source = failing(2, 'iterator', isAsync);
          assert.equal(await rejection(P[entry.method](source.iterable, ...entry.args([]))), 'iterator');
          assert.equal(source.returns, 0);
        }
      });

      it('faults of the input reject and are not thrown', async () => {
        const throwing = () => { throw 'fault'; };
        for (const input of [
          // all, allSettled, any, race: a TypeError, as in ES (bad-input.test.js).
          ...(ES_METHODS.includes(entry.method) ? [] : [{ get then() { return throwing(); } }]), { then: throwing },
          { get [Symbol.iterator]() { return throwing(); } }, { [Symbol.iterator]: throwing },
          { get [Symbol.asyncIterator]() { return throwing(); } }, { [Symbol.asyncIterator]: throwing },
          { [Symbol.iterator]: () => ({ get next() { return throwing(); } }) },
          { [Symbol.asyncIterator]: () => ({ next: throwing }) },
          { [Symbol.asyncIterator]: () => ({ next: () => later(P, 'rejected', 'fault') }) },
          { [Symbol.iterator]: () => ({ next: () => ({ get done() { return throwing(); } }) }) },
          { [Symbol.iterator]: () => ({ next: () => ({ get value() { return throwing(); } }) }) },
          { [Symbol.asyncIterator]: () => ({ next: async () => ({ get done() { return throwing(); } }) }) },
        ]) {
          const p = P[entry.method](input, ...entry.args([]));
          assert.ok(p instanceof P);
          assert.equal(await rejection(p), 'fault');
        }
      });

      it('iterators that are none', async () => {
        for (const input of [
          { [Symbol.iterator]: () => 1 }, { [Symbol.iterator]: () => ({}) }, { [Symbol.iterator]: () => ({ next: () => 1 }) },
          { [Symbol.asyncIterator]: 1 }, { [Symbol.asyncIterator]: () => undefined },
          { [Symbol.asyncIterator]: () => ({}) }, { [Symbol.asyncIterator]: () => ({ next: () => 1 }) },
          { [Symbol.asyncIterator]: () => ({ next: async () => undefined }) },
        ]) {
          assert.ok((await rejection(P[entry.method](input, ...entry.args([])))) instanceof TypeError);
        }
      });

      it('a promise of ours comes out', async () => {
        for (const input of [[1, 2], null, later(P, 'fulfilled', [1, 2]), (async function* () { yield 1; yield 2; })()]) {
          const p = P[entry.method](input, ...entry.args([]));
          assert.ok(p instanceof P);
          await p.then(() => {}, () => {});
        }
      });

      it('the iterator an array was given', async () => {
        const a = [1, 2];
        a[Symbol.iterator] = function* () { yield 'a'; yield 'b'; yield 'c'; };
        await check(P, entry, () => a, ['a', 'b', 'c']);
      });
    });
  }

  it('the methods are named, have the arguments, and are not enumerable', () => {
    const names = ['map', 'filter', 'reduce', 'each', 'mapSeries', 'mapValues', 'props', 'allKeyed', 'allSettledKeyed', 'some'];
    for (const name of [...names, 'any', 'race', 'all', 'allSettled']) {
      for (const target of [P, P.prototype]) {
        const descriptor = Object.getOwnPropertyDescriptor(target, name);
        assert.equal(typeof descriptor?.value, 'function', name);
        assert.deepEqual([descriptor.enumerable, descriptor.writable, descriptor.configurable], [false, true, true]);
        assert.equal(descriptor.value.name, name);
        assert.equal('prototype' in descriptor.value, false);
      }
    }
    assert.equal(P.prototype.join, undefined);
    assert.equal(P.prototype.mapIterator, undefined);
    assert.equal(P.reflect, undefined);
  });

  it('the statics need no receiver', async () => {
    const { map, each, reduce, filter, props, join } = P;
    assert.deepEqual(await map([1], same), [1]);
    assert.deepEqual(await each([1], same), [1]);
    assert.deepEqual(await reduce([1, 2], (a, b) => a + b), 3);
    assert.deepEqual(await filter([1, 0], same), [1]);
    assert.deepEqual(await props({ a: 1 }), { a: 1 });
    assert.deepEqual(await join(1, 2), [1, 2]);
  });

  it('promises chain through the methods', async () => {
    const sum = await P.resolve((async function* () { yield* [1, 2, 3, 4, 5]; })())
      .filter((x) => x % 2)
      .map((x) => later(P, 'fulfilled', x * 10))
      .reduce((a, b) => a + b);
    assert.equal(sum, 90);
  });

  it('an any over an async iterable whose values all reject', async () => {
    checkAggregate(await rejection(P.any([later(P, 'rejected', 1), Native.reject(2)])), [1, 2]);
  });

  it('a thenable is called once and its later calls are ignored', async () => {
    let calls = 0;
    const input = {
      then(f, r) {
        calls++;
        f([1]);
        f([2]);
        r('no');
      },
    };
    assert.deepEqual(await P.map(input, same), [1]);
    assert.equal(calls, 1);
  });

  it('an element that settles while the input is read', async () => {
    const d = deferred();
    function* g() {
      yield d.promise;
      d.resolve('early');
      yield 2;
    }
    assert.deepEqual(await P.map(g(), same), ['early', 2]);
  });
});

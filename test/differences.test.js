'use strict';

// Where this library knowingly differs from ES, with our own values. The tests of
// what ES says in these places are left out with the same reasons.

const assert = require('node:assert/strict');
const { P, unlessNative } = require('./helpers/subject');

const ours = unlessNative('ours alone');

describe('differences from ES', () => {
  ours('a proxy counts as the promise that it wraps', async () => {
    const proxy = new Proxy(P.resolve(1), {});
    assert.equal(P.resolve(proxy), proxy);
    assert.equal(await proxy.then((x) => x + 1), 2);
    let settle;
    const late = new Proxy(new P((resolve) => { settle = resolve; }), {});
    const result = P.all([late, late.then((x) => x + 1)]);
    settle(1);
    assert.deepEqual(await result, [1, 2]);
  });

  ours('a promise whose prototype was exchanged is none of ours any more', () => {
    const p = P.resolve(1);
    Object.setPrototypeOf(p, null);
    assert.throws(() => P.prototype.then.call(p), TypeError);
  });

  ours('a species that was put on the class itself is not looked up', () => {
    class Other extends P {}
    const saved = Object.getOwnPropertyDescriptor(P, Symbol.species);
    try {
      Object.defineProperty(P, Symbol.species, { configurable: true, value: Other });
      assert.ok(!(P.resolve(1).then() instanceof Other));
    } finally {
      Object.defineProperty(P, Symbol.species, saved);
    }
  });

  ours('the prototype of new.target is read before the executor is checked', () => {
    function Other() {}
    const bomb = new Proxy(Other, { get() { throw new RangeError('prototype'); } });
    assert.throws(() => Reflect.construct(P, [1], bomb), RangeError);
  });

  ours('combinators take a promise of an iterable, and async iterables', async () => {
    async function* numbers() { yield 1; yield P.resolve(2); }
    assert.deepEqual(await P.all(P.resolve([1, P.resolve(2)])), [1, 2]);
    assert.deepEqual(await P.all({ then(f) { f(new Set([1, 2])); } }), [1, 2]);
    assert.deepEqual(await P.all(numbers()), [1, 2]);
    assert.deepEqual(await P.resolve([1, 2]).all(), [1, 2]);
    assert.equal(await P.race(numbers()), 1);
    assert.equal(await P.any(P.resolve([P.reject(1), 2])), 2);
    assert.deepEqual(await P.allSettled(numbers()), [{ status: 'fulfilled', value: 1 }, { status: 'fulfilled', value: 2 }]);
  });

  ours('following a promise of ours takes fewer jobs', async () => {
    const log = [];
    P.resolve().then(() => P.resolve()).then(() => log.push('followed'));
    P.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3));
    await new Promise(setImmediate);
    assert.deepEqual(log, [1, 'followed', 2, 3]);
  });
});

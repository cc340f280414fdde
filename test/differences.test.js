'use strict';

// Where this library knowingly differs from ES, with our own values. The tests of
// what ES says in these places are left out with the same reasons.

const assert = require('node:assert/strict');
const { types } = require('node:util');
const { P, Native, unlessNative } = require('./helpers/subject');

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

  ours('for Node it is no native promise', () => {
    const p = P.resolve(1);
    assert.equal(types.isPromise(p), false);
    assert.equal(p instanceof Native, false);
    assert.equal(p instanceof P, true);
    assert.equal(P.is(p), true);
    const saved = globalThis.Promise;
    globalThis.Promise = P;
    try {
      assert.equal(p instanceof Promise, true);
    } finally {
      globalThis.Promise = saved;
    }
  });

  ours('its fields are own properties', () => {
    const p = P.resolve(1);
    const fields = new Set(['_s', '_v', '_f', '_r', '_b']);
    assert.ok(Object.keys(p).length > 0);
    for (const q of [p, new P(() => {}), P.reject(1).catch(() => {}), P.bind({})]) {
      assert.deepEqual(Object.keys(q).filter((key) => !fields.has(key)), []);
    }
    assert.equal({ ...p } instanceof P, false);
  });

  ours('JSON shows the state', () => {
    assert.equal(JSON.stringify({ p: P.resolve(1) }), '{"p":{"isFulfilled":true,"isRejected":false,"fulfillmentValue":1}}');
    assert.equal(JSON.stringify(Native.resolve(1)), '{}');
  });

  ours('structuredClone copies the fields', () => {
    const copy = structuredClone(P.resolve('value'));
    assert.deepEqual(Object.keys(copy), Object.keys(P.resolve('value')));
    assert.equal(P.is(copy), false);
    assert.equal(copy.then, undefined);
    assert.throws(() => structuredClone(P.resolve(() => {})), { name: 'DataCloneError' });
    assert.throws(() => structuredClone(Native.resolve(1)), { name: 'DataCloneError' });
  });

  ours('an AggregateError is array-like', async () => {
    const error = await P.any([P.reject('a'), P.reject('b')]).catch((e) => e);
    assert.ok(error instanceof AggregateError);
    assert.deepEqual([error.length, error[0], error[1]], [2, 'a', 'b']);
    assert.deepEqual(Array.from(error), error.errors);
    const native = await Native.any([Native.reject('a')]).catch((e) => e);
    assert.deepEqual([native.length, native[0]], [undefined, undefined]);
  });

  ours('await takes three jobs', async () => {
    const log = [];
    const wait = async (p, name) => {
      await p;
      log.push(name);
    };
    wait(Native.resolve(), 'native');
    wait(P.resolve(), 'ours');
    wait({ then(f) { f(); } }, 'thenable');
    Native.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4));
    await new Native(setImmediate);
    assert.deepEqual(log.filter((x) => x !== 'thenable'), ['native', 1, 2, 'ours', 3, 4]);
    assert.ok(log.indexOf('thenable') < log.indexOf('ours'), log.join());
  });

  ours('following a promise of ours takes fewer jobs', async () => {
    const log = [];
    P.resolve().then(() => P.resolve()).then(() => log.push('followed'));
    P.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3));
    await new Promise(setImmediate);
    assert.deepEqual(log, [1, 'followed', 2, 3]);
  });
});

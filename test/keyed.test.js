'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, inputs, later, macro, rejection } = require('./helpers/util');
const { collectionTests, forms } = require('./helpers/collections');

const fulfilled = (value) => ({ status: 'fulfilled', value });
const rejected = (reason) => ({ status: 'rejected', reason });

/** What both do: how they read the object and make the result. */
function both(method, read) {
  for (const { form, call } of forms(P, method)) {
    describe(form, () => {
      it('own enumerable string and symbol keys, in order', async () => {
        const symbol = Symbol('s');
        const input = { z: later(P, 'fulfilled', 1), [symbol]: P.resolve(2), a: Native.resolve(3), 5: 4 };
        Object.defineProperty(input, 'hidden', { value: 5, enumerable: false });
        Object.defineProperty(input, Symbol('hidden'), { value: 5, enumerable: false });
        Object.setPrototypeOf(input, { inherited: 6 });
        const result = await call(input);
        assert.deepEqual(Reflect.ownKeys(result), ['5', 'z', 'a', symbol]);
        assert.deepEqual(Reflect.ownKeys(result).map((key) => result[key]), [4, 1, 3, 2].map(read));
      });

      it('the result has no prototype, and ordinary properties', async () => {
        const result = await call({ a: 1 });
        assert.equal(Object.getPrototypeOf(result), null);
        assert.deepEqual(Object.getOwnPropertyDescriptor(result, 'a'),
          { value: read(1), writable: true, enumerable: true, configurable: true });
        assert.equal(Object.getPrototypeOf(await call({})), null);
        assert.deepEqual(Reflect.ownKeys(await call({})), []);
      });

      it('__proto__ is a key like others', async () => {
        const result = await call(JSON.parse('{"__proto__": 1}'));
        assert.deepEqual(Reflect.ownKeys(result), ['__proto__']);
        assert.deepEqual(result.__proto__, read(1)); // eslint-disable-line no-proto
      });

      it('reads getters once, at the call', async () => {
        let reads = 0;
        const input = { get a() { return ++reads; } };
        assert.deepEqual((await call(input)).a, read(1));
        assert.equal(reads, 1);
      });

      it('arrays, class instances, null-prototype and frozen objects', async () => {
        class Point { x = P.resolve(1); }
        const bare = Object.assign(Object.create(null), { x: P.resolve(1) });
        for (const input of [new Point(), bare, Object.freeze({ x: P.resolve(1) })]) {
          assert.deepEqual({ ...await call(input) }, { x: read(1) });
        }
        assert.deepEqual({ ...await call(['a']) }, { 0: read('a') });
      });

      it('a promise of the object', async () => {
        assert.deepEqual({ ...await call(later(P, 'fulfilled', { a: P.resolve(1) })) }, { a: read(1) });
        assert.equal(await rejection(call(later(P, 'rejected', 'input'))), 'input');
      });

      it('what is no object', async () => {
        for (const [bad, what] of [[undefined, /undefined/], [null, /null/i], [42, /number|42/i], ['text', /string|text/i], [Symbol('s'), /./]]) {
          const error = await rejection(call(bad));
          assert.ok(error instanceof TypeError);
          assert.match(error.message, what);
        }
      });

      it('getters and traps that throw reject', async () => {
        assert.equal(await rejection(call({ get a() { throw 'getter'; } })), 'getter');
        assert.equal(await rejection(call(new Proxy({}, { ownKeys() { throw 'keys'; } }))), 'keys');
      });
    });
  }

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for a value: ${kind}`, async () => {
      const after = [];
      const value = { kind };
      const p = P[method]({ a: make(value, after), b: 1 });
      after.forEach((f) => f());
      assert.deepEqual({ ...await p }, { a: read(value), b: read(1) });
    });
  }
}

collectionTests('allKeyed', null, () => {
  both('allKeyed', (value) => value);

  for (const { kind, make } of inputs('rejected')) {
    it(`rejects with a value: ${kind}`, async () => {
      const after = [];
      const reason = { kind };
      const p = P.allKeyed({ a: new P(() => {}), [Symbol('s')]: make(reason, after) });
      after.forEach((f) => f());
      assert.equal(await rejection(p), reason);
    });
  }

  it('the first rejection decides', async () => {
    const [a, b] = [deferred(), deferred()];
    const p = P.allKeyed({ a: a.promise, b: b.promise });
    await macro();
    b.reject('b');
    a.reject('a');
    assert.equal(await rejection(p), 'b');
  });
});

collectionTests('allSettledKeyed', null, () => {
  both('allSettledKeyed', fulfilled);

  for (const { kind, make } of inputs('rejected')) {
    it(`has an entry for what is rejected: ${kind}`, async () => {
      const after = [];
      const reason = { kind };
      const p = P.allSettledKeyed({ a: make(reason, after), b: later(P, 'fulfilled', 1) });
      after.forEach((f) => f());
      assert.deepEqual({ ...await p }, { a: rejected(reason), b: fulfilled(1) });
    });
  }

  it('entries are plain objects', async () => {
    const { a, b } = await P.allSettledKeyed({ a: 1, b: P.reject(2) });
    for (const entry of [a, b]) assert.equal(Object.getPrototypeOf(entry), Object.prototype);
    assert.deepEqual([Object.keys(a), Object.keys(b)], [['status', 'value'], ['status', 'reason']]);
  });
});

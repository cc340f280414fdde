'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, inputs, later, macro, rejection } = require('./helpers/util');
const { collectionTests, forms, manual, numbers, quiet, rejectsBadConcurrency, rejectsNoFunction } = require('./helpers/collections');

function own() {
  for (const { form, call } of forms(P, 'mapValues')) {
    describe(form, () => {
      it('an object gives a plain object with the same keys in order', async () => {
        const input = { z: 1, a: P.resolve(2), m: later(Native, 'fulfilled', 3) };
        const result = await call(input, (x) => (x === 1 ? later(P, 'fulfilled', 10) : x * 10));
        assert.deepEqual(Object.entries(result), [['z', 10], ['a', 20], ['m', 30]]);
        assert.equal(Object.getPrototypeOf(result), Object.prototype);
        assert.notEqual(result, input);
        assert.ok(input.a instanceof P);
      });

      it('a Map gives a Map with the same keys in order', async () => {
        const key = {};
        const input = new Map([[key, 1], ['b', P.resolve(2)]]);
        const result = await call(input, (x) => (x === 1 ? later(P, 'fulfilled', 10) : x * 10));
        assert.ok(result instanceof Map);
        assert.deepEqual([...result], [[key, 10], ['b', 20]]);
        assert.equal([...result.keys()][0], key);
        assert.equal(input.get(key), 1);
      });

      it('calls fn with value, key and input, and no receiver', async () => {
        for (const input of [{ a: 1, b: P.resolve(2) }, new Map([['a', 1], ['b', P.resolve(2)]])]) {
          const seen = [];
          await call(input, function (...args) {
            seen.push([this, ...args.slice(0, 2)]);
            assert.equal(args.length, 3);
            assert.equal(args[2], input);
          });
          assert.deepEqual(seen, [[undefined, 1, 'a'], [undefined, 2, 'b']]);
        }
      });

      it('a promise of the input', async () => {
        const input = { a: 1 };
        const result = await call(later(P, 'fulfilled', input), (x, key, i) => i);
        assert.equal(result.a, input);
        assert.equal(await rejection(call(later(P, 'rejected', 'input'), (x) => x)), 'input');
      });

      it('nothing to map', async () => {
        assert.deepEqual(await call({}, assert.fail), {});
        const map = await call(new Map(), assert.fail);
        assert.ok(map instanceof Map);
        assert.equal(map.size, 0);
      });

      it('what is no object', async () => {
        for (const [bad, what] of [[undefined, /undefined/], [null, /null/i], [42, /number|42/i], ['text', /string|text/i], [true, /./]]) {
          const error = await rejection(call(bad, (x) => x));
          assert.ok(error instanceof TypeError);
          assert.match(error.message, what);
        }
      });

      rejectsNoFunction((bad) => call({ a: 1 }, bad), P);
      rejectsBadConcurrency((options) => call({ a: 1 }, (x) => x, options));
    });
  }

  it('own enumerable string keys, __proto__ among them', async () => {
    const input = JSON.parse('{"__proto__": 1, "a": 2}');
    Object.defineProperty(input, 'hidden', { value: 3, enumerable: false });
    input[Symbol('s')] = 4;
    const result = await P.mapValues(input, (x) => -x);
    assert.deepEqual(Reflect.ownKeys(result), ['__proto__', 'a']);
    assert.equal(Object.getOwnPropertyDescriptor(result, '__proto__').value, -1);
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
  });

  it('reads getters once, at the call', async () => {
    let reads = 0;
    const p = P.mapValues({ get a() { return ++reads; } }, (x) => x);
    assert.equal(reads, 1);
    assert.deepEqual(await p, { a: 1 });
    assert.equal(reads, 1);
  });

  it('the input is read at the call', async () => {
    const input = { a: 1, b: 2 };
    const map = new Map([['a', 1], ['b', 2]]);
    const p = P.mapValues(input, (x) => x, { concurrency: 1 });
    const q = P.mapValues(map, (x) => x, { concurrency: 1 });
    input.b = 9;
    map.clear();
    assert.deepEqual(await p, { a: 1, b: 2 });
    assert.deepEqual([...await q], [['a', 1], ['b', 2]]);
  });

  it('runs in parallel, in order, up to the limit', async () => {
    const input = Object.fromEntries(numbers(6).map((i) => [`k${i}`, i]));
    for (const concurrency of [undefined, 1, 2, 4]) {
      const m = manual();
      const p = P.mapValues(input, m.fn, { concurrency });
      for (let i = 0; i < 6; i++) {
        await macro();
        assert.deepEqual(m.calls.map((c) => c.args[1]), Object.keys(input).slice(0, i + (concurrency ?? 6)));
        m.calls[i].resolve(i * i);
      }
      assert.deepEqual(await p, { k0: 0, k1: 1, k2: 4, k3: 9, k4: 16, k5: 25 });
    }
  });

  it('calls nothing during the call itself', async () => {
    let during = true;
    const p = P.mapValues({ a: 1 }, () => during);
    during = false;
    assert.deepEqual(await p, { a: false });
  });

  it('the first rejection ends it', async () => {
    const m = manual();
    const p = P.mapValues({ a: 1, b: 2, c: 3 }, m.fn, { concurrency: 2 });
    await macro();
    m.calls[1].reject('b');
    assert.equal(await rejection(p), 'b');
    m.calls[0].resolve();
    await quiet();
    assert.equal(m.calls.length, 2);
    assert.equal(await rejection(P.mapValues({ a: 1 }, () => { throw 'thrown'; })), 'thrown');
    assert.equal(await rejection(P.mapValues({ a: P.reject('value') }, (x) => x)), 'value');
    assert.equal(await rejection(P.mapValues({ get a() { throw 'getter'; } }, (x) => x)), 'getter');
  });

  it('a pending value takes its place when its turn comes', async () => {
    const d = deferred();
    const seen = [];
    const p = P.mapValues({ a: d.promise, b: 2, c: 3 }, (x, key) => { seen.push(key); }, { concurrency: 2 });
    await quiet();
    assert.deepEqual(seen, ['b', 'c']);
    d.resolve(1);
    await p;
    assert.deepEqual(seen, ['b', 'c', 'a']);
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for a value: ${kind}`, async () => {
      const after = [];
      const value = { kind };
      const p = P.mapValues({ a: make(value, after) }, (x) => [x]);
      after.forEach((f) => f());
      assert.equal((await p).a[0], value);
    });
  }
}

collectionTests('mapValues', null, own);

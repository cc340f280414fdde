'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { P, Native } = require('./helpers/subject');
const { Sub, deferred, inputs, later, macro, outcome, rejection } = require('./helpers/util');
const { collectionTests, numbers, unreported } = require('./helpers/collections');
const { run: runChild } = require('./helpers/child');

const calls = (C) => [
  { form: 'static', call: (input) => C.props(input) },
  { form: 'prototype', call: (input) => C.resolve(input).props() },
];

function shared(C) {
  for (const { form, call } of calls(C)) {
    describe(form, () => {
      it('waits for the values of an object', async () => {
        const result = await call({ a: 1, b: C.resolve(2), c: later(C, 'fulfilled', 3), d: later(Native, 'fulfilled', 4) });
        assert.deepEqual(result, { a: 1, b: 2, c: 3, d: 4 });
      });

      it('keeps the keys in order', async () => {
        const result = await call({ z: later(C, 'fulfilled', 1), a: 2, 10: 3, 2: later(C, 'fulfilled', 4) });
        assert.deepEqual(Object.keys(result), ['2', '10', 'z', 'a']);
      });

      it('takes own enumerable string keys', async () => {
        const input = Object.create({ inherited: 1 }, {
          hidden: { value: 2, enumerable: false }, seen: { value: C.resolve(3), enumerable: true },
        });
        input[Symbol('s')] = 4;
        const result = await call(input);
        assert.deepEqual(Reflect.ownKeys(result), ['seen']);
        assert.equal(result.seen, 3);
      });

      it('reads getters once', async () => {
        let reads = 0;
        assert.deepEqual(await call({ get a() { return C.resolve(++reads); }, b: 2 }), { a: 1, b: 2 });
        assert.equal(reads, 1);
      });

      it('class instances, null-prototype and frozen objects, arrays, functions', async () => {
        class Point {
          constructor() {
            this.x = C.resolve(1);
            this.y = 2;
          }
        }
        const bare = Object.assign(Object.create(null), { x: C.resolve(1), y: 2 });
        const frozen = Object.freeze({ x: C.resolve(1), y: 2 });
        const callable = Object.assign(() => {}, { x: 1, y: C.resolve(2) });
        for (const input of [new Point(), bare, frozen, callable]) {
          const result = await call(input);
          assert.equal(Object.getPrototypeOf(result), Object.prototype);
          assert.deepEqual(result, { x: 1, y: 2 });
          assert.notEqual(result, input);
        }
        assert.deepEqual(await call([C.resolve('a'), 'b']), { 0: 'a', 1: 'b' });
      });

      it('leaves the input as it was', async () => {
        const p = C.resolve(1);
        const input = { p, q: 2 };
        await call(input);
        assert.deepEqual(Object.entries(input), [['p', p], ['q', 2]]);
        const map = new Map([['p', p]]);
        await call(map);
        assert.equal(map.get('p'), p);
      });

      it('an empty object', async () => {
        assert.deepEqual(await call({}), {});
      });

      it('a Map gives a Map with the same keys in order', async () => {
        const key = {};
        const input = new Map([[key, later(C, 'fulfilled', 1)], ['z', 2], [NaN, C.resolve(3)], ['a', later(Native, 'fulfilled', 4)]]);
        const result = await call(input);
        assert.ok(result instanceof Map);
        assert.notEqual(result, input);
        assert.deepEqual([...result], [[key, 1], ['z', 2], [NaN, 3], ['a', 4]]);
        assert.equal([...result.keys()][0], key);
      });

      it('a promise of an object or of a Map', async () => {
        assert.deepEqual(await call(later(C, 'fulfilled', { a: C.resolve(1) })), { a: 1 });
        assert.deepEqual(await call({ then(f) { f({ a: C.resolve(1) }); } }), { a: 1 });
        assert.deepEqual([...await call(later(C, 'fulfilled', new Map([['k', C.resolve(1)]])))], [['k', 1]]);
        assert.equal(await rejection(call(later(C, 'rejected', 'input'))), 'input');
      });

      it('what is no object', async () => {
        for (const bad of [undefined, null, 1, 'text', true, Symbol('s'), 1n]) {
          assert.ok((await rejection(call(bad))) instanceof TypeError);
          assert.ok((await rejection(call(later(C, 'fulfilled', bad)))) instanceof TypeError);
        }
      });

      it('the first rejection rejects at once', async () => {
        await unreported(C, async () => {
          const [a, b] = [deferred(C), deferred(C)];
          const p = call({ a: a.promise, x: new C(() => {}), b: b.promise });
          await macro();
          b.reject('b');
          a.reject('a');
          assert.equal(await rejection(p), 'b');
          assert.equal(await rejection(call(new Map([[1, new C(() => {})], [2, C.reject('map')]]))), 'map');
        });
      });
    });
  }

  it('1,000 keys, settled in a scattered order', async () => {
    const ds = numbers(1000).map(() => deferred(C));
    const p = C.props(Object.fromEntries(ds.map((d, i) => [`k${i}`, d.promise])));
    for (let i = 0; i < 1000; i++) ds[(i * 619) % 1000].resolve((i * 619) % 1000);
    const result = await p;
    assert.deepEqual(Object.entries(result), numbers(1000).map((i) => [`k${i}`, i]));
  });
}

function own() {
  it('an empty Map gives an empty Map', async () => {
    for (const input of [new Map(), P.resolve(new Map())]) {
      const result = await P.props(input);
      assert.ok(result instanceof Map);
      assert.equal(result.size, 0);
    }
  });

  it('__proto__ is a key like others', async () => {
    const input = JSON.parse('{"__proto__": {"polluted": 1}, "a": 2}');
    const result = await P.props(input);
    assert.deepEqual(Object.keys(result), ['__proto__', 'a']);
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(result, '__proto__'),
      { value: { polluted: 1 }, writable: true, enumerable: true, configurable: true });
    assert.equal(result.polluted, undefined);
    const empty = Object.defineProperty({}, '__proto__', { value: null, enumerable: true });
    assert.equal(Object.getPrototypeOf(await P.props(empty)), Object.prototype);
  });

  it('keys that Object.prototype has frozen', async () => {
    const r = await runChild(`
      Object.freeze(Object.prototype);
      P.props({ toString: 1, a: P.resolve(2) })
        .then((result) => console.log(Object.values(result).join()), (e) => console.log(e.message));`);
    assert.equal(r.stdout, '1,2\n');
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for a value: ${kind}`, async () => {
      for (const wrap of [(v) => ({ a: 1, b: v }), (v) => new Map([['a', 1], ['b', v]])]) {
        const after = [];
        const value = { kind };
        const p = P.props(wrap(make(value, after)));
        after.forEach((f) => f());
        const result = await p;
        assert.equal(result instanceof Map ? result.get('b') : result.b, value);
      }
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`rejects with a value: ${kind}`, async () => {
      const after = [];
      const reason = { kind };
      const p = P.props({ a: new P(() => {}), b: make(reason, after) });
      after.forEach((f) => f());
      assert.equal(await rejection(p), reason);
    });
  }

  it('says what came', async () => {
    for (const [bad, what] of [[undefined, /undefined/], [null, /null/i], [42, /number|42/i], ['text', /string|text/i]]) {
      assert.match((await rejection(P.props(bad))).message, what);
    }
  });

  it('getters and traps that throw reject', async () => {
    assert.equal(await rejection(P.props({ get a() { throw 'getter'; } })), 'getter');
    assert.equal(await rejection(P.props(new Proxy({}, { ownKeys() { throw 'keys'; } }))), 'keys');
    assert.equal(await rejection(P.props({ get then() { throw 'then'; } })), 'then');
    assert.equal(await rejection(P.props({ a: { get then() { throw 'element'; } } })), 'element');
  });

  it('a key that goes away or comes while the getters run', async () => {
    const input = { get a() { delete input.b; input.d = 4; return 1; }, b: 2, c: 3 };
    const result = await P.props(input);
    assert.equal(result.a, 1);
    assert.equal(result.c, 3);
    assert.equal('d' in result, false);
  });

  it('objects and Maps are read at the call', async () => {
    const input = { a: 1, b: later(P, 'fulfilled', 2) };
    const map = new Map(Object.entries(input));
    const [p, q] = [P.props(input), P.props(map)];
    input.a = 9;
    delete input.b;
    map.clear();
    assert.deepEqual(await p, { a: 1, b: 2 });
    assert.deepEqual([...await q], [['a', 1], ['b', 2]]);
  });

  it('a Map and an object of another realm', async () => {
    const map = await P.props(vm.runInNewContext('new Map([["k", Promise.resolve(1)]])'));
    assert.equal(map.get('k'), 1);
    assert.deepEqual(await P.props(vm.runInNewContext('({ a: Promise.resolve(1) })')), { a: 1 });
  });

  it('values that are arrays, objects and Maps are left alone', async () => {
    const values = { list: [P.resolve(1)], inner: { p: P.resolve(2) } };
    const result = await P.props(values);
    assert.equal(result.list, values.list);
    assert.equal(result.inner, values.inner);
  });

  it('the same promise under several keys', async () => {
    const d = deferred();
    const p = P.props({ a: d.promise, b: d.promise });
    d.resolve(1);
    assert.deepEqual(await p, { a: 1, b: 1 });
  });

  it('a subclass whose promises are values', async () => {
    assert.deepEqual(await P.props({ a: Sub.resolve(1), b: later(Sub, 'fulfilled', 2) }), { a: 1, b: 2 });
  });

  it('is never settled during the call', async () => {
    let settled = false;
    const p = P.props({ a: 1 });
    const o = outcome(p).then(() => { settled = true; });
    assert.equal(settled, false);
    await o;
  });
}

collectionTests('props', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { P, Native, unlessNative } = require('./helpers/subject');
const { Sub, deferred, inputs, later, macro, outcome, rejection, rejectionEvents } =
  require('./helpers/util');
const { inputTests } = require('./helpers/combinator');

describe('all', () => {
  inputTests('all', (values) => values, async (p) => assert.deepEqual(await p, []));

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for what is fulfilled: ${kind}`, async () => {
      const value = { kind };
      for (const others of [[], [1], [P.resolve(1)], [later(P, 'fulfilled', 1)]]) {
        const after = [];
        const p = P.all([...others, make(value, after), ...others]);
        after.forEach((f) => f());
        const list = await p;
        assert.equal(list.length, 2 * others.length + 1);
        assert.equal(list[others.length], value);
        list.forEach((x, i) => assert.ok(i === others.length || x === 1));
      }
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`rejects with what is rejected: ${kind}`, async () => {
      const reason = { kind };
      for (const others of [[], [1], [P.resolve(1)], [new P(() => {})]]) {
        const after = [];
        const p = P.all([...others, make(reason, after), ...others]);
        after.forEach((f) => f());
        assert.equal(await rejection(p), reason);
      }
    });
  }

  it('keeps the order of the input whatever the order of settling', async () => {
    const ds = Array.from({ length: 50 }, () => deferred());
    const p = P.all(ds.map((d) => d.promise));
    for (let i = 0; i < 50; i++) {
      ds[(i * 17) % 50].resolve((i * 17) % 50);
      if (i % 7 === 0) await macro();
    }
    assert.deepEqual(await p, ds.map((_, i) => i));
  });

  it('the first rejection decides, in settling order', async () => {
    const a = deferred();
    const b = deferred();
    const p = P.all([a.promise, 1, b.promise]);
    b.reject('b');
    a.reject('a');
    assert.equal(await rejection(p), 'b');
    assert.equal(await rejection(P.all([P.reject(1), P.reject(2)])), 1);
  });

  it('stays pending while one input is', async () => {
    let settled = false;
    P.all([1, new P(() => {}), P.resolve(2)]).then(() => { settled = true; });
    await macro();
    assert.equal(settled, false);
  });

  it('gives a fresh plain array each time', async () => {
    const input = [1, 2];
    const [a, b] = [await P.all(input), await P.all(input)];
    assert.notEqual(a, b);
    assert.notEqual(a, input);
    assert.ok(Array.isArray(a));
    assert.equal(Object.getPrototypeOf(a), Array.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(a, 0),
      { value: 1, writable: true, enumerable: true, configurable: true });
    class List extends Array {}
    assert.equal(Object.getPrototypeOf(await P.all(List.of(1))), Array.prototype);
  });

  it('an input may be in several combinators and have handlers besides', async () => {
    const d = deferred();
    const log = [];
    d.promise.then(() => log.push(1));
    const first = P.all([d.promise]).then(() => log.push('all'));
    const second = P.all([P.all([d.promise]), d.promise]);
    d.promise.then(() => log.push(2));
    d.resolve('v');
    assert.deepEqual(await second, [['v'], 'v']);
    await first;
    assert.deepEqual(log, [1, 2, 'all']);
  });

  it('the result of an all may be an input of the next, 1,000 deep', async () => {
    let p = P.all([1]);
    for (let i = 0; i < 1000; i++) p = P.all([p]);
    let v = await p;
    for (let i = 0; i <= 1000; i++) [v] = v;
    assert.equal(v, 1);
  });

  it('values that are themselves arrays, functions, null', async () => {
    const f = () => {};
    const [a, b, c, d] = await P.all([[P.resolve(1)], f, null, P.resolve(undefined)]);
    assert.ok(a[0] instanceof P);
    assert.deepEqual([b, c, d], [f, null, undefined]);
  });

  it('a thenable that calls its callback twice counts once', async () => {
    const twice = { then(f) { f('x'); f('y'); } };
    const d = deferred();
    let done = false;
    const p = P.all([twice, d.promise]);
    p.then(() => { done = true; });
    await macro();
    assert.equal(done, false);
    d.resolve('z');
    assert.deepEqual(await p, ['x', 'z']);
  });

  it('a subclass whose then calls the element function twice counts once', async () => {
    class Twice extends P {
      then(f, r) {
        return super.then((v) => { f(v); f('again'); }, r);
      }
    }
    const d = deferred();
    let done = false;
    const p = P.all([Twice.resolve('x'), d.promise]);
    p.then(() => { done = true; });
    await macro();
    assert.equal(done, false);
    d.resolve('z');
    assert.deepEqual(await p, ['x', 'z']);
  });

  it('an input whose then settles at once', async () => {
    const p = P.resolve('ignored');
    p.then = (f) => { f('at once'); };
    assert.deepEqual(await P.all([p, 2]), ['at once', 2]);
    assert.deepEqual(await P.all([1, p]), [1, 'at once']);
  });

  it('marks its inputs as handled', async () => {
    const events = await rejectionEvents(async () => {
      const late = deferred();
      const p = P.all([P.reject(1), P.reject(2), late.promise, Sub.reject(3)]);
      assert.equal(await rejection(p), 1);
      await macro();
      late.reject(4);
      await macro();
    });
    assert.deepEqual(events, []);
  });

  it('a pending input that rejects long after the decision changes nothing', async () => {
    const d = deferred();
    const p = P.all([d.promise, P.reject('first')]);
    assert.equal(await rejection(p), 'first');
    d.resolve('late');
    await macro();
    assert.equal(await rejection(p), 'first');
  });

  it('a mix of every kind of input, in order', async () => {
    const after = [];
    const list = inputs('fulfilled');
    const p = P.all(list.map(({ make }, i) => make(i, after)));
    after.forEach((f) => f());
    assert.deepEqual(await p, list.map((_, i) => i));
  });

  it('inputs that settle while the iterator is still being read', async () => {
    const d = deferred();
    function* g() {
      yield d.promise;
      d.resolve('early');
      yield 2;
    }
    assert.deepEqual(await P.all(g()), ['early', 2]);
  });

  it('a combinator called from the iterator of another', async () => {
    let inner;
    function* g() {
      yield P.resolve(1);
      inner = P.all([P.resolve('i'), 'j']);
      yield inner;
    }
    assert.deepEqual(await P.all(g()), [1, ['i', 'j']]);
    assert.deepEqual(await inner, ['i', 'j']);
  });

  it('100,000 pending promises settled in a scattered order', async () => {
    const n = 100000;
    const rs = [];
    const p = P.all(Array.from({ length: n }, () => new P((r) => rs.push(r))));
    for (let i = 0; i < n; i++) rs[(i * 7919) % n]((i * 7919) % n);
    const list = await p;
    assert.equal(list.length, n);
    assert.ok(list.every((x, i) => x === i));
  });

  unlessNative('V8 refuses 2^21 elements or more')('3,000,000 inputs', async () => {
    const n = 3e6;
    const a = new Array(n).fill(1);
    a[0] = P.resolve(0);
    a[n - 1] = P.resolve(2);
    const list = await P.all(a);
    assert.equal(list.length, n);
    assert.deepEqual([list[0], list[1], list[n - 1]], [0, 1, 2]);
  }).slow(Infinity);

  unlessNative('V8 refuses 2^21 elements or more')('3,000,000 pending inputs', async () => {
    const n = 3e6;
    const rs = new Array(n);
    let i = 0;
    const executor = (r) => { rs[i] = r; };
    const a = new Array(n);
    for (; i < n; i++) a[i] = new P(executor);
    const p = P.all(a);
    for (let k = 0; k < n; k++) rs[k](k);
    const list = await p;
    assert.equal(list.length, n);
    assert.ok(list.every((x, k) => x === k));
  }).slow(Infinity);

  it('agrees with native promises on random inputs', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const build = (C) => {
        const after = [];
        const list = [];
        for (let i = 0; i < seed % 13; i++) {
          const k = (seed * 31 + i * 17) % 7;
          if (k === 0) list.push(i);
          else if (k < 3) list.push(C.resolve(i));
          else if (k === 3 && seed % 2) list.push(C.reject(i));
          else list.push(new C((f, r) => after.unshift(() => (k === 4 && seed % 3 ? r(i) : f(i)))));
        }
        const o = outcome(C.all(list));
        after.forEach((f) => f());
        return o;
      };
      assert.deepEqual(await build(P), await build(Native), `seed ${seed}`);
    }
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, isNative, Native, unlessOurs } = require('./helpers/subject');
const { Bluebird, Sub, deferred, inputs, macro, outcome, rejection } = require('./helpers/util');

describe('resolve', () => {
  it('gives back a promise of the class itself', () => {
    for (const p of [P.resolve(1), new P(() => {}), P.resolve().then()]) {
      assert.equal(P.resolve(p), p);
    }
    const r = P.reject(1);
    assert.equal(P.resolve(r), r);
    r.catch(() => {});
  });

  it('makes a new promise of a promise of another class', async () => {
    const sub = Sub.resolve(1);
    assert.notEqual(P.resolve(sub), sub);
    assert.equal(Sub.resolve(sub), sub);
    assert.ok(!(P.resolve(sub) instanceof Sub));
    const plain = P.resolve(2);
    const converted = Sub.resolve(plain);
    assert.ok(converted instanceof Sub);
    assert.equal(await converted, 2);
    for (const foreign of [Bluebird.resolve(3), ...(isNative ? [] : [Native.resolve(3)])]) {
      const p = P.resolve(foreign);
      assert.ok(p instanceof P && p !== foreign);
      assert.equal(await p, 3);
    }
  });

  it('without argument resolves to undefined', async () => {
    assert.deepEqual(await outcome(P.resolve()), { status: 'fulfilled', value: undefined });
  });

  it('looks at the constructor of a promise, not at its prototype', async () => {
    const p = P.resolve(1);
    p.constructor = Sub;
    assert.notEqual(P.resolve(p), p);
    assert.equal(Sub.resolve(p), p);
    const q = P.resolve(1);
    Object.setPrototypeOf(q, null);
    assert.notEqual(P.resolve(q), q);
    assert.ok((await P.resolve(q)) === q, 'without a then it is a plain value');
    const thrower = P.resolve(1);
    Object.defineProperty(thrower, 'constructor', { get() { throw new RangeError('c'); } });
    assert.throws(() => P.resolve(thrower), RangeError);
  });

  it('takes a false instance for a thenable', async () => {
    const fake = Object.create(P.prototype);
    const p = P.resolve(fake);
    assert.notEqual(p, fake);
    assert.ok((await rejection(p)) instanceof TypeError);
    const own = Object.create(P.prototype, { then: { value: (f) => f('own') } });
    assert.equal(await P.resolve(own), 'own');
  });

  unlessOurs('a proxy is not told from what it wraps')('a proxy of a promise is a thenable', async () => {
    const target = P.resolve(1);
    const bound = new Proxy(target, { get: (t, k) => (k === 'then' ? t.then.bind(t) : t[k]) });
    const p = P.resolve(bound);
    assert.notEqual(p, bound);
    assert.equal(await p, 1);
    assert.ok((await rejection(P.resolve(new Proxy(target, {})))) instanceof TypeError);
  });

  it('is a TypeError on a receiver that is no constructor', () => {
    for (const receiver of [0, 'x', {}, () => {}, Symbol()]) {
      assert.throws(() => P.resolve.call(receiver, 1), TypeError);
    }
  });

  it('uses any constructor that fits', async () => {
    function Fits(executor) {
      executor((v) => { this.got = ['resolve', v]; }, (r) => { this.got = ['reject', r]; });
    }
    assert.deepEqual(P.resolve.call(Fits, 1).got, ['resolve', 1]);
    assert.deepEqual(P.reject.call(Fits, 2).got, ['reject', 2]);
  });

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      it(`adopts what is ${how}: ${kind}`, async () => {
        const value = { v: how };
        for (const C of [P, Sub]) {
          const after = [];
          const p = C.resolve(make(value, after));
          assert.ok(p instanceof C);
          after.forEach((f) => f());
          const o = await outcome(p);
          assert.equal(o.status, how);
          assert.ok((o.value || o.reason) === value);
        }
      });

      it(`the resolver of a promise adopts what is ${how}: ${kind}`, async () => {
        const value = { v: how };
        const after = [];
        const d = deferred();
        const seen = outcome(d.promise);
        d.resolve(make(value, after));
        d.resolve('too late');
        d.reject('too late');
        after.forEach((f) => f());
        const o = await seen;
        assert.equal(o.status, how);
        assert.ok((o.value || o.reason) === value);
      });
    }
  }

  it('a promise resolved with itself is rejected with a TypeError', async () => {
    const d = deferred();
    d.resolve(d.promise);
    assert.ok((await rejection(d.promise)) instanceof TypeError);
  });

  it('promises that wait for one another stay pending and harm nobody', async () => {
    const a = deferred();
    const b = deferred();
    let settled = 0;
    a.promise.then(() => settled++, () => settled++);
    a.resolve(b.promise);
    b.resolve(a.promise);
    await macro();
    assert.equal(settled, 0);
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
  });

  it('an adoption chain 100,000 deep settles without recursion', async () => {
    for (const how of ['resolve', 'reject']) {
      const first = deferred();
      let p = first.promise;
      for (let i = 0; i < 100000; i++) {
        const inner = p;
        p = new P((r) => r(inner));
      }
      first[how]('deep');
      const o = await outcome(p);
      assert.equal(how === 'resolve' ? o.value : o.reason, 'deep');
    }
  }).slow(Infinity);

  it('an adoption chain 100,000 deep, made from the outside in', async () => {
    const ds = Array.from({ length: 100000 }, () => deferred());
    for (let i = 0; i + 1 < ds.length; i++) ds[i].resolve(ds[i + 1].promise);
    ds[ds.length - 1].resolve('deep');
    assert.equal(await ds[0].promise, 'deep');
  }).slow(Infinity);

  it('handlers returning promises of handlers returning promises, 10,000 deep', async () => {
    const dive = (n) => P.resolve().then(() => (n === 0 ? 'bottom' : dive(n - 1)));
    assert.equal(await dive(10000), 'bottom');
  });

  it('many promises adopt the same one', async () => {
    const d = deferred();
    const followers = Array.from({ length: 1000 }, () => new P((r) => r(d.promise)));
    const order = [];
    followers.forEach((p, i) => p.then((v) => order.push([i, v])));
    d.resolve('one');
    await macro();
    assert.deepEqual(order, followers.map((_, i) => [i, 'one']));
  });

  it('handlers attached before and after the adoption keep their order', async () => {
    const inner = deferred();
    const outer = deferred();
    const log = [];
    outer.promise.then(() => log.push(1));
    outer.promise.then(() => log.push(2));
    outer.resolve(inner.promise);
    outer.promise.then(() => log.push(3));
    await macro();
    outer.promise.then(() => log.push(4));
    inner.resolve();
    outer.promise.then(() => log.push(5));
    await macro();
    assert.deepEqual(log, [1, 2, 3, 4, 5]);
  });
});

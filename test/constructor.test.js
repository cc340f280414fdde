'use strict';

const assert = require('node:assert/strict');
const { P, unlessOurs } = require('./helpers/subject');
const { Sub, deferred, macro, outcome, rejection } = require('./helpers/util');

describe('constructor', () => {
  it('calls the executor once, at once, with two functions and no receiver', () => {
    const calls = [];
    const p = new P(function (...args) { calls.push([this, args]); });
    assert.equal(calls.length, 1);
    const [[receiver, args]] = calls;
    assert.equal(receiver, undefined);
    assert.equal(args.length, 2);
    for (const f of args) {
      assert.equal(typeof f, 'function');
      assert.equal(f.length, 1);
      assert.equal(f.name, '');
      assert.equal(f(), undefined);
      assert.throws(() => new f(), TypeError);
      assert.ok(!Object.hasOwn(f, 'prototype'));
    }
    assert.notEqual(args[0], args[1]);
    assert.ok(p instanceof P);
    assert.equal(Object.getPrototypeOf(p), P.prototype);
  });

  it('needs new', () => {
    assert.throws(() => P(() => {}), TypeError);
    assert.throws(() => P.call(new P(() => {}), () => {}), TypeError);
    assert.throws(() => P.call({}, () => {}), TypeError);
  });

  it('needs a callable', () => {
    for (const bad of [undefined, null, 0, 'x', {}, [], Symbol(), /x/, P.resolve(1)]) {
      assert.throws(() => new P(bad), TypeError);
      assert.throws(() => new Sub(bad), TypeError);
    }
    assert.throws(() => new P(), TypeError);
  });

  it('takes any callable', async () => {
    assert.equal(await new P(((v, f) => f(v)).bind(null, 1)), 1);
    assert.equal(await new P(new Proxy((f) => f(2), {})), 2);
    assert.equal(await new P(async (f) => f(3)), 3);
    assert.equal(typeof await new P(setImmediate), 'function');
  });

  it('an executor that throws rejects, once settled it is too late', async () => {
    const e = new Error('e');
    assert.equal(await rejection(new P(() => { throw e; })), e);
    assert.equal(await new P((f) => { f(1); throw e; }), 1);
    assert.equal(await rejection(new P((f, r) => { r(2); throw e; })), 2);
    assert.equal(await new P((f) => { f(P.resolve(3)); throw e; }), 3);
    const reason = { then() {} };
    assert.equal((await outcome(new P(() => { throw reason; }))).reason, reason);
  });

  it('what the executor returns does not matter', async () => {
    assert.equal(await new P((f) => { f(1); return P.reject(2).catch(() => {}); }), 1);
    let settled = false;
    const note = () => { settled = true; };
    new P(() => 1).then(note, note);
    await macro();
    assert.equal(settled, false);
  });

  it('only the first call of a resolver counts', async () => {
    for (const first of ['resolve', 'reject']) {
      for (const second of ['resolve', 'reject']) {
        const d = deferred();
        d[first](1);
        d[second](2);
        const o = await outcome(d.promise);
        d[second](3);
        await macro();
        assert.deepEqual(await outcome(d.promise), o);
        assert.equal(first === 'resolve' ? o.value : o.reason, 1);
      }
    }
  });

  it('resolved with something pending, later calls do not count', async () => {
    const inner = deferred();
    const d = deferred();
    d.resolve(inner.promise);
    d.reject('no');
    d.resolve('no');
    inner.resolve('yes');
    assert.equal(await d.promise, 'yes');
  });

  it('resolvers work without receiver, in any order, at any time', async () => {
    const resolvers = [];
    const ps = Array.from({ length: 100 }, () => new P((f, r) => resolvers.push([f, r])));
    const seen = Promise.all(ps.map(outcome));
    for (let i = 99; i >= 0; i--) {
      const [f, r] = resolvers[i];
      (i % 2 ? f : r)(i);
      if (i % 10 === 0) await macro();
    }
    (await seen).forEach((o, i) => assert.equal(i % 2 ? o.value : o.reason, i));
  });

  it('a rejector takes promises and thenables as reason, as they are', async () => {
    const p = P.resolve(1);
    const d = deferred();
    d.reject(p);
    assert.equal((await outcome(d.promise)).reason, p);
  });

  it('executors may nest', async () => {
    const dive = (n) => new P((f) => f(n === 0 ? 'bottom' : dive(n - 1)));
    assert.equal(await dive(500), 'bottom');
  });

  it('takes its prototype from new.target', async () => {
    function Other() {}
    Other.prototype = Object.create(P.prototype);
    const p = Reflect.construct(P, [(f) => f(1)], Other);
    assert.ok(p instanceof Other);
    assert.equal(await p.then((x) => x + 1), 2);
    function NoProto() {}
    NoProto.prototype = 1;
    const q = Reflect.construct(P, [() => {}], NoProto);
    assert.equal(Object.getPrototypeOf(q), P.prototype);
  });

  unlessOurs('a class reads it first')('reads the prototype of new.target after it has checked the executor', () => {
    function Other() {}
    const bomb = new Proxy(Other, { get() { throw new RangeError('prototype'); } });
    assert.throws(() => Reflect.construct(P, [1], bomb), TypeError);
    assert.throws(() => Reflect.construct(P, [() => assert.fail('called')], bomb), RangeError);
  });
});

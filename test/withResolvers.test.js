'use strict';

const assert = require('node:assert/strict');
const { P, withMethod, unlessNative } = require('./helpers/subject');
const { Sub, inputs, outcome, rejection } = require('./helpers/util');

const test = withMethod('withResolvers');

describe('withResolvers', () => {
  test('gives a plain object with three own properties', () => {
    const d = P.withResolvers();
    assert.deepEqual(Object.keys(d), ['promise', 'resolve', 'reject']);
    assert.equal(Object.getPrototypeOf(d), Object.prototype);
    for (const k of Object.keys(d)) {
      const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(d, k);
      assert.deepEqual([writable, enumerable, configurable], [true, true, true]);
    }
    assert.ok(d.promise instanceof P);
    assert.deepEqual([d.resolve.name, d.reject.name, d.resolve.length, d.reject.length],
      ['', '', 1, 1]);
  });

  test('the functions settle the promise, the first call counts', async () => {
    const a = P.withResolvers();
    const { resolve } = a;
    resolve(1);
    a.reject(2);
    assert.equal(await a.promise, 1);
    const b = P.withResolvers();
    b.reject(2);
    b.resolve(1);
    assert.equal(await rejection(b.promise), 2);
  });

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      test(`resolve adopts what is ${how}: ${kind}`, async () => {
        const value = { kind };
        const after = [];
        const d = P.withResolvers();
        d.resolve(make(value, after));
        after.forEach((f) => f());
        const o = await outcome(d.promise);
        assert.equal(o.status, how);
        assert.equal(how === 'fulfilled' ? o.value : o.reason, value);
      });
    }
  }

  test('with itself is a TypeError', async () => {
    const d = P.withResolvers();
    d.resolve(d.promise);
    assert.ok((await rejection(d.promise)) instanceof TypeError);
  });

  test('makes promises of the subclass', async () => {
    const d = Sub.withResolvers();
    assert.ok(d.promise instanceof Sub);
    d.resolve(1);
    assert.equal(await d.promise, 1);
  });

  test('uses any constructor that fits, others are a TypeError', () => {
    const f = () => {};
    const g = () => {};
    function Fits(executor) { executor(f, g); }
    const d = P.withResolvers.call(Fits);
    assert.ok(d.promise instanceof Fits);
    assert.equal(d.resolve, f);
    assert.equal(d.reject, g);
    for (const receiver of [0, 'x', {}, () => {}, Date]) {
      assert.throws(() => P.withResolvers.call(receiver), TypeError);
    }
  });

  unlessNative('statics need a receiver')('works without receiver', async () => {
    const { withResolvers } = P;
    const d = withResolvers();
    d.resolve(1);
    assert.ok(d.promise instanceof P);
    assert.equal(await d.promise, 1);
  });
});

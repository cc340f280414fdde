'use strict';

const assert = require('node:assert/strict');
const { P, withMethod, unlessNative } = require('./helpers/subject');
const { Sub, inputs, outcome, rejection } = require('./helpers/util');

const test = withMethod('try');

describe('try', () => {
  test('calls the function at once, with the arguments and no receiver', async () => {
    const calls = [];
    const p = P.try(function (...args) { calls.push([this, args]); return 7; }, 1, 2, 3);
    assert.deepEqual(calls, [[undefined, [1, 2, 3]]]);
    assert.ok(p instanceof P);
    assert.equal(await p, 7);
    assert.equal(await P.try((...args) => args.length), 0);
  });

  test('what it throws is the reason', async () => {
    for (const reason of [new Error('e'), undefined, null, { then() {} }]) {
      const o = await outcome(P.try(() => { throw reason; }));
      assert.deepEqual(o, { status: 'rejected', reason });
      assert.equal(o.reason, reason);
    }
  });

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      test(`adopts what is ${how}: ${kind}`, async () => {
        const value = { kind };
        const after = [];
        const p = P.try(() => make(value, after));
        after.forEach((f) => f());
        const o = await outcome(p);
        assert.equal(o.status, how);
        assert.equal(how === 'fulfilled' ? o.value : o.reason, value);
      });
    }
  }

  test('gives a new promise also for a promise of the class', async () => {
    const p = P.resolve(1);
    const q = P.try(() => p);
    assert.notEqual(q, p);
    assert.equal(await q, 1);
  });

  test('what is no function rejects with a TypeError', async () => {
    for (const bad of [undefined, null, 0, 'x', {}, Symbol()]) {
      assert.ok((await rejection(P.try(bad))) instanceof TypeError);
    }
    assert.ok((await rejection(P.try())) instanceof TypeError);
  });

  test('makes promises of the subclass; other receivers are a TypeError', async () => {
    assert.ok(Sub.try(() => 1) instanceof Sub);
    for (const receiver of [0, 'x', {}, () => {}, Date]) {
      assert.throws(() => P.try.call(receiver, () => 1), TypeError);
    }
  });

  unlessNative('statics need a receiver')('works without receiver', async () => {
    const f = P.try;
    const p = f((x) => x, 5);
    assert.ok(p instanceof P);
    assert.equal(await p, 5);
  });
});

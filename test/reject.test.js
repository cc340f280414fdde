'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, outcome, rejection } = require('./helpers/util');

describe('reject', () => {
  it('rejects with any reason as it is', async () => {
    const thenable = { then(f) { f('adopted'); } };
    for (const reason of [undefined, null, 0, NaN, '', Symbol('s'), {}, () => {}, new Error('e'),
      Object.freeze({}), thenable, P.resolve(1), Promise.resolve(1)]) {
      const p = P.reject(reason);
      assert.ok(p instanceof P);
      const o = await outcome(p);
      assert.equal(o.status, 'rejected');
      assert.ok(Object.is(o.reason, reason));
    }
    assert.deepEqual(await outcome(P.reject()), { status: 'rejected', reason: undefined });
  });

  it('gives a new promise each time, also for a promise', async () => {
    const p = P.reject(1);
    const q = P.reject(p);
    assert.notEqual(p, q);
    assert.equal((await outcome(q)).reason, p);
    assert.equal(await rejection(p), 1);
  });

  it('makes promises of the subclass', async () => {
    const p = Sub.reject(1);
    assert.ok(p instanceof Sub);
    assert.equal(await rejection(p), 1);
  });

  it('is a TypeError on a receiver that is no constructor', () => {
    for (const receiver of [0, 'x', {}, () => {}, Symbol(), Date]) {
      assert.throws(() => P.reject.call(receiver, 1), TypeError);
    }
  });
});

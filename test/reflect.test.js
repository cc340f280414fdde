'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later } = require('./helpers/util');
const { collectionTests, numbers } = require('./helpers/collections');

const states = (i) => [i.isFulfilled(), i.isRejected(), i.isPending(), i.isCancelled()];

collectionTests('reflect', (C) => {
  it('of a fulfilled promise', async () => {
    for (const p of [C.resolve('v'), later(C, 'fulfilled', 'v'), C.resolve(later(Native, 'fulfilled', 'v'))]) {
      const i = await p.reflect();
      assert.deepEqual(states(i), [true, false, false, false]);
      assert.equal(i.value(), 'v');
      assert.throws(() => i.reason(), TypeError);
    }
  });

  it('of a rejected promise', async () => {
    const reason = new Error('no');
    for (const p of [C.reject(reason), later(C, 'rejected', reason)]) {
      const i = await p.reflect();
      assert.deepEqual(states(i), [false, true, false, false]);
      assert.equal(i.reason(), reason);
      assert.throws(() => i.value(), TypeError);
    }
  });

  it('values and reasons that are falsy', async () => {
    for (const x of [undefined, null, 0, '', false]) {
      assert.equal((await C.resolve(x).reflect()).value(), x);
      assert.equal((await C.reject(x).reflect()).reason(), x);
    }
  });

  it('in an all', async () => {
    const list = await C.all([C.resolve(1), later(C, 'rejected', 2)].map((p) => p.reflect()));
    assert.deepEqual(list.map((i) => (i.isFulfilled() ? i.value() : i.reason())), [1, 2]);
  });

  it('stays pending with its promise', async () => {
    let settled = false;
    new C(() => {}).reflect().then(() => { settled = true; });
    await later(Native, 'fulfilled');
    await later(Native, 'fulfilled');
    assert.equal(settled, false);
  });

  it('is a promise and never rejects', async () => {
    const p = C.reject(1).reflect();
    assert.ok(p instanceof C);
    await p;
  });
}, () => {
  it('of promises of a subclass', async () => {
    assert.equal((await Sub.resolve(1).reflect()).value(), 1);
    assert.equal((await Sub.reject(2).reflect()).reason(), 2);
  });

  it('is none of the statics', () => {
    assert.equal(P.reflect, undefined);
  });

  it('an inspection is no promise', async () => {
    const i = await P.resolve(1).reflect();
    assert.equal(i.then, undefined);
    assert.equal(await P.resolve(i), i);
  });

  it('100,000 of them', async () => {
    const list = await P.all(numbers(100000).map((i) => (i % 2 ? P.reject(i) : P.resolve(i)).reflect()));
    assert.ok(list.every((x, i) => (i % 2 ? x.reason() : x.value()) === i));
  });
});

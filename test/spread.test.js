'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later, rejection } = require('./helpers/util');
const { collectionTests, numbers, unreported } = require('./helpers/collections');

const never = () => assert.fail('called');

collectionTests('spread', (C) => {
  it('calls the function with the elements of the value', async () => {
    assert.equal(await C.resolve([1, 2, 3]).spread((...args) => args.join()), '1,2,3');
    assert.equal(await C.resolve([]).spread((...args) => args.length), 0);
    assert.equal(await later(C, 'fulfilled', ['a']).spread((a) => a), 'a');
    assert.equal(await C.resolve(numbers(1000)).spread((...args) => args.length), 1000);
  });

  it('waits for elements that are promises', async () => {
    const list = [1, C.resolve(2), later(Native, 'fulfilled', 3), { then: (f) => f(4) }];
    assert.deepEqual(await C.resolve(list).spread((...args) => args), [1, 2, 3, 4]);
    await unreported(C, async () => {
      assert.equal(await rejection(C.resolve([1, later(C, 'rejected', 'no')]).spread(never)), 'no');
    });
  });

  it('takes any iterable', async () => {
    assert.deepEqual(await C.resolve(new Set([1, 2])).spread((...args) => args), [1, 2]);
    assert.deepEqual(await C.resolve((function* () { yield 1; yield C.resolve(2); })()).spread((...args) => args), [1, 2]);
  });

  it('a value that is not iterable rejects with a TypeError', async () => {
    for (const bad of [undefined, null, 1, {}]) assert.ok(await rejection(C.resolve(bad).spread(never)) instanceof TypeError);
  });

  it('what is no function rejects with a TypeError', async () => {
    for (const bad of [undefined, null, 1, 'x', {}]) assert.ok(await rejection(C.resolve([]).spread(bad)) instanceof TypeError);
  });

  it('lets a rejection pass', async () => {
    assert.equal(await rejection(C.reject(1).spread(never)), 1);
  });

  it('has the outcome of the function', async () => {
    assert.equal(await C.resolve([1]).spread((x) => later(C, 'fulfilled', x + 1)), 2);
    assert.equal(await rejection(C.resolve([1]).spread((x) => { throw x; })), 1);
  });
}, () => {
  it('the function has no receiver', async () => {
    await P.resolve([1]).spread(function () { assert.equal(this, undefined); });
  });

  it('names what came', async () => {
    assert.match((await rejection(P.resolve([]).spread('x'))).message, /function .*"x"/);
  });

  it('of a subclass', async () => {
    assert.equal(await Sub.resolve([1, 2]).spread((a, b) => a + b), 3);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

collectionTests('defer, cast, fulfilled, rejected, is', (C) => {
  for (const name of ['defer', 'pending']) {
    it(`${name} gives a promise and what settles it`, async () => {
      for (const value of [1, undefined, later(Native, 'fulfilled', 1)]) {
        const d = C[name]();
        assert.ok(d.promise instanceof C);
        d.resolve(value);
        d.reject(2);
        assert.equal(await d.promise, await value);
      }
      const d = C[name]();
      d.reject(3);
      d.resolve(4);
      assert.equal(await rejection(d.promise), 3);
    });
  }

  for (const name of ['cast', 'fulfilled', 'resolve']) {
    it(`${name} gives a promise of a value`, async () => {
      const p = C.resolve(1);
      assert.equal(C[name](p), p);
      for (const x of [undefined, null, 0, 'x', { a: 1 }]) assert.equal(await C[name](x), x);
      assert.equal(await C[name](later(Native, 'fulfilled', 2)), 2);
      assert.equal(await C[name]({ then: (f) => f(3) }), 3);
    });
  }

  for (const name of ['rejected', 'reject']) {
    it(`${name} gives a rejected promise`, async () => {
      for (const x of [undefined, null, 0, new Error('x')]) assert.equal(await rejection(C[name](x)), x);
    });
  }

  it('is tells promises of the class', () => {
    assert.equal(C.is(C.resolve(1)), true);
    assert.equal(C.is(new C(() => {})), true);
    assert.equal(C.is(C.bind({})), true);
    for (const x of [undefined, null, 1, {}, { then() {} }, Native.resolve(), C, []]) assert.equal(C.is(x), false);
  });
}, () => {
  it('the functions of a deferred need no receiver, as they do in Bluebird', async () => {
    const { promise, resolve } = P.defer();
    resolve(1);
    assert.equal(await promise, 1);
    const { promise: other, reject } = P.pending();
    reject(2);
    assert.equal(await rejection(other), 2);
  });

  it('of a subclass', async () => {
    assert.ok(Sub.defer().promise instanceof Sub);
    assert.ok(Sub.cast(1) instanceof Sub);
    assert.ok(Sub.fulfilled(P.resolve(1)) instanceof Sub);
    const p = Sub.rejected(1);
    assert.ok(p instanceof Sub);
    assert.equal(await rejection(p), 1);
    assert.equal(P.is(Sub.resolve()), true);
  });

  it('is tells true promises, where Bluebird asks for the prototype alone', () => {
    for (const x of [Object.create(P.prototype), P.prototype]) assert.equal(P.is(x), false);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { later, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

function shared(C) {
  it('runs a generator function once', async () => {
    const p = C.spawn(function* () {
      return (yield C.resolve(1)) + (yield later(C, 'fulfilled', 2));
    });
    assert.ok(p instanceof C);
    assert.equal(await p, 3);
  });

  it('rejects with what the generator throws', async () => {
    assert.equal(await rejection(C.spawn(function* () { yield C.reject('no'); })), 'no');
    assert.equal(await rejection(C.spawn(function* () { yield C.resolve(); throw 'later'; })), 'later');
  });

  it('begins during the call', async () => {
    let began = false;
    const p = C.spawn(function* () {
      began = true;
      yield C.resolve();
    });
    assert.ok(began);
    await p;
  });

  it('what is no function is a rejection', async () => {
    for (const x of [undefined, null, 1, 'x', {}]) assert.ok((await rejection(C.spawn(x))) instanceof TypeError);
  });
}

collectionTests('spawn', shared, () => {
  it('this of the call', async () => {
    const receiver = {};
    assert.equal(await P.spawn.call(receiver, function* () { return yield P.resolve(this); }), receiver);
  });

  it('a function that gives no generator', async () => {
    assert.ok((await rejection(P.spawn(() => 1))) instanceof TypeError);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { later, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

function shared(C) {
  it('the value, or the error, that the callback is given', async () => {
    assert.equal(await C.fromCallback((cb) => cb(null, 1)), 1);
    assert.equal(await C.fromCallback((cb) => setImmediate(cb, null, 2)), 2);
    assert.equal(await C.fromCallback((cb) => cb()), undefined);
    const e = new RangeError('no');
    assert.equal(await rejection(C.fromCallback((cb) => cb(e))), e);
    assert.equal(e.isOperational, true);
    assert.ok(C.fromCallback((cb) => cb()) instanceof C);
  });

  it('an object that is no error is marked too', async () => {
    const object = { code: 1 };
    assert.equal(await C.fromCallback((cb) => cb(object)).error((e) => e), object);
    assert.equal(object.isOperational, true);
    if (C === P) assert.deepEqual(Object.keys(object), ['code']); // in Bun that of Bluebird can be seen
    const frozen = Object.freeze({});
    assert.equal(await rejection(C.fromCallback((cb) => cb(frozen))), frozen);
  });

  it('the first call counts', async () => {
    assert.equal(await C.fromCallback((cb) => { cb(null, 1); cb(null, 2); cb(new Error('x')); }), 1);
  });

  it('all values with multiArgs', async () => {
    assert.deepEqual(await C.fromCallback((cb) => cb(null, 1, 2), { multiArgs: true }), [1, 2]);
    assert.deepEqual(await C.fromCallback((cb) => cb(null), { multiArgs: true }), []);
  });

  it('what the function throws, before or after calling back', async () => {
    const e = new Error('thrown');
    assert.equal(await rejection(C.fromCallback(() => { throw e; })), e);
    assert.equal(await C.fromCallback((cb) => { cb(null, 1); throw e; }), 1);
    assert.equal(await rejection(C.fromCallback(() => { throw 'text'; })), 'text');
  });

  it('fromNode is the same', async () => {
    assert.equal(await C.fromNode((cb) => cb(null, 1)), 1);
  });

  it('no function', async () => {
    for (const x of [undefined, null, 1, {}]) assert.ok((await rejection(C.fromCallback(x))) instanceof TypeError);
  });
}

collectionTests('fromCallback', shared, () => {
  it('adopts a promise', async () => {
    assert.equal(await P.fromCallback((cb) => cb(null, later(P, 'fulfilled', 1))), 1);
  });

  it('names what came', async () => {
    assert.equal((await rejection(P.fromCallback('x'))).message, 'expecting a function but got "x"');
  });
});

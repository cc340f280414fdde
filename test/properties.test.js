'use strict';

const assert = require('node:assert/strict');
const { P, isNative, unlessNative } = require('./helpers/subject');
const { rejection } = require('./helpers/util');

const STATICS = { all: 1, allSettled: 1, any: 1, race: 1, reject: 1, resolve: 1 };
const METHODS = { then: 2, catch: 1, finally: 1 };
for (const [k, length] of [['withResolvers', 0], ['try', 1]]) {
  if (!isNative || P[k]) STATICS[k] = length;
}

function checkMethod(owner, name, length) {
  const d = Object.getOwnPropertyDescriptor(owner, name);
  assert.ok(d, `${name} is there`);
  assert.deepEqual([d.writable, d.enumerable, d.configurable], [true, false, true], name);
  const f = d.value;
  assert.equal(typeof f, 'function');
  assert.deepEqual(Object.getOwnPropertyDescriptor(f, 'name'),
    { value: name, writable: false, enumerable: false, configurable: true });
  assert.deepEqual(Object.getOwnPropertyDescriptor(f, 'length'),
    { value: length, writable: false, enumerable: false, configurable: true });
  assert.ok(!Object.hasOwn(f, 'prototype'), `${name} has no prototype`);
  assert.throws(() => new f(), TypeError);
  assert.throws(() => Reflect.construct(Object, [], f), TypeError);
}

describe('properties', () => {
  it('statics of ECMAScript', () => {
    for (const [k, length] of Object.entries(STATICS)) checkMethod(P, k, length);
  });

  it('methods of ECMAScript', () => {
    for (const [k, length] of Object.entries(METHODS)) checkMethod(P.prototype, k, length);
  });

  it('the class', () => {
    assert.equal(typeof P, 'function');
    assert.equal(P.name, 'Promise');
    assert.equal(P.length, 1);
    assert.equal(Object.getPrototypeOf(P), Function.prototype);
    assert.equal(Object.getPrototypeOf(P.prototype), Object.prototype);
    const d = Object.getOwnPropertyDescriptor(P, 'prototype');
    assert.deepEqual([d.writable, d.enumerable, d.configurable], [false, false, false]);
    const c = Object.getOwnPropertyDescriptor(P.prototype, 'constructor');
    assert.deepEqual(c, { value: P, writable: true, enumerable: false, configurable: true });
  });

  it('Symbol.species', () => {
    const d = Object.getOwnPropertyDescriptor(P, Symbol.species);
    assert.equal(typeof d.get, 'function');
    assert.equal(d.get.name, 'get [Symbol.species]');
    assert.equal(d.set, undefined);
    assert.deepEqual([d.enumerable, d.configurable], [false, true]);
    assert.equal(P[Symbol.species], P);
    const other = {};
    assert.equal(d.get.call(other), other);
  });

  it('Symbol.toStringTag', () => {
    const d = Object.getOwnPropertyDescriptor(P.prototype, Symbol.toStringTag);
    assert.deepEqual(d,
      { value: 'Promise', writable: false, enumerable: false, configurable: true });
    assert.equal(Object.prototype.toString.call(P.resolve(1)), '[object Promise]');
    assert.equal(String(P.resolve(1)), '[object Promise]');
    class Sub extends P {}
    assert.equal(String(Sub.resolve()), '[object Promise]');
  });

  it('nothing enumerable on the class or its prototype', () => {
    assert.deepEqual(Object.keys(P), []);
    assert.deepEqual(Object.keys(P.prototype), []);
    class Sub extends P {}
    // eslint-disable-next-line guard-for-in
    for (const k in Sub) assert.fail(`${k} is enumerable`);
  });

  it('the prototype is no promise', () => {
    assert.throws(() => P.prototype.then(() => {}), TypeError);
  });

  it('a promise is an ordinary extensible object that can be frozen', async () => {
    const p = P.resolve(1);
    p.extra = 2;
    assert.equal(p.extra, 2);
    let resolve;
    const frozen = Object.freeze(P.resolve(3));
    const sealed = Object.seal(new P((r) => { resolve = r; }));
    const q = sealed.then((x) => x + 1);
    resolve(4);
    assert.equal(await frozen.then((x) => x + 1), 4);
    assert.equal(await q, 5);
  });

  it('weak collections and structured clone treat it as an object', () => {
    const p = P.resolve(1);
    assert.ok(new WeakSet([p]).has(p));
    assert.equal(new WeakMap([[p, 1]]).get(p), 1);
    assert.equal(new WeakRef(p).deref(), p);
  });

  unlessNative('statics need a receiver')('statics called without receiver use P', async () => {
    const { all, allSettled, any, race, reject, resolve, withResolvers } = P;
    const attempt = P.try;
    const d = withResolvers();
    d.resolve(1);
    const results = [all([d.promise]), allSettled([]), any([1]), race([1]), resolve(1),
      attempt(() => 1)];
    for (const p of results) assert.equal(Object.getPrototypeOf(p), P.prototype);
    assert.deepEqual(await P.all(results), [[1], [], 1, 1, 1, 1]);
    assert.equal(await rejection(reject(1)), 1);
    assert.deepEqual(await [[1], [2]].map((x) => all(x)).reduce((a, b) => a.then(() => b)), [2]);
    assert.deepEqual(await all(['a', 'b'].map((x) => resolve(x))), ['a', 'b']);
  });
});

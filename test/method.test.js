'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { later, rejection, rejectionEvents } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const notFunctions = [undefined, null, 1, 'x', {}];

collectionTests('method and attempt', (C) => {
  describe('method', () => {
    it('gives a promise of what the function returns', async () => {
      for (const x of [undefined, null, 0, 'x', { a: 1 }]) {
        const p = C.method(() => x)();
        assert.ok(p instanceof C);
        assert.equal(await p, x);
      }
      for (const D of [C, Native]) {
        assert.equal(await C.method(() => later(D, 'fulfilled', 1))(), 1);
        assert.equal(await rejection(C.method(() => later(D, 'rejected', 2))()), 2);
      }
      assert.equal(await C.method(() => ({ then: (f) => f(3) }))(), 3);
    });

    it('or throws', async () => {
      const error = new Error('x');
      const p = C.method(() => { throw error; })();
      assert.ok(p instanceof C);
      assert.equal(await rejection(p), error);
    });

    it('calls at once, with this and all arguments', async () => {
      const seen = [];
      const object = { f: C.method(function (...args) { seen.push([this, ...args]); }) };
      const p = object.f(1, 2, 3, 4, 5, 6);
      assert.deepEqual(seen, [[object, 1, 2, 3, 4, 5, 6]]);
      await p;
    });

    it('throws a TypeError for what is no function', () => {
      for (const bad of notFunctions) assert.throws(() => C.method(bad), TypeError);
    });

    it('is bound when the function gives a bound promise', async () => {
      assert.equal(await C.method(() => C.bind('this'))().then(function () { return this; }), 'this');
    });
  });

  describe('attempt', () => {
    it('gives a promise of what the function returns or throws', async () => {
      assert.equal(await C.attempt(() => 1), 1);
      assert.equal(await C.attempt(() => later(Native, 'fulfilled', 2)), 2);
      assert.equal(await rejection(C.attempt(() => { throw 3; })), 3);
      assert.equal(await rejection(C.attempt(() => later(C, 'rejected', 4))), 4);
    });

    it('calls at once', async () => {
      let calls = 0;
      const p = C.attempt(() => calls++);
      assert.equal(calls, 1);
      await p;
    });

    it('rejects with a TypeError for what is no function', async () => {
      for (const bad of notFunctions) assert.ok(await rejection(C.attempt(bad)) instanceof TypeError);
    });

    it('one argument or an array of them, and a this', async () => {
      const f = function (...args) { return [this, ...args]; };
      assert.deepEqual(await C.attempt(f), [undefined]);
      assert.deepEqual(await C.attempt(f, 1), [undefined, 1]);
      assert.deepEqual(await C.attempt(f, undefined), [undefined, undefined]);
      assert.deepEqual(await C.attempt(f, [1, 2]), [undefined, 1, 2]);
      assert.deepEqual(await C.attempt(f, [1, 2], 'this'), ['this', 1, 2]);
      assert.deepEqual(await C.attempt(f, 1, 'this'), ['this', 1]);
    });

    it('is bound when the function gives a bound promise', async () => {
      assert.equal(await C.attempt(() => C.bind('this')).then(function () { return this; }), 'this');
    });
  });
}, () => {
  it('method keeps name, length and own properties, which Bluebird loses', async () => {
    const key = Symbol('key');
    function named(a, b) {}
    named.option = { a: 1 };
    named[key] = 2;
    Object.defineProperty(named, 'hidden', { value: 3 });
    let reads = 0;
    Object.defineProperty(named, 'getter', { get() { reads++; return this.option; } });
    const method = P.method(named);
    assert.deepEqual([method.name, method.length, method.option, method[key], method.hidden], ['named', 2, named.option, 2, 3]);
    assert.deepEqual(Object.getOwnPropertyDescriptor(method, 'hidden'), Object.getOwnPropertyDescriptor(named, 'hidden'));
    assert.equal(reads, 0);
    assert.equal(method.getter, named.option);
    assert.notEqual(method.prototype, named.prototype);
    assert.equal(await P.method(class A { static x = 1; }).x, 1);
    // eslint-disable-next-line no-new-func
    assert.equal(await P.method(new Function('return 7;'))(), 7); // of sloppy mode
  });

  it('method gives a promise of its own', async () => {
    const p = P.resolve(1);
    const q = P.method(() => p)();
    assert.notEqual(q, p);
    assert.equal(await q, 1);
  });

  it('errors name what came', async () => {
    assert.throws(() => P.method('x'), /function .*"x"/);
    assert.match((await rejection(P.attempt(5))).message, /function .* 5$/);
  });

  it('a rejection is reported once', async () => {
    const events = await rejectionEvents(() => {
      P.method(() => { throw 'a'; })();
      P.method(() => P.reject('b'))();
      P.attempt(() => later(P, 'rejected', 'c'));
    });
    assert.deepEqual(events.map((e) => e.reason), ['a', 'b', 'c']);
  });
});

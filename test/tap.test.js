'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later, macro, rejection, rejectionEvents } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const never = () => assert.fail('called');

function shared(C) {
  describe('tap', () => {
    it('calls the handler with the value and passes the value on', async () => {
      const seen = [];
      const value = { a: 1 };
      assert.equal(await C.resolve(value).tap((...args) => { seen.push(args); return 'ignored'; }), value);
      assert.deepEqual(seen, [[value]]);
      for (const x of [undefined, null, 0, '']) assert.equal(await C.resolve(x).tap(() => 1), x);
    });

    it('waits for the result of the handler', async () => {
      for (const D of [C, Native]) {
        let done = false;
        assert.equal(await C.resolve(1).tap(() => later(D, 'fulfilled', 2).then(() => { done = true; })), 1);
        assert.equal(done, true);
      }
      let called = false;
      const thenable = { then(f) { setImmediate(() => { called = true; f('ignored'); }); } };
      assert.equal(await C.resolve(1).tap(() => thenable), 1);
      assert.equal(called, true);
    });

    it('an object without then is not waited for', async () => {
      assert.equal(await C.resolve(1).tap(() => ({ a: 1 })), 1);
      assert.equal(await C.resolve(1).tap(() => () => {}), 1);
    });

    it('a handler that fails rejects', async () => {
      assert.equal(await rejection(C.resolve(1).tap(() => { throw 2; })), 2);
      assert.equal(await rejection(C.resolve(1).tap(() => later(C, 'rejected', 3))), 3);
      assert.equal(await rejection(C.resolve(1).tap(() => Native.reject(4))), 4);
    });

    it('is not called for a rejection', async () => {
      assert.equal(await rejection(C.reject(1).tap(never)), 1);
    });

    it('anything but a function is passed over', async () => {
      for (const bad of [undefined, null, 1, 'x', {}]) {
        assert.equal(await C.resolve(1).tap(bad), 1);
        assert.equal(await rejection(C.reject(1).tap(bad)), 1);
      }
    });
  });

  describe('tapCatch', () => {
    it('calls the handler with the reason and passes the reason on', async () => {
      const seen = [];
      const reason = new Error('r');
      assert.equal(await rejection(C.reject(reason).tapCatch((...args) => { seen.push(args); return 'ignored'; })), reason);
      assert.deepEqual(seen, [[reason]]);
    });

    it('waits for the result of the handler', async () => {
      let done = false;
      const p = C.reject(1).tapCatch(() => later(C, 'fulfilled', 2).then(() => { done = true; }));
      assert.equal(await rejection(p), 1);
      assert.equal(done, true);
    });

    it('a handler that fails rejects with its error', async () => {
      assert.equal(await rejection(C.reject(1).tapCatch(() => { throw 2; })), 2);
      assert.equal(await rejection(C.reject(1).tapCatch(() => later(Native, 'rejected', 3))), 3);
    });

    it('is not called for a value', async () => {
      assert.equal(await C.resolve(1).tapCatch(never), 1);
      assert.equal(await C.resolve(1).tapCatch(TypeError, never), 1);
    });

    it('takes filters', async () => {
      const e = new TypeError('t');
      const seen = [];
      const see = (x) => { seen.push(x); };
      assert.equal(await rejection(C.reject(e).tapCatch(RangeError, never)), e);
      assert.equal(await rejection(C.reject(e).tapCatch(RangeError, TypeError, see)), e);
      assert.equal(await rejection(C.reject(e).tapCatch({ message: 't' }, see)), e);
      assert.equal(await rejection(C.reject(e).tapCatch({ message: 'u' }, never)), e);
      assert.equal(await rejection(C.reject(e).tapCatch((x) => x === e, see)), e);
      assert.equal(await rejection(C.reject(e).tapCatch((x) => x !== e, never)), e);
      assert.deepEqual(seen, [e, e, e]);
      assert.equal(await rejection(C.reject(e).tapCatch(TypeError, () => later(C, 'rejected', 2))), 2);
    });

    it('one argument that is no function is passed over', async () => {
      for (const bad of [undefined, null, 1, {}]) assert.equal(await rejection(C.reject(1).tapCatch(bad)), 1);
    });

    it('a filter that is neither function nor object rejects with a TypeError', async () => {
      for (const bad of [undefined, null, 1, 'x']) assert.ok(await rejection(C.resolve(1).tapCatch(bad, never)) instanceof TypeError);
    });
  });
}

function own() {
  it('a predicate of tapCatch that throws rejects with its error, which Bluebird loses', async () => {
    assert.equal(await rejection(P.reject(1).tapCatch(() => { throw 2; }, never)), 2);
  });

  it('tapCatch without arguments does nothing, where Bluebird throws a RangeError', async () => {
    assert.equal(await P.resolve(1).tapCatch(), 1);
    assert.equal(await rejection(P.reject(1).tapCatch()), 1);
  });

  it('tapCatch with filters and no function rejects with a TypeError; Bluebird when the filter takes the reason', async () => {
    for (const bad of [undefined, null, 1, {}]) {
      const error = await rejection(P.resolve(1).tapCatch(TypeError, bad));
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /last argument of tapCatch/);
    }
  });

  it('the handlers have no receiver', async () => {
    await P.resolve(1).tap(function () { assert.equal(this, undefined); });
    await rejection(P.reject(1).tapCatch(function () { assert.equal(this, undefined); })).then((e) => assert.equal(e, 1));
  });

  it('of a subclass', async () => {
    assert.ok(Sub.resolve(1).tap(() => {}) instanceof Sub);
    assert.equal(await Sub.resolve(1).tap(() => later(Sub, 'fulfilled')), 1);
    assert.ok(Sub.resolve(1).tapCatch(() => {}) instanceof Sub);
  });

  it('what it passes on is reported as by any step', async () => {
    const events = await rejectionEvents(async () => {
      P.reject('a').tapCatch(() => {});
      P.reject('b').tap(() => {});
      await macro();
    });
    assert.deepEqual(events.map((e) => e.reason).sort(), ['a', 'b']);
  });
}

collectionTests('tap and tapCatch', shared, own);

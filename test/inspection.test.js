'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, deferred, later, macro, outcome, rejectionEvents } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const states = (p) => [p.isPending(), p.isFulfilled(), p.isRejected(), p.isResolved(), p.isCancelled()];
const PENDING = [true, false, false, false, false];
const FULFILLED = [false, true, false, true, false];
const REJECTED = [false, false, true, true, false];

function checkPending(p) {
  assert.deepEqual(states(p), PENDING);
  assert.throws(() => p.value(), TypeError);
  assert.throws(() => p.reason(), TypeError);
}

function checkFulfilled(p, value) {
  assert.deepEqual(states(p), FULFILLED);
  assert.equal(p.value(), value);
  assert.throws(() => p.reason(), TypeError);
}

function checkRejected(p, reason) {
  assert.deepEqual(states(p), REJECTED);
  assert.equal(p.reason(), reason);
  assert.throws(() => p.value(), TypeError);
}

collectionTests('inspection', (C) => {
  it('of a fulfilled promise', () => {
    for (const x of [undefined, null, 0, 'x', {}]) checkFulfilled(C.resolve(x), x);
  });

  it('of a rejected promise', () => {
    for (const x of [undefined, null, 0, 'x', new Error('x')]) checkRejected(C.reject(x), x);
  });

  it('of a promise that is settled later', async () => {
    const [a, b] = [deferred(C), deferred(C)];
    checkPending(a.promise);
    a.resolve(1);
    checkFulfilled(a.promise, 1);
    checkPending(b.promise);
    b.reject(2);
    checkRejected(b.promise, 2);
  });

  it('of a promise with handlers', async () => {
    const d = deferred(C);
    const p = d.promise.then((x) => x + 1);
    const q = p.finally(() => {});
    checkPending(d.promise);
    checkPending(p);
    d.resolve(1);
    checkPending(p);
    await q;
    checkFulfilled(p, 2);
    checkFulfilled(q, 2);
    const r = C.reject(1).catch((x) => { throw x + 1; });
    checkPending(r);
    await outcome(r);
    checkRejected(r, 2);
  });

  it('of a promise that follows another', async () => {
    const d = deferred(C);
    const p = new C((resolve) => resolve(d.promise));
    const q = C.resolve().then(() => p);
    const r = q.then((x) => x);
    await macro();
    for (const x of [p, q, r]) checkPending(x);
    d.resolve(1);
    await r;
    for (const x of [p, q, r]) checkFulfilled(x, 1);
    const e = deferred(C);
    const s = C.resolve().then(() => e.promise);
    const t = s.then(() => {});
    await macro();
    e.reject(2);
    await outcome(t);
    for (const x of [s, t]) checkRejected(x, 2);
  });

  it('of a promise of a thenable or a native one', async () => {
    const p = C.resolve(later(Native, 'fulfilled', 1));
    checkPending(p);
    await p;
    checkFulfilled(p, 1);
  });

  it('of a bound promise', async () => {
    checkFulfilled(C.bind({}, 1), 1);
    checkRejected(C.reject(2).bind({}), 2);
    const p = C.bind(later(C, 'fulfilled'), 3);
    checkPending(p);
    await p;
    checkFulfilled(p, 3);
  });

  it('a value is given as it is', () => {
    const value = { a: 1 };
    assert.equal(C.resolve(value).value(), value);
  });

  it('reason takes care of the rejection', async () => {
    const events = await rejectionEvents(async () => {
      C.reject(1).reason();
      const p = later(C, 'rejected', 2);
      const q = outcome(p);
      await q;
      assert.equal(p.reason(), 2);
    });
    assert.deepEqual(events, []);
  });

  it('the other questions leave it alone', async () => {
    const p = C.reject(1);
    states(p);
    assert.throws(() => p.value(), TypeError);
    let reported;
    await new Native((resolve) => {
      const listeners = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      process.once('unhandledRejection', (reason) => {
        reported = reason;
        listeners.forEach((f) => process.on('unhandledRejection', f));
        resolve();
      });
    });
    assert.equal(reported, 1);
    p.catch(() => {});
  });

  it('toString', () => {
    for (const p of [C.resolve(1), new C(() => {}), C.bind({})]) assert.equal(p.toString(), '[object Promise]');
    assert.equal(String(C.resolve(1)), '[object Promise]');
  });

  it('toJSON', () => {
    const json = (p) => JSON.parse(JSON.stringify(p));
    assert.deepEqual(C.resolve(1).toJSON(), { isFulfilled: true, isRejected: false, fulfillmentValue: 1, rejectionReason: undefined });
    assert.deepEqual(C.reject(1).toJSON(), { isFulfilled: false, isRejected: true, fulfillmentValue: undefined, rejectionReason: 1 });
    assert.deepEqual(json(new C(() => {})), { isFulfilled: false, isRejected: false });
    const inner = { isFulfilled: true, isRejected: false, fulfillmentValue: 2 };
    assert.deepEqual(json({ p: C.resolve({ a: C.resolve(2) }) }), { p: { ...inner, fulfillmentValue: { a: inner } } });
  });

  it('a PromiseInspection tells the same', async () => {
    const i = await C.resolve(1).reflect();
    assert.ok(i instanceof C.PromiseInspection);
    checkFulfilled(i, 1);
    const j = await C.reject(2).reflect();
    checkRejected(j, 2);
    assert.equal(j.error(), 2);
  });
}, () => {
  it('of a subclass', () => {
    checkFulfilled(Sub.resolve(1), 1);
    checkPending(new Sub(() => {}));
  });

  it('is a TypeError on what is no promise', () => {
    for (const name of ['isPending', 'isFulfilled', 'isRejected', 'isResolved', 'isCancelled', 'value', 'reason', 'toJSON']) {
      for (const x of [undefined, null, 1, {}, Native.resolve(), Object.create(P.prototype), P.prototype]) {
        assert.throws(() => P.prototype[name].call(x), TypeError, name);
      }
    }
  });

  it('a promise that was reported and then asked for its reason has been handled late', async () => {
    let promise;
    const events = await rejectionEvents(async (seen) => {
      promise = P.reject('r');
      while (seen.length === 0) await macro();
      promise.reason();
    });
    assert.deepEqual(events.map((e) => e.event), ['unhandledRejection', 'rejectionHandled']);
    assert.equal(events[1].promise, promise);
  });
});

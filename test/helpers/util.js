'use strict';

const { inspect } = require('node:util');
const Bluebird = require('bluebird');
const { P, Native } = require('./subject');

/** Waits for one settled description of `promise`; never adopts its value. */
function outcome(promise) {
  return new Native((resolve) => {
    promise.then(
      (value) => resolve({ status: 'fulfilled', value }),
      (reason) => resolve({ status: 'rejected', reason }),
    );
  });
}

/** The reason `promise` is rejected with; fails when it is fulfilled. */
async function rejection(promise) {
  const o = await outcome(promise);
  if (o.status !== 'rejected') {
    throw new Error(`expected a rejection, got the value ${inspect(o.value)}`);
  }
  return o.reason;
}

/** One turn of the event loop: everything that microtasks can do is done. */
function macro() {
  return new Native((resolve) => setImmediate(resolve));
}

function sleep(ms) {
  return new Native((resolve) => setTimeout(resolve, ms));
}

function deferred(C = P) {
  const d = {};
  d.promise = new C((resolve, reject) => {
    d.resolve = resolve;
    d.reject = reject;
  });
  return d;
}

class Sub extends P {}

/** A promise of class C that is settled later, in another turn of the loop. */
function later(C, how, value) {
  return new C((resolve, reject) => {
    setImmediate(how === 'fulfilled' ? resolve : reject, value);
  });
}

function pendingNow(C, how, value, after) {
  const d = deferred(C);
  after.push(() => (how === 'fulfilled' ? d.resolve : d.reject)(value));
  return d.promise;
}

function thenable(how, value, start) {
  return {
    then(onFulfilled, onRejected) {
      start(() => (how === 'fulfilled' ? onFulfilled : onRejected)(value));
    },
  };
}

/** A promise that had a handler already when it adopted `other`. */
function following(other) {
  const { promise, resolve } = deferred();
  promise.then(() => {}, () => {});
  resolve(other);
  return promise;
}

// Every way a promise-like input reaches its state. `make(value, after)`: functions
// pushed on `after` are to be called once the call under test has returned.
function inputs(how) {
  const settled = how === 'fulfilled' ? 'resolve' : 'reject';
  const list = [
    ['already settled', (v) => P[settled](v)],
    ['settled now', (v, after) => pendingNow(P, how, v, after)],
    ['settled later', (v) => later(P, how, v)],
    ['subclass, already settled', (v) => Sub[settled](v)],
    ['subclass, settled later', (v) => later(Sub, how, v)],
    ['native, already settled', (v) => Native[settled](v)],
    ['native, settled now', (v, after) => pendingNow(Native, how, v, after)],
    ['native, settled later', (v) => later(Native, how, v)],
    ['bluebird, already settled', (v) => Bluebird[settled](v)],
    ['bluebird, settled later', (v) => later(Bluebird, how, v)],
    ['thenable, at once', (v) => thenable(how, v, (f) => f())],
    ['thenable, later', (v) => thenable(how, v, setImmediate)],
    ['function with a then', (v) => Object.assign(() => {}, thenable(how, v, (f) => f()))],
    ['derived by then', (v) => P.resolve().then(() => {
      if (how === 'rejected') throw v;
      return v;
    })],
    ['adopting another', (v) => new P((resolve) => resolve(later(P, how, v)))],
    ['adopting another, with a handler before', (v) => following(later(P, how, v))],
    ['adopting two in turn, with handlers before', (v) => following(following(later(P, how, v)))],
    ['async function', (v) => (async () => {
      if (how === 'rejected') throw v;
      return v;
    })()],
  ];
  return list.map(([kind, make]) => ({ kind, make }));
}

/** Collects the rejection events of `body` and keeps them from the test runner. */
async function rejectionEvents(body) {
  const names = ['unhandledRejection', 'rejectionHandled'];
  const saved = names.map((n) => process.listeners(n));
  names.forEach((n) => process.removeAllListeners(n));
  const events = [];
  process.on('unhandledRejection', (reason, promise) => {
    events.push({ event: 'unhandledRejection', reason, promise });
  });
  process.on('rejectionHandled', (promise) => {
    events.push({ event: 'rejectionHandled', promise });
  });
  try {
    await body(events);
    for (let i = 0; i < 3; i++) await macro();
  } finally {
    names.forEach((n, i) => {
      process.removeAllListeners(n);
      saved[i].forEach((f) => process.on(n, f));
    });
  }
  return events;
}

module.exports = {
  Bluebird, Sub, deferred, following, inputs, later, macro, outcome, rejection, rejectionEvents, sleep,
};

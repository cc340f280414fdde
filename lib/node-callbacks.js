'use strict';
/**
 * Where a chain ends: asCallback, nodeify, done. An error that comes out there has
 * nobody to take it: it is thrown when the queue has run, for the process or the
 * domain that is active.
 */
const { CPromise } = require('./core');
const { thenMethod, create, isObject, isPlainPromise, logJob, settle, setJob, throwLater } = require('./promise');
const { FULFILLED, REJECTED, HANDLED } = require('./state');
const { claim, settledBy } = require('./inputs');
const { watch } = require('./features');
const { install } = require('./install');

const { loaded } = watch;

function succeed(callback, receiver, value) {
  try {
    if (value === undefined) Reflect.apply(callback, receiver, [null]);
    else Reflect.apply(callback, receiver, [null, value]);
  } catch (e) {
    throwLater(e);
  }
}

function succeedWithMany(callback, receiver, value) {
  if (!Array.isArray(value)) {
    succeed(callback, receiver, value);
    return;
  }
  try {
    Reflect.apply(callback, receiver, [null, ...value]);
  } catch (e) {
    throwLater(e);
  }
}

/** The callback is told something truthy. */
function fail(callback, receiver, reason) {
  try {
    Reflect.apply(callback, receiver, [reason || new Error(String(reason), { cause: reason })]);
  } catch (e) {
    throwLater(e);
  }
}

/**
 * What calls back for a promise that is settled, without making handlers: the job of
 * a child whose `_r` is the callback and whose `_v` the value or the reason.
 */
class Call {
  constructor(onFulfilled) {
    this.onFulfilled = onFulfilled;
  }

  complete(child, state) {
    const { _r: callback, _v: value } = child;
    child._r = undefined;
    settle(child, undefined, FULFILLED);
    if (state === FULFILLED) this.onFulfilled(callback, undefined, value);
    else fail(callback, undefined, value);
  }
}

const call = new Call(succeed);
const callWithMany = new Call(succeedWithMany);

/** @returns {boolean} whether it is settled, and nobody could see that `then` is not called */
function callSoon(promise, callback, job) {
  if (loaded.length !== watch.quiet || !isPlainPromise(promise) || promise.then !== thenMethod) return false;
  const { _s: s, _v: value } = settledBy(promise);
  if (s !== FULFILLED && s !== REJECTED && s !== HANDLED) return false;
  claim(promise);
  const child = create();
  logJob(child, s);
  setJob(child, job);
  child._r = callback;
  child._v = value;
  return true;
}

const methods = {
  /**
   * Calls `callback(null, value)` or `callback(reason)` when the promise is settled;
   * `callback(null)` for undefined. A falsy reason comes as an Error with the reason as
   * its `cause`. What the callback throws is an uncaught exception.
   * @param {(error: any, ...values: any[]) => void} [callback] anything but a function is passed over
   * @param {{spread?: boolean}} [options] spread: the elements of an array as arguments of their own
   * @returns {CPromise} the promise itself, which counts as handled when there is a callback
   * @see http://bluebirdjs.com/docs/api/ascallback.html
   */
  asCallback(callback, options) {
    if (typeof callback !== 'function') return this;
    const job = isObject(options) && options.spread ? callWithMany : call;
    if (callSoon(this, callback, job)) return this;
    this.then(
      function (value) {
        job.onFulfilled(callback, this, value);
      },
      function (reason) {
        fail(callback, this, reason);
      },
    );
    return this;
  },

  /**
   * `then` at the end of a chain: what is rejected there is an uncaught exception.
   * @returns {undefined}
   * @see http://bluebirdjs.com/docs/api/done.html
   */
  done(onFulfilled, onRejected) {
    this.then(...arguments).then(undefined, throwLater);
  },
};

install(CPromise.prototype, methods);
install(CPromise.prototype, { nodeify: methods.asCallback });

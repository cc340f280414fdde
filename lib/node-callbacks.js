'use strict';
/**
 * Where a chain ends: asCallback, nodeify, done. An error that comes out there has
 * nobody to take it: it is thrown when the queue has run, for the process or the
 * domain that is active.
 */
const { CPromise } = require('./core');
const { isObject, throwLater } = require('./promise');
const { install } = require('./install');

function invoke(callback, receiver, args) {
  try {
    Reflect.apply(callback, receiver, args);
  } catch (e) {
    throwLater(e);
  }
}

/** What a callback is told of a rejection: something truthy. */
const toError = (reason) => reason || new Error(String(reason), { cause: reason });

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
    const spread = isObject(options) && Boolean(options.spread);
    this.then(
      function (value) {
        if (spread && Array.isArray(value)) invoke(callback, this, [null, ...value]);
        else invoke(callback, this, value === undefined ? [null] : [null, value]);
      },
      function (reason) {
        invoke(callback, this, [toError(reason)]);
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
    this.then(onFulfilled, onRejected).then(undefined, throwLater);
  },
};

install(CPromise.prototype, methods);
install(CPromise.prototype, { nodeify: methods.asCallback });

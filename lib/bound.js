'use strict';
/** bind: a `this` for all functions down a chain. How that is kept is told at BoundPromise in promise.js. */
const { CPromise } = require('./core');
const { create, createBound, promiseOf, react, follow, settle, isPromise, throwReceiver } = require('./promise');
const { REJECTED, FULFILLED } = require('./state');
const { claim, isRejected } = require('./inputs');
const { install } = require('./install');

/** A promise like `promise`, bound to what the promise `binding` will be fulfilled with. */
function bound(promise, binding) {
  const result = createBound(binding);
  if (binding._s === FULFILLED) {
    follow(result, promise);
    return result;
  }
  claim(promise);
  react(
    binding,
    () => {
      follow(result, promise);
    },
    (reason) => {
      if (isRejected(promise)) follow(result, promise);
      else settle(result, reason, REJECTED);
    },
  );
  return result;
}

/** @throws {TypeError} `promise` is none */
function bind(promise, thisArg) {
  if (!isPromise(promise)) throwReceiver('bind', promise);
  if (thisArg !== undefined) return bound(promise, promiseOf(thisArg));
  const result = create();
  follow(result, promise);
  return result;
}

const methods = {
  /**
   * A promise with the outcome of this one, whose handlers and those of all promises
   * derived from it are called with `thisArg` as their `this`. The same holds for the
   * functions of collection methods and of all other methods.
   * @param {any} thisArg a promise is waited for; its rejection rejects, unless this
   *   promise has been rejected before. undefined ends an earlier binding.
   * @returns {CPromise} of our own class, also for a promise of a subclass
   * @see http://bluebirdjs.com/docs/api/promise.bind.html
   */
  bind(thisArg) {
    return bind(this, thisArg);
  },
};

const statics = {
  /**
   * `resolve(value).bind(thisArg)`.
   * @see http://bluebirdjs.com/docs/api/promise.bind.html
   */
  bind(thisArg, value) {
    return bind(promiseOf(value), thisArg);
  },
};

Object.defineProperty(statics.bind, 'length', { value: 1, configurable: true });

install(CPromise, statics);
install(CPromise.prototype, methods);

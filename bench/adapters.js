'use strict';

/** What a contender's library may lack, made of what it has. */

/**
 * `promisify` on a constructor: one promise per call, settled by the callback.
 *
 * @param {PromiseConstructor} P
 * @returns {(fn: Function) => Function}
 */
function promisifyOver(P) {
  return (fn) => (...args) =>
    new P((resolve, reject) => {
      fn(...args, (error, value) => {
        if (error) reject(error);
        else resolve(value);
      });
    });
}

/**
 * The parts of a promise class, for a library that has deferred objects and
 * functions instead. `new` gives the library's own promise.
 *
 * @param {object} parts
 * @param {() => {promise: object, resolve: Function, reject: Function}} parts.defer
 * @param {(value: any) => object} parts.resolve
 * @param {(reason: any) => object} parts.reject
 * @param {(inputs: any[]) => object} parts.all
 * @returns {PromiseConstructor}
 */
function createClass({ defer, resolve, reject, all }) {
  function PromiseOfDeferred(executor) {
    const deferred = defer();
    executor(
      (value) => deferred.resolve(value),
      (reason) => deferred.reject(reason),
    );
    return deferred.promise;
  }
  return Object.assign(PromiseOfDeferred, { resolve, reject, all });
}

/**
 * Loads a library that would hand out native promises where there are some.
 * The global is back when this returns.
 *
 * @template T
 * @param {() => T} load
 * @returns {T}
 */
function loadWithoutNative(load) {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'Promise');
  delete globalThis.Promise;
  try {
    return load();
  } finally {
    Object.defineProperty(globalThis, 'Promise', descriptor);
  }
}

module.exports = { createClass, loadWithoutNative, promisifyOver };

'use strict';
/** Bluebird's ways to come by a promise: method, attempt, defer, cast, fulfilled, rejected, and is. */
const { CPromise } = require('./core');
const { createLike, promiseOf, rejected, resolvePromise, isObject, isPromise, describe } = require('./promise');
const { install } = require('./install');

/** A promise of what `fn` gives or throws; bound when that is a bound promise. */
function promiseOfCall(fn, receiver, args) {
  let result;
  try {
    result = Reflect.apply(fn, receiver, args);
  } catch (e) {
    return rejected(e);
  }
  if (!isObject(result)) return promiseOf(result);
  const promise = createLike(result);
  resolvePromise(promise, result);
  return promise;
}

const noFunction = (fn) => new TypeError(`expecting a function but got ${describe(fn)}`);

/** What a function has because it is one. */
const OF_FUNCTIONS = new Set(['prototype', 'arguments', 'caller']);

/** Gives a function the own properties of another, name and length among them. */
function copyProperties(to, from) {
  for (const key of Reflect.ownKeys(from)) {
    if (!OF_FUNCTIONS.has(key)) Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key));
  }
  return to;
}

const statics = {
  /**
   * A function that calls `fn` with its own `this` and arguments, and returns a promise
   * of what that gives or throws. It has the own properties of `fn`.
   * @param {Function} fn
   * @throws {TypeError} fn is not a function
   * @see http://bluebirdjs.com/docs/api/promise.method.html
   */
  method(fn) {
    if (typeof fn !== 'function') throw noFunction(fn);
    const method = function (...args) {
      return promiseOfCall(fn, this, args);
    };
    return copyProperties(method, fn);
  },

  /**
   * Calls `fn` at once and gives a promise of what it returns or throws. As in Bluebird
   * one argument may follow, or an array of all, and a `this`; `try` is that of ES.
   * @returns {CPromise} rejected with a TypeError when fn is not a function
   * @see http://bluebirdjs.com/docs/api/promise.try.html
   */
  attempt(fn, args, receiver) {
    if (typeof fn !== 'function') return rejected(noFunction(fn));
    if (arguments.length < 2) return promiseOfCall(fn, undefined, []);
    return promiseOfCall(fn, receiver, Array.isArray(args) ? args : [args]);
  },

  /**
   * Whether a value is a promise of this copy of the library.
   * @see http://bluebirdjs.com/docs/api/promise.is.html
   */
  is(value) {
    return isPromise(value);
  },
};

Object.defineProperty(statics.attempt, 'length', { value: 1, configurable: true });

/** Other names of what is there; that of withResolvers is Bluebird's deferred. */
const { resolve, reject, withResolvers } = CPromise;

install(CPromise, statics);
install(CPromise, { cast: resolve, fulfilled: resolve, rejected: reject, defer: withResolvers, pending: withResolvers });

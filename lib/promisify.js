'use strict';
/** Lifting functions that take a node-style callback: promisify, fromCallback. */
const { CPromise, resolveAs } = require('./core');
const { createOpen, isOpen, isObject, describe, settle, rejectPromise, resolvePromise } = require('./promise');
const { REJECTED } = require('./state');
const { operational } = require('./errors');
const { install } = require('./install');

/**
 * The callback, bound to its promise: one small object a call. Only the first
 * call counts.
 */
function callback(error, value) {
  if (!isOpen(this)) return;
  if (error) rejectPromise(this, operational(error));
  else resolvePromise(this, value);
}

/** The same for `multiArgs`: all values, as an array. */
function callbackOfMany(error, ...values) {
  if (!isOpen(this)) return;
  if (error) rejectPromise(this, operational(error));
  else resolvePromise(this, values);
}

const callbackFor = (options) => (isObject(options) && options.multiArgs ? callbackOfMany : callback);

/** What a function threw: as Bluebird, an Error for what is no object. */
function rejectThrown(promise, error) {
  if (isOpen(promise)) rejectPromise(promise, isObject(error) ? error : new Error(String(error)));
}

const statics = {
  /**
   * A function that calls `fn` with its own arguments and a callback, and returns
   * a promise of what the callback is given; or of what `fn[util.promisify.custom]`
   * returns, unless all values are wanted.
   * @param {Function} fn takes a callback `(error, value)` as its last argument
   * @param {{context?: any, multiArgs?: boolean}} [options]
   *   context: `this` of `fn`; by default `this` of the call.
   *   multiArgs: fulfill with the array of all values.
   * @throws {TypeError} fn is not a function
   * @see http://bluebirdjs.com/docs/api/promise.promisify.html
   */
  promisify(fn, options) {
    if (typeof fn !== 'function') throw new TypeError(`expecting a function but got ${describe(fn)}`);
    if (isPromisified(fn)) return fn;
    const context = isObject(options) ? options.context : undefined;
    return makePromisified(fn, callbackFor(options), context);
  },

  /**
   * Calls `fn` with a callback and gives a promise of what that is given.
   * @param {(callback: (error: any, ...values: any[]) => void) => void} fn called at
   *   once; what it throws rejects
   * @param {{multiArgs?: boolean}} [options] multiArgs: fulfill with the array of all values
   * @see http://bluebirdjs.com/docs/api/promise.fromcallback.html
   */
  fromCallback(fn, options) {
    const promise = createOpen();
    if (typeof fn !== 'function') {
      settle(promise, new TypeError(`expecting a function but got ${describe(fn)}`), REJECTED);
      return promise;
    }
    try {
      fn(callbackFor(options).bind(promise));
    } catch (e) {
      if (isOpen(promise)) rejectPromise(promise, e);
    }
    return promise;
  },
};

statics.fromNode = statics.fromCallback;

/**
 * Makes promises from a function that takes a callback.
 * @param {any} context `this` of fn; undefined: that of the call
 * @param {string} [key] the method that is called is the one that the receiver has under this name then
 */
function lower(fn, nodeback, context, key) {
  return function (a, b, c) {
    const receiver = context === undefined ? this : context;
    const promise = createOpen();
    const settler = nodeback.bind(promise);
    try {
      const method = key === undefined ? fn : methodOf(receiver, key, fn);
      switch (arguments.length) {
        case 0: method.call(receiver, settler); break;
        case 1: method.call(receiver, a, settler); break;
        case 2: method.call(receiver, a, b, settler); break;
        case 3: method.call(receiver, a, b, c, settler); break;
        default: method.call(receiver, ...arguments, settler);
      }
    } catch (e) {
      rejectThrown(promise, e);
    }
    return promise;
  };
}

const methodOf = (receiver, key, fn) => (receiver === undefined || receiver === null ? fn : receiver[key]);

const CUSTOM = Symbol.for('nodejs.util.promisify.custom');

const hasCustom = (fn) => typeof fn[CUSTOM] === 'function';

/** The same for a function that brings its own promised form. */
function lowerCustom(fn, nodeback, context, key) {
  const lowered = lower(fn, nodeback, context, key);
  return function (...args) {
    try {
      const receiver = context === undefined ? this : context;
      const method = key === undefined ? fn : methodOf(receiver, key, fn);
      return hasCustom(method) ? resolveAs(CPromise, method[CUSTOM].apply(receiver, args)) : lowered.apply(receiver, args);
    } catch (e) {
      return CPromise.reject(e);
    }
  };
}

/** Either of them; what a function brings gives one value, so it does not serve for all values. */
function makePromisified(fn, nodeback, context, key) {
  const make = nodeback === callback && hasCustom(fn) ? lowerCustom : lower;
  return dress(make(fn, nodeback, context, key), fn);
}

/** The mark that promisified functions carry, in Bluebird too. */
const MARK = '__isPromisified__';

function isPromisified(fn) {
  return Object.getOwnPropertyDescriptor(fn, MARK)?.value === true;
}

function mark(promisified) {
  install(promisified, { [MARK]: true });
  return promisified;
}

/** Properties of functions that are not passed on. */
const OWN = new Set(['length', 'name', 'arguments', 'caller', 'prototype', MARK]);

/**
 * Gives a promisified function the name of the original, its length less the
 * callback, and its properties; marks it.
 */
function dress(promisified, fn) {
  const { name, length } = fn;
  Object.defineProperty(promisified, 'name', { value: name, configurable: true });
  Object.defineProperty(promisified, 'length', { value: Math.max(length - 1, 0) || 0, configurable: true });
  for (const key of Reflect.ownKeys(fn)) {
    if (!OWN.has(key)) Object.defineProperty(promisified, key, Object.getOwnPropertyDescriptor(fn, key));
  }
  return mark(promisified);
}

install(CPromise, statics);

module.exports = { callbackFor, makePromisified, isPromisified, mark };

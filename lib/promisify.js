'use strict';
/** Lifting functions that take a node-style callback. */
const { CPromise, resolveAs } = require('./core');
const { create, isOpen, describe, settle, resolvePromise } = require('./promise');
const { REJECTED } = require('./state');
const { install } = require('./install');

/**
 * The callback, bound to its promise: one small object a call. Only the first
 * call counts.
 */
function callback(error, value) {
  if (!isOpen(this)) return;
  if (error) settle(this, toError(error), REJECTED);
  else resolvePromise(this, value);
}

/** The same for `multiArgs`: all values, as an array. */
function callbackOfMany(error, ...values) {
  if (!isOpen(this)) return;
  if (error) settle(this, toError(error), REJECTED);
  else resolvePromise(this, values);
}

function toError(reason) {
  return reason instanceof Error || Object.prototype.toString.call(reason) === '[object Error]' ? reason : new Error(String(reason));
}

function rejectThrown(promise, error) {
  if (isOpen(promise)) settle(promise, error, REJECTED);
}

const statics = {
  /**
   * A function that calls `fn` with its own arguments and a callback, and returns
   * a promise of what the callback is given.
   * @param {Function} fn takes a callback `(error, value)` as its last argument
   * @param {{context?: any, multiArgs?: boolean}} [options]
   *   context: `this` of `fn`; by default `this` of the call.
   *   multiArgs: fulfill with the array of all values.
   * @throws {TypeError} fn is not a function
   * @see http://bluebirdjs.com/docs/api/promise.promisify.html
   */
  promisify(fn, options) {
    if (typeof fn !== 'function') throw new TypeError(`expecting a function but got ${describe(fn)}`);
    const hasContext = isObject(options) && 'context' in options;
    const context = hasContext ? options.context : undefined;
    const nodeback = isObject(options) && options.multiArgs ? callbackOfMany : callback;
    const custom = fn[Symbol.for('nodejs.util.promisify.custom')];
    const promisified = typeof custom === 'function' ? lift(custom) : lower(fn, hasContext, context, nodeback);
    return dress(promisified, fn);
  },
};

const isObject = (value) => typeof value === 'object' && value !== null;

/** Makes promises of ours from a function that returns promises already. */
function lift(fn) {
  return function (...args) {
    return resolveAs(CPromise, fn.apply(this, args));
  };
}

function lower(fn, hasContext, context, nodeback) {
  return function (a, b, c) {
    const receiver = hasContext ? context : this;
    const promise = create();
    const settler = nodeback.bind(promise);
    try {
      switch (arguments.length) {
        case 0: fn.call(receiver, settler); break;
        case 1: fn.call(receiver, a, settler); break;
        case 2: fn.call(receiver, a, b, settler); break;
        case 3: fn.call(receiver, a, b, c, settler); break;
        default: fn.call(receiver, ...arguments, settler);
      }
    } catch (e) {
      rejectThrown(promise, e);
    }
    return promise;
  };
}

/** Gives a promisified function the name of the original and its length less the callback. */
function dress(promisified, fn) {
  Object.defineProperty(promisified, 'name', { value: fn.name, configurable: true });
  Object.defineProperty(promisified, 'length', { value: Math.max(fn.length - 1, 0), configurable: true });
  return promisified;
}

install(CPromise, statics);

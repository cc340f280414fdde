'use strict';
/** catch with filters, and its relatives: caught, error, tapCatch, catchReturn, catchThrow. */
const { CPromise } = require('./core');
const { promiseOf, react, rejected, isObject, describe } = require('./promise');
const { silence } = require('./inputs');
const { isOperational } = require('./errors');
const { install } = require('./install');

/** Built-in functions that convert their argument. No reason is an instance of them: as filters they are predicates. */
const converters = new Set([Boolean, Number, String]);

/**
 * Whether a filter takes a reason.
 * @param {Function|object} filter a class takes its instances; another function is
 *   called with the reason; an object takes what has the same properties, by ==
 * @throws whatever a predicate or a getter throws
 */
function matches(filter, reason, receiver) {
  if (typeof filter !== 'function') return isObject(reason) && hasProperties(reason, filter);
  if (isObject(filter.prototype)) {
    if (reason instanceof filter) return true;
    if (isClass(filter)) return false;
  }
  return Boolean(Reflect.apply(filter, receiver, [reason]));
}

/** Whether a function that has a prototype was written to make instances. */
function isClass(fn) {
  if (converters.has(fn)) return false;
  // That of classes and of built-in constructors is for good.
  if (Object.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false) return true;
  // Any other function is born with an object of nothing but `constructor`.
  const base = Object.getPrototypeOf(fn.prototype);
  return base === null || Object.getPrototypeOf(base) !== null || Reflect.ownKeys(fn.prototype).length > 1;
}

function hasProperties(object, pattern) {
  // As Bluebird: {code: 404} takes '404'.
  // eslint-disable-next-line eqeqeq
  return Object.keys(pattern).every((key) => object[key] == pattern[key]);
}

/** A handler that calls `handler` when one of the filters takes the reason, and else throws it on. */
function filtered(filters, handler) {
  return function (reason) {
    for (const filter of filters) {
      if (matches(filter, reason, this)) return Reflect.apply(handler, this, [reason]);
    }
    throw reason;
  };
}

/** What is wrong with filters: an error, or undefined. */
function faultOf(filters, method) {
  const index = filters.findIndex((filter) => !isObject(filter));
  if (index < 0) return undefined;
  return new TypeError(`expecting a filter of ${method} to be a class, a function or an object but got ${describe(filters[index])}`);
}

function handlerFault(handler, method) {
  return new TypeError(`expecting the last argument of ${method} to be a function but got ${describe(handler)}`);
}

/** catch with more than one argument: the last one is the handler. @throws {TypeError} it is no function */
function catchSome(promise, [...filters], method = 'catch') {
  const handler = filters.pop();
  const fault = faultOf(filters, method);
  if (fault !== undefined) return rejected(fault);
  if (typeof handler !== 'function') throw handlerFault(handler, method);
  return promise.then(undefined, filtered(filters, handler));
}

/** A handler that calls `handler`, waits for its result, and throws the reason again. */
function tapping(handler) {
  return function (reason) {
    const result = Reflect.apply(handler, this, [reason]);
    if (!isObject(result)) throw reason;
    return react(promiseOf(result), () => {
      throw reason;
    });
  };
}

const methods = {
  /**
   * Handles a rejection. With more than one argument the last is the handler and
   * the others are filters, of which one must take the reason: a class (also one
   * that is no Error) takes its instances, a predicate is called with the reason, an
   * object takes a reason that has the same properties. What none takes passes.
   * @param {(reason: any) => any} onRejected
   * @throws {TypeError} there are filters, and the handler is no function
   * @returns {CPromise} rejected with a TypeError for a filter that is neither object nor function
   * @see https://tc39.es/ecma262/#sec-promise.prototype.catch
   * @see http://bluebirdjs.com/docs/api/catch.html
   */
  catch(onRejected) {
    return arguments.length > 1 ? catchSome(this, arguments) : this.then(undefined, onRejected);
  },

  /**
   * Handles operational errors alone, as those of promisified functions are.
   * @param {(reason: any) => any} handler
   * @throws {TypeError} handler is no function
   * @see http://bluebirdjs.com/docs/api/error.html
   */
  error(handler) {
    return catchSome(this, [isOperational, handler], 'error');
  },

  /**
   * Calls `handler(reason)` of a rejection, filtered as by catch, waits for its result
   * and stays rejected; unless the handler fails, which rejects with its error.
   * @see http://bluebirdjs.com/docs/api/tapcatch.html
   */
  tapCatch(...filters) {
    const handler = filters.pop();
    const isFunction = typeof handler === 'function';
    if (filters.length === 0) return isFunction ? this.then(undefined, tapping(handler)) : this.then();
    const fault = faultOf(filters, 'tapCatch') ?? (isFunction ? undefined : handlerFault(handler, 'tapCatch'));
    return fault === undefined ? this.then(undefined, filtered(filters, tapping(handler))) : rejected(fault);
  },

  /**
   * Handles a rejection by `value`; of two arguments the first is a filter of catch.
   * @see http://bluebirdjs.com/docs/api/catchreturn.html
   */
  catchReturn(filter, value) {
    const result = arguments.length > 1 ? value : filter;
    silence(result);
    return catchWith(this, arguments, () => result, 'catchReturn');
  },

  /**
   * Replaces the reason of a rejection; of two arguments the first is a filter of catch.
   * @see http://bluebirdjs.com/docs/api/catchthrow.html
   */
  catchThrow(filter, reason) {
    const result = arguments.length > 1 ? reason : filter;
    const thrower = () => {
      throw result;
    };
    return catchWith(this, arguments, thrower, 'catchThrow');
  },
};

function catchWith(promise, args, handler, method) {
  return args.length > 1 ? catchSome(promise, [args[0], handler], method) : promise.then(undefined, handler);
}

Object.defineProperty(methods.tapCatch, 'length', { value: 1, configurable: true });

install(CPromise.prototype, methods);
install(CPromise.prototype, { caught: methods.catch });

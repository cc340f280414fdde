'use strict';
/**
 * The errors of the library. `instanceof` recognises those of other copies of it
 * too, and those of Bluebird: an error carries a brand, and nothing is shared
 * through a global.
 */
const { CPromise, isObject } = require('./promise');
const { install } = require('./install');

const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];

/** Whether an error was made by a class of that name in Bluebird. */
function isOfBluebird(error, name) {
  const theirs = Error.__BluebirdErrorTypes__?.[name];
  return typeof theirs === 'function' && error instanceof theirs;
}

/**
 * A class of errors that can be called without `new`.
 * @param {string} name
 * @param {string} text the message when none is given
 * @param {(error: Error, message: any) => void} fill completes a new error
 * @param {(value: object) => boolean} includes what else counts as an instance
 */
function defineError(name, text, fill = () => {}, includes = () => false) {
  const brand = Symbol.for(`cpromise.${name}`);
  // A function of its own name, that is a constructor too.
  const { [name]: E } = {
    [name]: function (message) {
      const C = new.target ?? E;
      // Its stack begins below C, which is what `new` was called with.
      const error = Reflect.construct(Error, [typeof message === 'string' ? message : text], C);
      fill(error, message);
      return error;
    },
  };
  Object.setPrototypeOf(E, Error);
  E.prototype = Object.create(Error.prototype);
  install(E.prototype, { constructor: E, name, [brand]: true });
  install(E, {
    [Symbol.hasInstance](value) {
      if (this !== E) return Reflect.apply(ordinaryHasInstance, this, [value]);
      return isObject(value) && (value[brand] === true || isOfBluebird(value, name) || includes(value));
    },
  });
  Object.defineProperty(E, 'prototype', { writable: false, enumerable: false });
  return E;
}

/** An error that was to be expected: that of a node-style callback, or an explicit rejection. */
const OperationalError = defineError('OperationalError', '', fillOperational, isPlainOperational);

/** Takes its text and stack from `cause` when that is an error. */
function fillOperational(error, cause) {
  install(error, { isOperational: true });
  if (cause === undefined) return;
  install(error, { cause });
  if (!(cause instanceof Error)) return;
  install(error, { message: cause.message, stack: cause.stack });
}

/** An error of no other class that is marked: where Bluebird would have made an OperationalError of it. */
function isPlainOperational(value) {
  return isOperational(value) && Object.getPrototypeOf(value) === Error.prototype;
}

/** Whether an error is marked as one to be expected, by this library or by another. */
function isOperational(error) {
  return isObject(error) && error.isOperational === true;
}

/**
 * What a promise is rejected with for the error of a node-style callback: the error,
 * or whatever object it is, itself, marked; an OperationalError for what is no object
 * and for an error that cannot be marked.
 */
function operational(error) {
  if (!isObject(error)) return OperationalError(String(error));
  try {
    if (!isOperational(error)) install(error, { isOperational: true });
    return error;
  } catch {
    return isError(error) ? OperationalError(error) : error; // frozen
  }
}

function isError(object) {
  return object instanceof Error || Object.prototype.toString.call(object) === '[object Error]';
}

/** What `timeout` rejects with. */
const TimeoutError = defineError('TimeoutError', 'timeout error');

/** What a promise that has been cancelled rejects those with who come later. */
const CancellationError = defineError('CancellationError', 'cancellation error');

/**
 * The AggregateError of ES, array-like as that of Bluebird: each error stands at
 * its index too, and there is a `length`.
 */
function aggregate(errors, message) {
  const error = new AggregateError(errors, message);
  const { length } = errors;
  for (let i = 0; i < length; i++) {
    Object.defineProperty(error, i, { value: errors[i], writable: true, configurable: true });
  }
  Object.defineProperty(error, 'length', { value: length, writable: true, configurable: true });
  return operational(error);
}

install(CPromise, {
  OperationalError, RejectionError: OperationalError, TimeoutError, CancellationError, AggregateError, TypeError, RangeError,
});

module.exports = { aggregate, operational, isOperational, OperationalError, TimeoutError, CancellationError };

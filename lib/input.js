'use strict';
/**
 * Reading what combinators and collections are given: arrays, other iterables,
 * and the elements in them.
 */
const { CPromise, thenMethod, isPromise, isPlainPromise, create, rejected, resolvers, resolveWithThen, describe } = require('./promise');

const arrayIterator = Array.prototype[Symbol.iterator];
const arrayIteratorPrototype = Object.getPrototypeOf([][Symbol.iterator]());
const arrayNext = arrayIteratorPrototype.next;

/** Whether `value` is an array of another realm, which Array.prototype knows nothing of. */
function isForeignArray(value) {
  return Array.isArray(value) && !(value instanceof Array) && !Object.hasOwn(value, Symbol.iterator);
}

/** Whether iterating over `value` is nothing but reading its elements in order. */
function isPlainArray(value) {
  return Array.isArray(value) && value[Symbol.iterator] === arrayIterator && arrayIteratorPrototype.next === arrayNext;
}

/**
 * What stands for an element while it is waited for: a promise of ours when it
 * has to be waited for, else the value itself.
 */
function toInput(element) {
  if (element === null || (typeof element !== 'object' && typeof element !== 'function')) return element;
  return isPlainPromise(element) && element.then === thenMethod ? element : toInputSlow(element);
}

function toInputSlow(element) {
  let then;
  const plain = isPromise(element) && element.constructor === CPromise;
  try {
    then = element.then;
  } catch (e) {
    if (plain) throw e;
    return rejected(e);
  }
  if (plain) return then === thenMethod ? element : invoke(element, then); // it may be bound
  if (typeof then !== 'function') return element;
  const promise = create();
  resolveWithThen(promise, element, then);
  return promise;
}

/** Calls the `then` with which a user has replaced ours on one promise. */
function invoke(element, then) {
  const promise = create();
  Reflect.apply(then, element, resolvers(promise));
  return promise;
}

/**
 * Calls `visit` for each element of an iterable; `method` is its Symbol.iterator.
 * @throws whatever the iterable or `visit` throws; TypeError when it is none. The
 *   iterator is closed when the fault is not its own.
 * @see https://tc39.es/ecma262/#sec-getiterator
 */
function iterate(iterable, method, visit) {
  if (typeof method !== 'function') throw new TypeError(`${describe(iterable)} is not iterable`);
  const iterator = Reflect.apply(method, iterable, []);
  if (iterator === null || (typeof iterator !== 'object' && typeof iterator !== 'function')) {
    throw new TypeError(`Result of the Symbol.iterator method is not an object: ${describe(iterator)}`);
  }
  const { next } = iterator;
  for (;;) {
    const step = Reflect.apply(next, iterator, []);
    if (step === null || (typeof step !== 'object' && typeof step !== 'function')) {
      throw new TypeError(`Iterator result ${describe(step)} is not an object`);
    }
    if (step.done) return;
    const { value } = step;
    try {
      visit(value);
    } catch (e) {
      close(iterator);
      throw e;
    }
  }
}

/** Closes an iterator because of an error of ours: its own errors are ignored. */
function close(iterator) {
  try {
    const method = iterator.return;
    if (method !== undefined && method !== null) method.call(iterator);
  } catch {
    // The first error is the one that counts.
  }
}

module.exports = { iterate, isPlainArray, isForeignArray, toInput };

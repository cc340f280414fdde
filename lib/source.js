'use strict';
/**
 * Where a collection method gets its elements from: an array, an iterator that
 * is read when a place is free, or an async iterator, one next() at a time.
 */
const { CPromise, isObject, describe, promiseOf, rejected, react } = require('./promise');
const { isPlainArray, isForeignArray, toInput } = require('./input');
const { claim } = require('./inputs');
const context = require('./context');
const { keepShape } = require('./shapes');

const ignore = () => {};

/**
 * An array, as it was when it was opened. `length` is known. Its promises may be
 * rejected before their turn comes, so they count as handled from the beginning.
 */
class ArraySource {
  constructor(array) {
    this.array = array.slice();
    this.length = this.array.length;
    for (let i = 0; i < this.length; i++) {
      if (isObject(this.array[i])) this.array[i] = claimed(this.array[i]);
    }
    this.next = 0;
    this.index = -1;
    this.value = undefined;
    this.resource = undefined;
  }

  /** Moves to the next element; false when there is none. */
  advance() {
    if (this.next === this.length) return false;
    this.index = this.next++;
    this.value = this.array[this.index];
    return true;
  }

  close() {}
}

/** What stands for an element (see input.js), claimed. */
function claimed(element) {
  try {
    return claim(toInput(element));
  } catch (e) {
    return claim(rejected(e));
  }
}

/** An iterator. @throws what the iterator throws; it is not closed then */
class IteratorSource {
  constructor(iterator) {
    this.iterator = iterator;
    this.read = iterator.next;
    this.resource = undefined; // the context of the call, where contexts are in use
    this.length = undefined;
    this.next = 0;
    this.index = -1;
    this.value = undefined;
    this.ended = false;
  }

  advance() {
    if (this.ended) return false;
    this.ended = true; // unless all goes well
    const step = inContext(this.resource, this.read, this.iterator);
    if (!isObject(step)) throw new TypeError(`Iterator result ${describe(step)} is not an object`);
    if (step.done) return false;
    this.value = step.value;
    this.index = this.next++;
    this.ended = false;
    return true;
  }

  /** Tells the iterator that nothing more is wanted; its errors are ignored. */
  close() {
    if (this.ended) return;
    this.ended = true;
    inContext(this.resource, closeIterator, undefined, this.iterator);
  }
}

/** An async iterator: `request` calls back with each element, one at a time. */
class AsyncSource {
  constructor(iterator) {
    this.iterator = iterator;
    this.read = iterator.next;
    this.resource = undefined; // the context of the call, where contexts are in use
    this.length = undefined;
    this.next = 0;
    this.ended = false;
  }

  /** Reads one element: onElement(index, value), onEnd() or onError(error) is called later. */
  request(onElement, onEnd, onError) {
    const failed = (error) => {
      if (this.ended) return;
      this.ended = true;
      onError(error);
    };
    const stepped = (step) => {
      if (this.ended) return;
      try {
        if (!isObject(step)) throw new TypeError(`Iterator result ${describe(step)} is not an object`);
        if (step.done) {
          this.ended = true;
          onEnd();
          return;
        }
        const { value } = step;
        onElement(this.next++, value);
      } catch (e) {
        failed(e);
      }
    };
    let result;
    try {
      result = inContext(this.resource, this.read, this.iterator);
    } catch (e) {
      failed(e);
      return;
    }
    react(promiseOf(result), stepped, failed);
  }

  close() {
    if (this.ended) return;
    this.ended = true;
    inContext(this.resource, closeIterator, undefined, this.iterator);
  }
}

/** Runs a function of the user in the context of the call. */
function inContext(resource, fn, receiver, ...args) {
  return resource === undefined ? Reflect.apply(fn, receiver, args) : resource.runInAsyncScope(fn, receiver, ...args);
}

function closeIterator(iterator) {
  try {
    const method = iterator.return;
    if (method === undefined || method === null) return;
    const result = Reflect.apply(method, iterator, []);
    if (isObject(result) && typeof result.then === 'function') react(promiseOf(result), ignore, ignore);
  } catch {
    // The outcome is decided already.
  }
}

function iteratorOf(input, method) {
  const iterator = Reflect.apply(method, input, []);
  if (!isObject(iterator)) throw new TypeError(`the iterator of ${describe(input)} is not an object but ${describe(iterator)}`);
  return iterator;
}

/**
 * Opens what a collection method was given.
 * @returns {ArraySource | IteratorSource | AsyncSource | undefined} undefined: it is a thenable, whose value is to be opened
 * @throws {TypeError} it is nothing of these
 */
function open(input) {
  if (isPlainArray(input)) return new ArraySource(input);
  if (isForeignArray(input)) return new ArraySource(Array.from(input));
  if (typeof input === 'string') return new IteratorSource(input[Symbol.iterator]());
  if (isObject(input)) {
    const iterable = input[Symbol.iterator];
    if (typeof iterable === 'function') return new IteratorSource(iteratorOf(input, iterable));
    const asyncIterable = input[Symbol.asyncIterator];
    if (typeof asyncIterable === 'function') return new AsyncSource(iteratorOf(input, asyncIterable));
    if (input instanceof CPromise || typeof input.then === 'function') return undefined;
  }
  throw notIterable(input);
}

function notIterable(input) {
  return new TypeError(`expecting an array or an iterable object but got ${describe(input)}`);
}

/**
 * Opens `input`, or the value of the promise that it is, and calls
 * opened(source) or failed(error): at once when it is no promise, else later.
 */
function withSource(input, opened, failed) {
  const resource = context.inUse() ? context.capture() : undefined;
  const read = (value) => {
    const source = inContext(resource, open, undefined, value);
    if (source !== undefined) source.resource = resource;
    return source;
  };
  withInput(input, read, opened, failed);
}

/**
 * Reads `input` with `read`; when that gives undefined it is a thenable, and its
 * value is read once it is fulfilled. Calls done(result, value) or failed(error).
 */
function withInput(input, read, done, failed) {
  const tryRead = (value) => {
    try {
      return { result: read(value) };
    } catch (e) {
      failed(e);
      return undefined;
    }
  };
  const first = tryRead(input);
  if (first === undefined) return;
  if (first.result !== undefined) {
    done(first.result, input);
    return;
  }
  react(
    promiseOf(input),
    (value) => {
      const later = tryRead(value);
      if (later === undefined) return;
      if (later.result === undefined) failed(notIterable(value));
      else done(later.result, value);
    },
    failed,
  );
}

keepShape(new ArraySource([]));
keepShape(new IteratorSource([].values()));

module.exports = { ArraySource, IteratorSource, AsyncSource, open, withSource, withInput };

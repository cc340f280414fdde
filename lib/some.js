'use strict';
/** some and join. */
const { CPromise } = require('./core');
const { create, createLike, promiseOf, react, settle, rejectPromise, describe } = require('./promise');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');
const { hooks, resultOf } = require('./features');
const { withSource } = require('./source');
const { combineInto, kinds } = require('./combinators');
const { aggregate } = require('./errors');
const { toInput } = require('./input');
const { claim } = require('./inputs');

/**
 * Collects values in the order in which they come, which no combinator tells; so
 * each input gets a reaction of its own.
 */
function collectSome(promise, inputs, count) {
  const values = [];
  const errors = [];
  let over = false;
  const end = (value, state) => {
    over = true;
    if (state === REJECTED) rejectPromise(promise, value);
    else settle(promise, value, state);
  };
  if (count > inputs.length) {
    end(new RangeError(`expecting at least ${count} elements but got ${inputs.length}`), REJECTED);
  } else if (count === 0) {
    end(values, FULFILLED);
  }
  for (const input of inputs) {
    react(
      promiseOf(input),
      (value) => {
        if (over) return;
        values.push(value);
        if (values.length === count) end(values, FULFILLED);
      },
      (error) => {
        if (over) return;
        errors.push(error);
        if (inputs.length - errors.length < count) end(aggregate(errors, 'Too many promises were rejected'), REJECTED);
      },
    );
  }
}

const statics = {
  /**
   * Fulfills with the first `count` values in the order in which they come; rejects
   * with an AggregateError of the rejections so far when that has become impossible.
   * @param {Iterable|AsyncIterable|PromiseLike} input
   * @param {number} count non-negative integer; more than there are elements rejects with a RangeError
   * @see http://bluebirdjs.com/docs/api/promise.some.html
   */
  some(input, count) {
    const promise = createLike(input);
    const failed = (error) => settle(promise, error, REJECTED);
    if (!Number.isSafeInteger(count) || count < 0) {
      failed(new TypeError(`expecting count to be a non-negative integer but got ${describe(count)}`));
      return promise;
    }
    // All elements at once, each as a value: nothing is waited for in here.
    let elements = [];
    const collect = (inputs) => {
      elements = inputs;
      collectSome(promise, inputs, count);
    };
    withSource(input, (source) => readAll(source, collect, failed), failed);
    return resultOf(promise, input, () => hooks.cancel(input, ...elements));
  },

  /**
   * Waits for all arguments but the last, and calls that with their values. When
   * the last is no function it is one of the values, and the result their array.
   * @see http://bluebirdjs.com/docs/api/promise.join.html
   */
  join(...values) {
    const last = values[values.length - 1];
    const fn = typeof last === 'function' ? values.pop() : undefined;
    const all = create();
    combineInto(all, kinds.all, values);
    const result = resultOf(all, values);
    return fn === undefined ? result : result.then((array) => fn(...array));
  },
};

/** Reads a source to its end. */
function readAll(source, done, failed) {
  const elements = [];
  if (source.request !== undefined) {
    const read = () => source.request(
      (index, element) => {
        elements.push(element);
        read();
      },
      () => done(elements),
      failed,
    );
    read();
    return;
  }
  try {
    while (source.advance()) elements.push(source.value);
  } catch (e) {
    for (const element of elements) claim(toInput(element));
    failed(e);
    return;
  }
  done(elements);
}

const methods = {
  some(count) {
    return statics.some(this, count);
  },
};

install(CPromise, statics);
install(CPromise.prototype, methods);

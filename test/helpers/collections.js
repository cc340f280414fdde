'use strict';

// What the tests of the collections share.

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { P, Native, isNative } = require('./subject');
const { Bluebird, macro, rejection, rejectionEvents } = require('./util');

/**
 * The tests of one method: `shared(C)` for what Bluebird does alike, run on both
 * classes, `own()` for what is ours. Native promises have no collections.
 */
function collectionTests(title, shared, own) {
  (isNative ? describe.skip : describe)(title, () => {
    if (shared) {
      for (const [name, C] of [['cpromise', P], ['bluebird', Bluebird]]) {
        describe(`as in Bluebird: ${name}`, () => shared(C));
      }
    }
    if (own) own();
  });
}

/** The ways to call a method: `call(input, ...args)`. */
function forms(C, method) {
  return [
    { form: 'static', call: (input, ...args) => C[method](input, ...args) },
    { form: 'prototype', call: (input, ...args) => C.resolve(input)[method](...args) },
  ];
}

/** Runs `body`; Bluebird may report rejections that it takes up later than we do. */
function unreported(C, body) {
  return C === Bluebird ? rejectionEvents(body) : body();
}

/** Enough turns of the loop for everything that waits for nothing else. */
async function quiet(turns = 6) {
  for (let i = 0; i < turns; i++) await macro();
}

/** A function whose calls the test answers: `calls[i]` has args, resolve, reject. */
function manual() {
  const calls = [];
  function fn(...args) {
    return new Native((resolve, reject) => calls.push({ args, resolve, reject }));
  }
  return { calls, fn };
}

/** The numbers from 0 to n - 1. */
function numbers(n) {
  return Array.from({ length: n }, (_, i) => i);
}

/**
 * A generator of `list` that tells how far it was read: `pulled` values, `closed`
 * times (read to the end counts too).
 */
function counted(list) {
  const state = { pulled: 0, closed: 0 };
  state.iterable = (function* () {
    try {
      for (const x of list) {
        state.pulled++;
        yield x;
      }
    } finally {
      state.closed++;
    }
  })();
  return state;
}

/** The same as an async generator; `busy` is set when next() was called while one was pending. */
function countedAsync(list) {
  const state = { pulled: 0, closed: 0, returns: 0, busy: false };
  const source = (async function* () {
    try {
      for (const x of list) {
        await macro();
        state.pulled++;
        yield x;
      }
    } finally {
      state.closed++;
    }
  })();
  let pending = false;
  state.iterable = {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      state.busy ||= pending;
      pending = true;
      try {
        return await source.next();
      } finally {
        pending = false;
      }
    },
    return(value) {
      state.returns++;
      return source.return(value);
    },
  };
  return state;
}

/** An iterable that throws `error` in place of item `at`, and counts return(). */
function failing(at, error, isAsync = false) {
  const state = { returns: 0 };
  let i = 0;
  const next = () => {
    if (i === at) throw error;
    return { done: false, value: i++ };
  };
  const close = () => {
    state.returns++;
    return {};
  };
  state.iterable = isAsync
    ? { [Symbol.asyncIterator]: () => ({ next: async () => next(), return: async () => close() }) }
    : { [Symbol.iterator]: () => ({ next, return: close }) };
  return state;
}

const notIterable = [
  [undefined, /undefined/], [null, /null/i], [0, /number|\b0\b/i], [true, /boolean|true/i],
  [Symbol('s'), /symbol/i], [1n, /bigint|\b1\b/i], [{ a: 1 }, /object/i], [() => {}, /function/i],
  [{ length: 0 }, /object/i], [{ [Symbol.iterator]: 1 }, /./], [Object.create(null), /object/i],
];

const notFunction = [
  [undefined, /undefined/], [null, /null/i], [5, /number|\b5\b/i], ['name', /string|name/i],
  [{ a: 1 }, /object/i], [Symbol('s'), /symbol/i],
];

/** Tests that `call(fn)` rejects with a TypeError for what is no function. */
function rejectsNoFunction(call, C) {
  return it('a mapper that is no function', async () => {
    for (const [bad, what] of notFunction) {
      const error = await rejection(call(bad));
      assert.ok(error instanceof TypeError, inspect(error));
      assert.match(error.message, /function/);
      if (C === P) assert.match(error.message, what);
    }
  });
}

/** Tests that `call(options)` rejects with a TypeError that names a wrong limit. */
function rejectsBadConcurrency(call) {
  return it('a concurrency that is no positive integer or Infinity', async () => {
    for (const bad of [0, -1, 1.5, NaN, -Infinity, '2', null, true, {}, 1n]) {
      const promise = call({ concurrency: bad });
      assert.ok(promise instanceof P);
      const error = await rejection(promise);
      assert.ok(error instanceof TypeError, inspect(error));
      assert.match(error.message, /concurrency/);
      if (typeof bad !== 'object' || bad === null) assert.ok(error.message.includes(String(bad)), error.message);
    }
    for (const good of [undefined, 1, 7, 2 ** 31, 2 ** 40, Infinity]) await call({ concurrency: good });
  });
}

/** Checks that `error` is an AggregateError of `errors`, which is also like an array. */
function checkAggregate(error, errors) {
  assert.ok(error instanceof AggregateError, inspect(error));
  assert.ok(error instanceof Error);
  assert.ok(Array.isArray(error.errors));
  assert.deepEqual(error.errors, errors);
  assert.equal(error.length, errors.length);
  errors.forEach((e, i) => assert.equal(error[i], e));
  assert.deepEqual(Array.from(error), errors);
}

/** For a process of its own with --expose-gc: the peak of the heap, in MB, over `base`. */
const HEAP = `
const MB = 1048576;
const heap = () => { gc(); return process.memoryUsage().heapUsed / MB; };
let base;
let peak = 0;
const sample = () => { peak = Math.max(peak, heap() - base); };
`;

module.exports = {
  HEAP, checkAggregate, collectionTests, counted, countedAsync, failing, forms, manual, notFunction, notIterable,
  numbers, quiet, rejectsBadConcurrency, rejectsNoFunction, unreported,
};

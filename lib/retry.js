'use strict';
/** retry and waitFor: what is done again until it succeeds. */
const { CPromise } = require('./core');
const { create, promiseOf, resolvePromise, describe } = require('./promise');
const { install } = require('./install');
const { checkSignal } = require('./collections');
const { TimeoutError, operational } = require('./errors');
const { checkOptions, functionOption, countOption, timeOption, numberOption, booleanOption } = require('./options');

/** A promise of ours of what an async function does. */
function run(steps) {
  const promise = create();
  resolvePromise(promise, promiseOf(steps()));
  return promise;
}

function checkFunction(fn, name) {
  if (typeof fn !== 'function') throw new TypeError(`expecting ${name} to be a function but got ${describe(fn)}`);
}

function readRetry(options) {
  const given = checkOptions(options);
  return {
    retries: countOption(given, 'retries', 10),
    factor: numberOption(given, 'factor', 2),
    minTimeout: timeOption(given, 'minTimeout', 1000),
    maxTimeout: timeOption(given, 'maxTimeout', Infinity),
    randomize: booleanOption(given, 'randomize', false),
    shouldRetry: functionOption(given, 'shouldRetry'),
    onFailedAttempt: functionOption(given, 'onFailedAttempt'),
    signal: given.signal === undefined ? undefined : checkSignal(given.signal),
  };
}

/** Milliseconds between attempt `n` and the next. */
function pause(n, { factor, minTimeout, maxTimeout, randomize }) {
  const random = randomize ? 1 + Math.random() : 1;
  return Math.min(random * minTimeout * factor ** (n - 1), maxTimeout);
}

/** Rejects like `signal`, or has the outcome of `value`, whichever comes first. */
function unlessAborted(value, signal) {
  if (signal === undefined) return value;
  if (signal.aborted) throw signal.reason;
  const aborted = create();
  const onAbort = () => resolvePromise(aborted, CPromise.reject(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  return CPromise.race([promiseOf(value), aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

async function attempt(fn, options) {
  const { retries, shouldRetry, onFailedAttempt, signal } = options;
  for (let attemptNumber = 1; ; attemptNumber++) {
    if (signal !== undefined && signal.aborted) throw signal.reason;
    try {
      return await unlessAborted(fn(attemptNumber), signal);
    } catch (error) {
      if (signal !== undefined && signal.aborted) throw signal.reason;
      const context = { error, attemptNumber, retriesLeft: retries + 1 - attemptNumber };
      if (onFailedAttempt !== undefined) await onFailedAttempt(context);
      if (context.retriesLeft <= 0) throw error;
      if (shouldRetry !== undefined && !(await shouldRetry(context))) throw error;
      await CPromise.delay(pause(attemptNumber, options), undefined, { signal });
    }
  }
}

async function poll(predicate, { interval, timeout, signal }) {
  const start = performance.now();
  for (;;) {
    if (signal !== undefined && signal.aborted) throw signal.reason;
    const left = timeout - (performance.now() - start);
    const value = await unlessAborted(timeout === Infinity ? predicate() : promiseOf(predicate()).timeout(Math.max(left, 0)), signal);
    if (value) return value;
    if (timeout - (performance.now() - start) <= 0) throw operational(new TimeoutError('operation timed out'));
    await CPromise.delay(Math.min(interval, Math.max(timeout - (performance.now() - start), 0)), undefined, { signal });
  }
}

const statics = {
  /**
   * Calls `fn(attemptNumber)` until it gives no error, with growing pauses between.
   * @param {(attemptNumber: number) => any} fn attemptNumber: 1, 2, …
   * @param {object} [options]
   * @param {number} [options.retries] attempts after the first, 10 by default; Infinity: for ever
   * @param {number} [options.factor] each pause is so many times the one before, 2 by default
   * @param {number} [options.minTimeout] the first pause in milliseconds, 1000 by default
   * @param {number} [options.maxTimeout] no pause is longer; Infinity by default
   * @param {boolean} [options.randomize] pauses are up to twice as long
   * @param {(context: {error: any, attemptNumber: number, retriesLeft: number}) => any} [options.shouldRetry]
   *   falsy, or a promise of that, means no; what it throws rejects
   * @param {(context: object) => any} [options.onFailedAttempt] called after each failure and
   *   waited for, before shouldRetry; what it throws rejects
   * @param {AbortSignal} [options.signal] aborted: rejects with its reason
   * @returns {Promise<any>} rejected with the last error; with a TypeError for wrong arguments
   */
  retry(fn, options) {
    return run(async () => {
      checkFunction(fn, 'the function');
      return attempt(fn, readRetry(options));
    });
  },

  /**
   * Calls `predicate()` again and again until it gives something truthy, and
   * fulfills with that. A call starts `interval` after the one before has ended.
   * @param {() => any} predicate what it throws rejects
   * @param {{interval?: number, timeout?: number, signal?: AbortSignal}} [options]
   *   interval: milliseconds, 20 by default. timeout: milliseconds, Infinity by default.
   * @returns {Promise<any>} rejected with a TimeoutError when the time is over; with the
   *   reason of `signal`; with a TypeError for wrong arguments
   */
  waitFor(predicate, options) {
    return run(async () => {
      checkFunction(predicate, 'the predicate');
      const given = checkOptions(options);
      const signal = given.signal === undefined ? undefined : checkSignal(given.signal);
      return poll(predicate, { interval: timeOption(given, 'interval', 20), timeout: timeOption(given, 'timeout', Infinity), signal });
    });
  },
};

install(CPromise, statics);

'use strict';
/** map, mapSeries, filter, each, reduce, mapValues. */
const { CPromise } = require('./core');
const { createLike, promiseOf, react, settle, isObject, isPromise, withReceiver, describe } = require('./promise');
const { REJECTED } = require('./state');
const features = require('./features');
const { install } = require('./install');
const context = require('./context');
const { ArraySource, withSource, withInput } = require('./source');
const { MapWork, FilterWork, EachWork, ReduceWork, ValuesWork } = require('./mapping');
const { readEntries } = require('./entries');
const { isPlainArray } = require('./input');
const { claim, silence } = require('./inputs');
const { keepShape } = require('./shapes');

/**
 * The user's function as it is to be called: with the `this` of an input that is a
 * bound promise, in the context of this moment.
 * @throws {TypeError} `fn` is not a function
 */
function checkFunction(fn, name, input) {
  if (typeof fn !== 'function') throw new TypeError(`expecting ${name} to be a function but got ${describe(fn)}`);
  const call = withReceiver(input, fn);
  return context.inUse() ? bindToContext(call) : call;
}

/** Every call sees the context of this moment. */
function bindToContext(fn) {
  const resource = context.capture();
  // One scope a call: what a call enters into is its own.
  const call = (...args) => context.capture().runInAsyncScope(fn, undefined, ...args);
  return (...args) => resource.runInAsyncScope(call, undefined, ...args);
}

/**
 * The function and the options of one call, with their defaults.
 * @throws {TypeError} naming the option and its value
 */
function readOptions(fn, options, concurrency = Infinity) {
  const read = { fn, concurrency, signal: undefined, stopOnError: true, initial: undefined, watch: undefined };
  if (options === undefined) return read;
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`expecting options to be an object but got ${describe(options)}`);
  }
  if (options.concurrency !== undefined) read.concurrency = checkConcurrency(options.concurrency);
  if (options.signal !== undefined) read.signal = checkSignal(options.signal);
  if (options.stopOnError !== undefined) read.stopOnError = checkBoolean(options.stopOnError, 'stopOnError');
  return read;
}

/** The same where one follows the other: whoever asks for more wants another method. */
function readSerial(fn, options) {
  const read = readOptions(fn, options, 1);
  if (read.concurrency === 1) return read;
  throw new TypeError(`expecting concurrency to be 1 in mapSeries (map takes others) but got ${describe(read.concurrency)}`);
}

function checkConcurrency(value) {
  if (value === Infinity || (Number.isInteger(value) && value > 0)) return value;
  throw new TypeError(`expecting concurrency to be a positive integer or Infinity but got ${describe(value)}`);
}

function checkBoolean(value, name) {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`expecting ${name} to be a boolean but got ${describe(value)}`);
}

function checkSignal(signal) {
  if (
    signal !== null && typeof signal === 'object' && typeof signal.aborted === 'boolean' &&
    typeof signal.addEventListener === 'function' && typeof signal.removeEventListener === 'function'
  ) return signal;
  throw new TypeError(`expecting signal to be an AbortSignal but got ${describe(signal)}`);
}

/**
 * A result on its way, and the signal that may end it: before there is a job, by
 * rejecting the result, and afterwards by stopping the job.
 */
class Watch {
  constructor(promise, signal) {
    this.promise = promise;
    this.signal = signal;
    this.job = undefined;
    this.over = false;
    this.onAbort = undefined;
  }

  /** @throws the reason of a signal that is aborted already */
  begin() {
    const { signal } = this;
    if (signal === undefined) return;
    if (signal.aborted) throw signal.reason;
    this.onAbort = () => {
      if (this.job === undefined) this.fail(signal.reason);
      else this.job.stop(signal.reason);
    };
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Rejects the result while there is no job. */
  fail(error) {
    if (this.over) return;
    this.end();
    settle(this.promise, error, REJECTED);
  }

  /** The signal does not matter any more. */
  end() {
    this.over = true;
    if (this.onAbort !== undefined) this.signal.removeEventListener('abort', this.onAbort);
  }
}

/**
 * Calls start(watch, options) for a new result of the method `name`; what it throws
 * rejects the result. `signal` may end the work until watch.end().
 */
function watched(name, input, read, start) {
  const promise = createLike(input);
  let watch;
  try {
    const options = read();
    if (features.watch.features !== 0) options.fn = features.hooks.callback(options.fn, promise, name);
    watch = new Watch(promise, options.signal);
    watch.begin();
    options.watch = watch;
    start(watch, options);
  } catch (e) {
    disregard(input);
    if (watch === undefined) settle(promise, e, REJECTED);
    else watch.fail(e);
  }
  return features.resultOf(promise, input);
}

/** An input that will not be read: the rejections in it are nobody's business. */
function disregard(input) {
  try {
    if (isPlainArray(input)) new ArraySource(input).close();
    else if (isPromise(input)) claim(input);
  } catch {
    // The arguments were wrong: that is told already.
  }
}

/** Starts a kind of work over `input` once that can be read. `prepare` checks the arguments. */
function work(name, Work, input, prepare) {
  return watched(name, input, prepare, (watch, options) => {
    withSource(input, (source) => begin(Work, watch, source, options), (error) => watch.fail(error));
  });
}

function begin(Work, watch, source, options) {
  if (watch.over) {
    source.close();
    return;
  }
  try {
    watch.job = new Work(watch.promise, source, options.fn, options);
    watch.job.begin();
  } catch (e) {
    source.close();
    watch.fail(e);
  }
}

const statics = {
  /**
   * Calls `fn(value, index, length)` for each element, in input order, at most
   * `concurrency` at a time, and fulfills with the results in input order.
   * Iterators are read only when a place is free; `length` is undefined for them.
   * The first error rejects, starts nothing more and closes the iterator.
   * @param {Iterable|AsyncIterable|PromiseLike} input elements or promises of them
   * @param {(value: any, index: number, length: number|undefined) => any} fn never called during the call itself
   * @param {{concurrency?: number, signal?: AbortSignal, stopOnError?: boolean}} [options]
   *   concurrency: positive integer or Infinity (default). stopOnError false: all
   *   run, then an AggregateError rejects if there were errors. An aborted signal
   *   rejects with its reason.
   * @returns {Promise<any[]>} rejected with a TypeError for wrong arguments
   * @see http://bluebirdjs.com/docs/api/promise.map.html
   */
  map(input, fn, options) {
    return work('map', MapWork, input, () => readOptions(checkFunction(fn, 'the mapper', input), options));
  },

  /**
   * `map`, one element at a time.
   * @param {{signal?: AbortSignal, stopOnError?: boolean}} [options] as for map; a
   *   concurrency other than 1 is an error
   * @see http://bluebirdjs.com/docs/api/promise.mapseries.html
   */
  mapSeries(input, fn, options) {
    return work('mapSeries', MapWork, input, () => readSerial(checkFunction(fn, 'the mapper', input), options));
  },

  /**
   * The values of the elements whose `fn(value, index, length)` gives something
   * truthy, in input order.
   * @param {{concurrency?: number, signal?: AbortSignal, stopOnError?: boolean}} [options] as for map
   * @see http://bluebirdjs.com/docs/api/promise.filter.html
   */
  filter(input, fn, options) {
    return work('filter', FilterWork, input, () => readOptions(checkFunction(fn, 'the filter', input), options));
  },

  /**
   * Calls `fn(value, index, length)` for each element, one after another unless
   * `concurrency` says more, and ignores what it gives. Fulfills with the values of
   * an array; with undefined for an iterator, which is read step by step and kept
   * nowhere.
   * @param {{concurrency?: number, signal?: AbortSignal, stopOnError?: boolean}} [options]
   *   concurrency: 1 by default; the others as for map
   * @see http://bluebirdjs.com/docs/api/promise.each.html
   */
  each(input, fn, options) {
    return work('each', EachWork, input, () => readOptions(checkFunction(fn, 'the function', input), options, 1));
  },

  /**
   * `fn(accumulator, value, index, length)` for each element, one after another.
   * Without an initial value the first element is the first accumulator.
   * @param {any} [initial] a value or a promise of it
   * @returns {Promise<any>} undefined for no elements and no initial value
   * @see http://bluebirdjs.com/docs/api/promise.reduce.html
   */
  reduce(input, fn, initial) {
    silence(initial);
    const read = () => ({ ...readOptions(checkFunction(fn, 'the reducer', input)), concurrency: 1, initial });
    return watched('reduce', input, read, (watch, options) => {
      const failed = (error) => watch.fail(error);
      withSource(
        input,
        (source) => {
          if (!isObject(initial)) {
            begin(ReduceWork, watch, source, options);
            return;
          }
          react(
            promiseOf(initial),
            (value) => begin(ReduceWork, watch, source, { ...options, initial: value }),
            (error) => {
              source.close();
              failed(error);
            },
          );
        },
        failed,
      );
    });
  },

  /**
   * A new object, or Map, with the same keys and the results of
   * `fn(value, key, input)`.
   * @param {object|Map|PromiseLike} input own enumerable string keys of an object, or a Map
   * @param {{concurrency?: number, signal?: AbortSignal, stopOnError?: boolean}} [options] as for map
   */
  mapValues(input, fn, options) {
    return watched('mapValues', input, () => readOptions(checkFunction(fn, 'the mapper', input), options), (watch, read) => {
      withInput(
        input,
        readEntries,
        (entries, whole) => {
          const { fn: bound } = read;
          const mapper = (value, index) => bound(value, entries.keys[index], whole);
          begin(ValuesWork, watch, new ArraySource(entries.values), { ...read, fn: mapper, entries });
        },
        (error) => watch.fail(error),
      );
    });
  },
};

/** The same as methods: the promise is the input. */
const methods = {
  map(fn, options) {
    return statics.map(this, fn, options);
  },
  mapSeries(fn, options) {
    return statics.mapSeries(this, fn, options);
  },
  filter(fn, options) {
    return statics.filter(this, fn, options);
  },
  each(fn, options) {
    return statics.each(this, fn, options);
  },
  reduce(fn, initial) {
    return statics.reduce(this, fn, initial);
  },
  mapValues(fn, options) {
    return statics.mapValues(this, fn, options);
  },
};

keepShape(new Watch());
keepShape(readOptions(Number));
keepShape({ ...readOptions(Number) });

install(CPromise, statics);
install(CPromise.prototype, methods);

module.exports = { checkFunction, checkConcurrency, checkSignal };

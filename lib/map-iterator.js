'use strict';
/** mapIterator: the results of map one by one, as they are wanted. */
const { CPromise } = require('./core');
const { create, promiseOf, react, resolvePromise, settle, describe } = require('./promise');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');
const { withSource } = require('./source');
const { checkFunction, checkConcurrency, checkSignal } = require('./collections');
const features = require('./features');

const ignore = () => {};

/**
 * Results are started in input order and wait in `line` until they are consumed.
 * A request of the consumer takes the head of the line, or waits in `wanted`.
 */
class Mapped {
  constructor(input, fn, { concurrency, backpressure, signal }) {
    this.input = input;
    this.fn = fn;
    this.concurrency = concurrency;
    this.backpressure = backpressure;
    this.signal = signal;
    this.source = undefined;
    this.opened = false;
    this.ended = false; // nothing more will be started
    this.requested = false; // an async source is being read
    this.running = 0;
    this.line = [];
    this.wanted = [];
    this.serving = []; // requests whose result is still pending
  }

  next() {
    const promise = create();
    this.wanted.push(promise);
    if (!this.opened) this.open();
    this.serve();
    return promise;
  }

  return(value) {
    this.end();
    for (const result of this.line.splice(0)) react(result, undefined, ignore);
    this.serve();
    return promiseOf(value).then((settled) => ({ value: settled, done: true }));
  }

  open() {
    this.opened = true;
    if (this.signal !== undefined) {
      if (this.signal.aborted) {
        this.abort(this.signal.reason);
        return;
      }
      this.onAbort = () => this.abort(this.signal.reason);
      this.signal.addEventListener('abort', this.onAbort, { once: true });
    }
    withSource(
      this.input,
      (source) => {
        this.source = source;
        if (this.ended) source.close();
        // Not inside the call of next().
        else react(promiseOf(), () => this.fill());
      },
      (error) => this.stop(error),
    );
  }

  /** Starts as much as the limits allow. */
  fill() {
    while (!this.ended && !this.requested && this.running < this.concurrency && this.line.length < this.backpressure) {
      if (this.source.request !== undefined) {
        this.requested = true;
        this.source.request(
          (index, value) => {
            this.requested = false;
            this.begin(index, value);
            this.fill();
          },
          () => this.finish(),
          (error) => this.stop(error),
        );
        return;
      }
      let more;
      try {
        more = this.source.advance();
      } catch (e) {
        this.stop(e);
        return;
      }
      if (more) this.begin(this.source.index, this.source.value);
      else this.finish();
    }
  }

  begin(index, element) {
    this.running++;
    const { fn } = this;
    const result = react(promiseOf(element), (value) => fn(value, index, this.source.length));
    const left = () => {
      this.running--;
      this.fill();
    };
    react(result, left, left);
    this.line.push(result);
    this.serve();
  }

  /** An error takes its place at the end of the line. */
  stop(error) {
    if (this.ended) return;
    this.end();
    const failure = create();
    react(failure, undefined, ignore);
    settle(failure, error, REJECTED);
    this.line.push(failure);
    this.serve();
  }

  /** Ends at once: the first request is rejected, the results on their way are dropped. */
  abort(error) {
    this.end();
    for (const result of this.line.splice(0)) react(result, undefined, ignore);
    this.wanted.unshift(...this.serving.splice(0));
    const failure = create();
    react(failure, undefined, ignore);
    settle(failure, error, REJECTED);
    this.line.push(failure);
    this.serve();
  }

  /** The source has ended; results may be on their way. */
  finish() {
    this.ended = true;
    this.serve();
  }

  end() {
    this.forget();
    if (this.ended) return;
    this.ended = true;
    if (this.source !== undefined) this.source.close();
  }

  forget() {
    if (this.onAbort !== undefined) this.signal.removeEventListener('abort', this.onAbort);
  }

  /** Whether a request is still waiting for its result, which has come. */
  served(wanted) {
    const index = this.serving.indexOf(wanted);
    if (index >= 0) this.serving.splice(index, 1);
    return index >= 0;
  }

  /** When nothing is on its way any more the signal has no say. */
  rest() {
    if (this.ended && this.line.length === 0 && this.serving.length === 0) this.forget();
  }

  /** Gives the head of the line to whoever has asked first. */
  serve() {
    while (this.wanted.length > 0 && this.line.length > 0) {
      const wanted = this.wanted.shift();
      const result = this.line.shift();
      this.serving.push(wanted);
      react(
        result,
        (value) => {
          if (!this.served(wanted)) return;
          settle(wanted, { value, done: false }, FULFILLED);
          this.rest();
        },
        (error) => {
          if (!this.served(wanted)) return;
          settle(wanted, error, REJECTED);
          this.end();
          for (const rest of this.line.splice(0)) react(rest, undefined, ignore);
          this.serve();
        },
      );
      if (this.source !== undefined) react(promiseOf(), () => this.fill());
    }
    this.rest();
    if (!this.ended || this.line.length > 0) return;
    for (const wanted of this.wanted.splice(0)) resolvePromise(wanted, { value: undefined, done: true });
  }
}

/** What the consumer has of it. */
class MapIterator {
  #mapped;

  constructor(mapped) {
    this.#mapped = mapped;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Promise<{value: any, done: boolean}>} */
  next() {
    return this.#mapped.next();
  }

  /** Ends the iteration: nothing more is started, the source is closed. */
  return(value) {
    return this.#mapped.return(value);
  }
}

const statics = {
  /**
   * The results of `fn(value, index, length)` in input order, one by one. Nothing
   * is started before the first next(); from then on at most `concurrency` calls
   * run, and at most `backpressure` results wait to be consumed.
   * @param {Iterable|AsyncIterable|PromiseLike} input
   * @param {Function} fn
   * @param {{concurrency?: number, backpressure?: number, signal?: AbortSignal}} [options]
   *   concurrency: positive integer or Infinity (default); backpressure: at least
   *   `concurrency`, which is its default
   * @returns {AsyncIterableIterator} an error is thrown in its place and ends the iteration;
   *   an input that cannot be read rejects the first next()
   * @throws {TypeError} fn is no function, or an option is wrong
   */
  mapIterator(input, fn, options = {}) {
    const bound = checkFunction(fn, 'the mapper', input);
    if (options === null || typeof options !== 'object') throw new TypeError(`expecting options to be an object but got ${describe(options)}`);
    const concurrency = options.concurrency === undefined ? Infinity : checkConcurrency(options.concurrency);
    const { backpressure = concurrency, signal } = options;
    if (backpressure !== Infinity && (!Number.isInteger(backpressure) || backpressure < concurrency)) {
      throw new TypeError(`expecting backpressure to be an integer of at least concurrency (${concurrency}) but got ${describe(backpressure)}`);
    }
    if (signal !== undefined) checkSignal(signal);
    const mapper = features.watch.features === 0 ? bound : features.hooks.callback(bound, undefined, 'mapIterator');
    return new MapIterator(new Mapped(input, mapper, { concurrency, backpressure, signal }));
  },
};

install(CPromise, statics);

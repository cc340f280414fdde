'use strict';
/**
 * Work over the elements of a source, at most so many at a time.
 *
 * The engine keeps the window: it grants places, counts what is in flight and
 * what is left, and says when all is done or something has failed. Here are the
 * elements, the function of the user, and the results.
 */
const { NEED, SLACK, FIRE, DROP, WINDOW, DONE, YIELD, takeSlot, pin, log, logReady, combine, addItem, addCarriers } = require('./engine');
const { PENDING, FULFILLED, REJECTED, FOLLOWING, ATTACHED, slotOf } = require('./state');
const { settle, react, isObject, addFlags, slotPinned, setJob } = require('./promise');
const { markHandled } = require('./rejections');
const { toInput } = require('./input');
const { isInput, settledBy } = require('./inputs');
const { ArraySource, AsyncSource } = require('./source');
const { aggregate } = require('./errors');
const { writeEntries } = require('./entries');
const { keepShape } = require('./shapes');

/** The engine's word for no limit. */
const UNLIMITED = 2 ** 27;
/** So many elements that are finished at once are taken before others get their turn. */
const BATCH = 1024;
/** Settled results are looked for when so many wait at least. */
const FEW_WAITING = 64;

/**
 * The job of a result. A kind of work (map, filter, …) overrides
 *   call(value, index)   calls the user's function
 *   keep(index, result)  is given each result, in any order
 *   finish()             gives the value of the whole
 */
class Mapping {
  /**
   * @param {Function} fn the user's function, bound to its context already
   * @param {{concurrency: number, stopOnError: boolean, initial: any, watch: Watch}} options
   */
  constructor(promise, source, fn, options) {
    this.promise = promise;
    this.source = source;
    this.length = source.length;
    this.isReady = source instanceof ArraySource; // its elements are inputs already
    this.fn = fn;
    this.limit = options.concurrency;
    this.stopOnError = options.stopOnError;
    this.watch = options.watch;
    this.combinator = 0;
    this.ended = false; // the source has, and the engine knows
    this.over = false;
    this.failed = false;
    this.error = undefined;
    this.errors = [];
    // Results that are promises: settled ones are taken out now and then.
    this.waiting = [];
    this.waitingIndexes = [];
    this.tidyAt = FEW_WAITING;
    // For async sources.
    this.places = 0;
    this.requested = false;
  }

  /** Hands the work to the engine; it starts in a job. @throws {RangeError} out of slots */
  begin() {
    const { promise, source } = this;
    const owner = slotPinned(promise);
    const combinator = (this.combinator = takeSlot());
    setJob(promise, this);
    combine(combinator, owner);
    log((combinator << 4) | WINDOW, Math.min(this.limit, UNLIMITED));
    if (source.length !== undefined) log((combinator << 4) | NEED, source.length);
    logReady((combinator << 4) | SLACK, this.stopOnError ? 1 : 0);
  }

  /** The engine grants places: starts as much. */
  start(promise, places) {
    if (this.over) return;
    if (this.source instanceof AsyncSource) {
      this.places += places;
      this.request();
      return;
    }
    let finished = 0;
    while (places > 0 && finished < BATCH) {
      let more;
      try {
        more = this.source.advance();
      } catch (e) {
        this.stop(e);
        return;
      }
      if (!more) {
        this.report(finished);
        // A place that was granted before the engine heard of the end may bring us here once more.
        if (this.length === undefined && !this.ended) this.end(this.source.next);
        return;
      }
      if (this.take(this.source.index, this.source.value)) finished++;
      else places--;
      if (this.over) return;
    }
    this.report(finished);
    if (places > 0) this.tell(YIELD, places);
  }

  /** Tells the engine something that may make the result ready: from now on it needs its pin. */
  tell(operation, argument) {
    slotPinned(this.promise);
    logReady((this.combinator << 4) | operation, argument);
  }

  report(finished) {
    if (finished > 0) this.tell(DONE, finished);
  }

  /** The source has ended, with so many elements in all. */
  end(length) {
    this.ended = true;
    this.tell(NEED, length);
  }

  /** Reads the next element of an async source, when a place is free. */
  request() {
    if (this.requested || this.places === 0 || this.over) return;
    this.requested = true;
    this.source.request(
      (index, value) => {
        this.requested = false;
        if (this.take(index, value)) this.report(1);
        else this.places--;
        this.request();
      },
      () => this.over || this.end(this.source.next),
      (error) => this.stop(error),
    );
  }

  /**
   * Takes an element: waits for it, calls the function, waits for its result.
   * @returns {boolean} whether it is finished already
   */
  take(index, element) {
    if (!isObject(element)) return this.run(index, element);
    let input;
    try {
      input = this.isReady ? element : toInput(element);
    } catch (e) {
      return this.fail(index, e);
    }
    if (!isInput(input)) return this.run(index, input);
    const promise = settledBy(input);
    const s = promise._s;
    if (s === FULFILLED) return this.run(index, promise._v);
    if (s > PENDING && s < FOLLOWING) {
      if (s === REJECTED) markHandled(promise);
      return this.fail(index, promise._v);
    }
    return this.wait(index, react(promise, (value) => (this.over ? undefined : this.call(value, index))));
  }

  run(index, value) {
    let input;
    try {
      const result = this.call(value, index);
      if (!isObject(result)) {
        this.keep(index, result);
        return true;
      }
      input = toInput(result);
    } catch (e) {
      return this.fail(index, e);
    }
    if (!isInput(input)) {
      this.keep(index, input);
      return true;
    }
    const promise = settledBy(input);
    const s = promise._s;
    if (s === FULFILLED) {
      this.keep(index, promise._v);
      return true;
    }
    if (s > PENDING && s < FOLLOWING) {
      if (s === REJECTED) markHandled(promise);
      return this.fail(index, promise._v);
    }
    return this.wait(index, promise);
  }

  /** Makes a pending promise an item, and remembers it for its value. */
  wait(index, promise) {
    if (this.over) {
      markAttached(promise);
      return false;
    }
    slotPinned(this.promise);
    if (promise._s === PENDING) {
      const slot = takeSlot();
      promise._s = (slot << 2) | ATTACHED;
      addCarriers(this.combinator, index, slot, 1);
    } else {
      addFlags(promise, ATTACHED);
      addItem(this.combinator, index, slotOf(promise));
    }
    if (this.waiting.length >= this.tidyAt) {
      this.tidy();
      this.tidyAt = Math.max(FEW_WAITING, 2 * this.waiting.length);
    }
    this.waiting.push(promise);
    this.waitingIndexes.push(index);
    return false;
  }

  /** Keeps the results of promises that are fulfilled by now, so that these may go. */
  tidy() {
    const { waiting, waitingIndexes } = this;
    let left = 0;
    for (let i = 0; i < waiting.length; i++) {
      const promise = settledBy(waiting[i]);
      if (promise._s === FULFILLED) {
        this.keep(waitingIndexes[i], promise._v);
      } else {
        waiting[left] = promise;
        waitingIndexes[left++] = waitingIndexes[i];
      }
    }
    waiting.length = left;
    waitingIndexes.length = left;
  }

  /** An element has failed. @returns {boolean} whether it counts as finished and the rest goes on */
  fail(index, error) {
    if (this.over) return false;
    if (this.stopOnError) {
      this.stop(error);
      return false;
    }
    this.errors.push({ index, error });
    return true;
  }

  /** Ends the work with an error; the result is rejected in a job of its own. */
  stop(error) {
    if (this.over) return;
    this.failed = true;
    this.error = error;
    this.release();
    this.tell(FIRE, -1);
  }

  /** Nothing more is wanted of the source and of the signal. */
  release() {
    this.over = true;
    this.watch.end();
    this.source.close();
  }

  /** The engine says that all is finished, or that item `index` was rejected. */
  complete(promise, index) {
    log((this.combinator << 4) | DROP, 0);
    if (!this.over) this.release();
    if (!this.failed) this.tidy();
    this.collectErrors(index);
    this.eachPending(retain);
    if (this.failed) settle(promise, this.error, REJECTED);
    else settle(promise, this.finish(), FULFILLED);
  }

  /** What is still in `waiting` is rejected, unless something has failed and it is pending. */
  collectErrors(index) {
    if (this.failed) return;
    const { waiting, waitingIndexes, errors } = this;
    for (let i = 0; i < waiting.length; i++) {
      const { _s: s, _v: error } = settledBy(waiting[i]);
      if (s > PENDING && s < FOLLOWING) errors.push({ index: waitingIndexes[i], error });
    }
    if (errors.length === 0) return;
    this.failed = true;
    if (this.stopOnError) {
      this.error = errors.find((entry) => entry.index === index).error;
    } else {
      errors.sort((a, b) => a.index - b.index);
      this.error = aggregate(errors.map((entry) => entry.error), 'Some calls have failed');
    }
  }

  /** As that of Combination in combinators.js. */
  eachPending(visit) {
    for (const input of this.waiting) {
      const promise = settledBy(input);
      const s = promise._s;
      if ((s <= PENDING || s > FOLLOWING) && visit(promise) === true) return true;
    }
    return false;
  }

  call(value, index) {
    return this.fn.call(undefined, value, index, this.length);
  }
}

function retain(promise) {
  if (promise._s > FOLLOWING) pin(promise._s >> 2, promise);
}

/** A result that nobody waits for any more: its rejection is nobody's business. */
function markAttached(promise) {
  slotPinned(promise);
  addFlags(promise, ATTACHED);
}

/** map, mapSeries */
class MapWork extends Mapping {
  constructor(promise, source, fn, options) {
    super(promise, source, fn, options);
    this.results = source.length === undefined ? [] : new Array(source.length);
  }

  keep(index, result) {
    this.results[index] = result;
  }

  finish() {
    return this.results;
  }
}

/** filter */
class FilterWork extends MapWork {
  constructor(promise, source, fn, options) {
    super(promise, source, fn, options);
    this.values = [];
  }

  call(value, index) {
    this.values[index] = value;
    return super.call(value, index);
  }

  finish() {
    return this.values.filter((_, index) => this.results[index]);
  }
}

/** each over an array: the values of the elements. */
class EachWork extends Mapping {
  constructor(promise, source, fn, options) {
    super(promise, source, fn, options);
    this.values = source.length === undefined ? undefined : new Array(source.length);
  }

  call(value, index) {
    if (this.values !== undefined) this.values[index] = value;
    return super.call(value, index);
  }

  keep() {}

  finish() {
    return this.values;
  }
}

/** reduce: one at a time, each with the result of the one before. */
class ReduceWork extends Mapping {
  constructor(promise, source, fn, options) {
    super(promise, source, fn, options);
    this.accumulator = options.initial;
    this.hasAccumulator = options.initial !== undefined;
  }

  call(value, index) {
    this.tidy(); // the call before has been fulfilled
    if (!this.hasAccumulator) {
      this.hasAccumulator = true;
      return value;
    }
    return this.fn.call(undefined, this.accumulator, value, index, this.length);
  }

  keep(index, result) {
    this.accumulator = result;
  }

  finish() {
    return this.accumulator;
  }
}

/** mapValues: the results under the keys of the values. */
class ValuesWork extends MapWork {
  constructor(promise, source, fn, options) {
    super(promise, source, fn, options);
    this.entries = options.entries;
  }

  finish() {
    return writeEntries(this.entries, this.results);
  }
}

for (const Work of [MapWork, FilterWork, EachWork, ReduceWork, ValuesWork]) {
  keepShape(new Work(undefined, new ArraySource([]), Number, { concurrency: Infinity, stopOnError: true }));
}

module.exports = { MapWork, FilterWork, EachWork, ReduceWork, ValuesWork };

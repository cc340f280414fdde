'use strict';
/** limit, semaphore, mutex: at most so many at a time. */
const { CPromise } = require('./core');
const { create, settle, resolvePromise, react, isObject, describe } = require('./promise');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');
const { iterate, toInput } = require('./input');
const { isInput, settledBy } = require('./inputs');
const { checkFunction } = require('./collections');
const { Line, CLEARED } = require('./line');
const { keepShape } = require('./shapes');

/** What the promise of a task that was cleared is rejected with. */
const cleared = () => new DOMException('The task was removed from the queue', 'AbortError');

/**
 * Calls task.call(), and task.end(value, state) when what that gives has settled: at
 * once for what is no promise.
 */
function runTask(task) {
  let input;
  try {
    const result = task.call();
    input = isObject(result) ? toInput(result) : result;
  } catch (e) {
    task.end(e, REJECTED);
    return;
  }
  if (!isInput(input)) {
    task.end(input, FULFILLED);
    return;
  }
  const promise = settledBy(input);
  const s = promise._s;
  if (s === FULFILLED) task.end(promise._v, FULFILLED);
  else react(promise, (value) => task.end(value, FULFILLED), (reason) => task.end(reason, REJECTED));
}

/** Work that waits in a Limiter; the job of its promise. */
class Task {
  constructor(limiter, promise, fn, args) {
    this.limiter = limiter;
    this.promise = promise;
    this.fn = fn;
    this.args = args;
    this.isHeld = true;
  }

  complete(promise, argument) {
    if (argument === CLEARED) {
      settle(promise, cleared(), REJECTED);
      return;
    }
    const { limiter } = this;
    limiter.pendingCount--;
    limiter.activeCount++;
    runTask(this);
  }

  call() {
    const { fn, args } = this;
    return args === undefined ? fn() : fn(...args);
  }

  end(value, state) {
    const { limiter } = this;
    limiter.activeCount--;
    limiter.line.free();
    settle(this.promise, value, state);
  }
}

/** The counts and the line behind limit, semaphore and mutex. */
class Limiter {
  constructor(concurrency) {
    this.line = new Line(concurrency);
    this.activeCount = 0;
    this.pendingCount = 0;
  }

  /** A promise of the outcome of `fn(...args)`, called when it has a place. */
  run(fn, args) {
    const promise = create();
    try {
      this.line.wait(promise, new Task(this, promise, checkFunction(fn, 'the function'), args));
      this.pendingCount++;
    } catch (e) {
      settle(promise, e, REJECTED);
    }
    return promise;
  }

  clear() {
    this.pendingCount = 0;
    this.line.clear();
  }
}

/** @throws {TypeError} naming the argument and its value */
function checkPlaces(value, name) {
  if (value === Infinity || (Number.isSafeInteger(value) && value > 0)) return value;
  throw new TypeError(`expecting ${name} to be a positive integer or Infinity but got ${describe(value)}`);
}

/** The elements of an iterable. @throws {TypeError} it is none; whatever it throws */
function elements(iterable) {
  const list = [];
  iterate(iterable, iterable?.[Symbol.iterator], (element) => list.push(element));
  return list;
}

/** A semaphore: so many places, each held until it is released. */
class Semaphore {
  #limiter;

  constructor(places) {
    this.#limiter = new Limiter(places);
  }

  /** Places that are free. */
  get available() {
    const { line, activeCount } = this.#limiter;
    return line.places - activeCount;
  }

  /** How many wait for a place. */
  get pendingCount() {
    return this.#limiter.pendingCount;
  }

  /** Whether no place is free. */
  isLocked() {
    return this.available <= 0;
  }

  /**
   * Waits for a place, first come, first served.
   * @returns {Promise<() => void>} a function that gives it back; further calls do nothing
   */
  acquire() {
    const acquired = create();
    this.#limiter.run(() => new CPromise((resolve) => {
      settle(acquired, releaser(resolve), FULFILLED);
    }));
    return acquired;
  }

  /**
   * Calls `fn` while a place is held.
   * @returns {Promise<any>} the outcome of fn; rejected with a TypeError for what is no function
   */
  runExclusive(fn) {
    return this.#limiter.run(fn);
  }
}

/** A function that gives a place back, for `using` declarations too. */
function releaser(resolve) {
  const release = () => resolve();
  if (Symbol.dispose !== undefined) install(release, { [Symbol.dispose]: release });
  return release;
}

const statics = {
  /**
   * A function `limit(fn, ...args)` that calls `fn(...args)` when fewer than
   * `concurrency` calls are under way, in the order of the calls, never during the
   * call itself; and gives a promise of the outcome.
   * @param {number} concurrency positive integer or Infinity
   * @returns {Function} with activeCount, pendingCount, concurrency (may be set),
   *   clearQueue(): what waits is rejected with an AbortError, and
   *   map(iterable, fn): Promise of the array of the outcomes of fn(item, index)
   * @throws {TypeError} concurrency is neither
   */
  limit(concurrency) {
    const limiter = new Limiter(checkPlaces(concurrency, 'concurrency'));
    const limit = (fn, ...args) => limiter.run(fn, args);
    Object.defineProperties(limit, {
      activeCount: { get: () => limiter.activeCount },
      pendingCount: { get: () => limiter.pendingCount },
      concurrency: {
        get: () => limiter.line.places,
        set(value) { limiter.line.setPlaces(checkPlaces(value, 'concurrency')); },
      },
    });
    install(limit, {
      clearQueue() {
        limiter.clear();
      },
      map(iterable, fn) {
        const result = create();
        try {
          const bound = checkFunction(fn, 'the function');
          resolvePromise(result, CPromise.all(elements(iterable).map((item, index) => limiter.run(bound, [item, index]))));
        } catch (e) {
          settle(result, e, REJECTED);
        }
        return result;
      },
    });
    return limit;
  },

  /**
   * A semaphore with so many places.
   * @param {number} places positive integer or Infinity
   * @throws {TypeError} places is neither
   */
  semaphore(places) {
    return new Semaphore(checkPlaces(places, 'places'));
  },

  /** A semaphore with one place. */
  mutex() {
    return new Semaphore(1);
  },
};

keepShape(new Task(undefined, undefined, Number, []));

install(CPromise, statics);

module.exports = { runTask, cleared, elements };

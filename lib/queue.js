'use strict';
/** queue: tasks with priorities, so many at a time and so many in an interval. */
const { CPromise } = require('./core');
const { create, settle, react, promiseOf } = require('./promise');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');
const { checkFunction, checkSignal } = require('./collections');
const { Line, CLEARED } = require('./line');
const { runTask, cleared, elements } = require('./limit');
const { checkOptions, limitOption, countOption, timeOption, numberOption, booleanOption } = require('./options');
const { keepShape } = require('./shapes');

/**
 * Work that waits in a Queue; the job of its result, or of a promise of its own where
 * a signal may reject the result before its turn.
 */
class QueuedTask {
  constructor(queue, result, fn, signal, timeout) {
    this.queue = queue;
    this.result = result;
    this.fn = fn;
    this.signal = signal;
    this.timeout = timeout;
    this.state = 'waiting';
    this.over = false; // the result is settled
    this.isHeld = true;
  }

  listen() {
    if (this.signal !== undefined) this.signal.addEventListener('abort', this, { once: true });
  }

  /** The signal has been aborted. What runs already keeps its place until it ends. */
  handleEvent() {
    if (this.state === 'waiting') {
      this.state = 'aborted';
      this.queue.left();
    }
    this.finish(this.signal.reason, REJECTED);
  }

  /** Settles the result, once. */
  finish(value, state) {
    if (this.over) return;
    this.over = true;
    if (this.signal !== undefined) this.signal.removeEventListener('abort', this);
    settle(this.result, value, state);
  }

  complete(turn, argument) {
    const { queue } = this;
    if (turn !== this.result) settle(turn, undefined, FULFILLED);
    if (argument === CLEARED) {
      this.finish(cleared(), REJECTED);
      return;
    }
    if (this.state === 'aborted') {
      queue.skipped();
      return;
    }
    this.state = 'running';
    queue.started();
    runTask(this);
  }

  call() {
    const { fn, signal, timeout } = this;
    const result = fn({ signal });
    return timeout === Infinity ? result : promiseOf(result).timeout(timeout);
  }

  /** The work is done. */
  end(value, state) {
    this.finish(value, state);
    this.queue.ended();
  }
}

/** Tasks in the order of their priorities, of equal ones first come, first served. */
class Queue {
  #line;
  #concurrency;
  #interval;
  #intervalCap;
  #timeout;
  #paused;
  #size = 0;
  #pending = 0;
  #inInterval = 0; // started since the interval began
  #watchers = []; // {isMet, promise}

  constructor({ concurrency, interval, intervalCap, timeout, autoStart }) {
    this.#concurrency = concurrency;
    this.#interval = interval;
    this.#intervalCap = interval === 0 ? Infinity : intervalCap;
    this.#timeout = timeout;
    this.#paused = !autoStart;
    this.#line = new Line(this.#places());
    const hooks = {
      left: () => { this.#size--; this.#look(); },
      skipped: () => this.#line.free(),
      started: () => this.#started(),
      ended: () => this.#ended(),
    };
    this.#hooks = hooks;
  }

  #hooks;

  /** How many wait. */
  get size() {
    return this.#size;
  }

  /** How many are under way. */
  get pending() {
    return this.#pending;
  }

  get isPaused() {
    return this.#paused;
  }

  get concurrency() {
    return this.#concurrency;
  }

  set concurrency(value) {
    this.#concurrency = limitOption({ concurrency: value }, 'concurrency', Infinity);
    this.#adjust();
  }

  /**
   * A promise of the outcome of `fn({signal})`.
   * @param {(context: {signal?: AbortSignal}) => any} fn never called during the call itself
   * @param {{priority?: number, signal?: AbortSignal, timeout?: number}} [options]
   *   priority: the higher, the sooner; 0 by default. signal: aborted, it rejects with
   *   its reason, and a task that waits never starts. timeout: milliseconds, then a
   *   TimeoutError rejects; as given to the queue by default.
   * @returns {Promise<any>} rejected with a TypeError for wrong arguments; with an
   *   AbortError when the queue is cleared
   */
  add(fn, options) {
    const result = create();
    try {
      const given = checkOptions(options);
      const priority = numberOption(given, 'priority', 0);
      const timeout = timeOption(given, 'timeout', this.#timeout);
      const signal = given.signal === undefined ? undefined : checkSignal(given.signal);
      const bound = checkFunction(fn, 'the function');
      if (signal !== undefined && signal.aborted) throw signal.reason;
      const task = new QueuedTask(this.#hooks, result, bound, signal, timeout);
      this.#line.wait(signal === undefined ? result : create(), task, priority);
      task.listen();
      this.#size++;
    } catch (e) {
      settle(result, e, REJECTED);
    }
    return result;
  }

  /**
   * `add` for each function; a promise of all outcomes.
   * @throws {TypeError} fns is not iterable
   */
  addAll(fns, options) {
    return CPromise.all(elements(fns).map((fn) => this.add(fn, options)));
  }

  /** Starts nothing more until `start`. */
  pause() {
    this.#paused = true;
    this.#adjust();
  }

  start() {
    this.#paused = false;
    this.#adjust();
    return this;
  }

  /** Rejects all that wait with an AbortError. */
  clear() {
    this.#size = 0;
    this.#line.clear();
    this.#look();
  }

  /** Fulfilled when nothing waits. */
  onEmpty() {
    return this.#when(() => this.#size === 0);
  }

  /** Fulfilled when nothing waits and nothing is under way. */
  onIdle() {
    return this.#when(() => this.#size === 0 && this.#pending === 0);
  }

  /** Fulfilled when fewer than `limit` wait. */
  onSizeLessThan(limit) {
    const count = countOption({ limit }, 'limit', 0);
    return this.#when(() => this.#size < count);
  }

  #when(isMet) {
    const promise = create();
    if (isMet()) settle(promise, undefined, FULFILLED);
    else this.#watchers.push({ isMet, promise });
    return promise;
  }

  /** Settles what is waited for. */
  #look() {
    if (this.#watchers.length === 0) return;
    this.#watchers = this.#watchers.filter(({ isMet, promise }) => {
      if (!isMet()) return true;
      settle(promise, undefined, FULFILLED);
      return false;
    });
  }

  /** The places of the line: as many as may run, and no more than may still be started in this interval. */
  #places() {
    if (this.#paused) return 0;
    return Math.min(this.#concurrency, this.#pending + this.#intervalCap - this.#inInterval);
  }

  #adjust() {
    this.#line.setPlaces(this.#places());
  }

  #started() {
    this.#size--;
    this.#pending++;
    if (this.#intervalCap !== Infinity && this.#inInterval++ === 0) this.#beginInterval();
    this.#look();
  }

  #beginInterval() {
    react(CPromise.delay(this.#interval), () => {
      this.#inInterval = 0;
      this.#adjust();
    });
  }

  #ended() {
    this.#pending--;
    this.#adjust(); // before the place is free, or it would count against the next interval
    this.#line.free();
    this.#look();
  }
}

const statics = {
  /**
   * A queue of tasks.
   * @param {object} [options]
   * @param {number} [options.concurrency] at most so many at a time; positive integer or Infinity (default)
   * @param {number} [options.interval] milliseconds; 0 (default): no intervals
   * @param {number} [options.intervalCap] at most so many are started in an interval, which
   *   begins with the first of them; positive integer or Infinity (default)
   * @param {number} [options.timeout] milliseconds that a task may take; Infinity by default
   * @param {boolean} [options.autoStart] false: paused until start()
   * @throws {TypeError} naming the option and its value
   */
  queue(options) {
    const given = checkOptions(options);
    return new Queue({
      concurrency: limitOption(given, 'concurrency', Infinity),
      interval: timeOption(given, 'interval', 0),
      intervalCap: limitOption(given, 'intervalCap', Infinity),
      timeout: timeOption(given, 'timeout', Infinity),
      autoStart: booleanOption(given, 'autoStart', true),
    });
  },
};

keepShape(new QueuedTask());

install(CPromise, statics);

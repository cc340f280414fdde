'use strict';
/**
 * delay and timeout.
 *
 * A promise that has a deadline becomes ready, as a job, when that has come: the
 * engine keeps the deadlines, and one timer wakes the loop for all of them. What a
 * promise waits for beside its deadline is the only input of a combinator; the
 * one that comes first takes the other away. So a settled promise leaves nothing
 * behind, neither here nor there.
 *
 * Where the global setTimeout has been replaced, as test runners do that fake the
 * time, each deadline is a timer of that kind instead; and where a timer cannot
 * serve all.
 */
const { NEED, SLACK, DUE, takeSlot, takeTimed, log, combine, addItem, addCarriers, pin, setDeadline, reserveDeadline } = require('./engine');
const { PENDING, FULFILLED, REJECTED, HANDLED, FOLLOWING, ATTACHED, slotOf, isPending, target } = require('./state');
const {
  CPromise, thenMethod, createLike, promiseOf, settle, follow, resolvePromise, rejectPromise, isObject, isPromise, addFlags,
  slotPinned, setJob, describe,
} = require('./promise');
const { CANCELLATION, hooks, isOn, resultOf } = require('./features');
const { install } = require('./install');
const { deadlineIn } = require('./clock');
const runtime = require('#runtime');
const { retain } = require('./combinators');
const { checkFunction, checkSignal } = require('./collections');
const { claim, settledBy } = require('./inputs');
const { TimeoutError, operational } = require('./errors');
const { keepShape } = require('./shapes');

/** Makes a promise that has a deadline ready as if it had come. */
function expire(promise) {
  setDeadline(slotPinned(promise), -Infinity, 1);
}

/** The job of a delay of a plain value, which is in `_v` until then: the same for all, nothing is made. */
const DELAY = {
  isHeld: true,
  complete(promise) {
    settle(promise, promise._v, FULFILLED);
  },
  /** Nobody waits for it any more (see cancellation.js). */
  stop(reason, promise) {
    expire(promise);
  },
};

/**
 * The job of a promise that waits for a deadline, for another promise (`input`), or
 * for both, until a signal is aborted.
 */
class Wait {
  constructor(promise, input, signal) {
    this.promise = promise; // until it is over
    this.input = input;
    this.signal = signal;
    this.alarm = undefined; // takes back the timer that is used in place of a deadline
    this.isHeld = false; // there is one or the other: nobody else need hold the promise
    this.isStopped = false;
    this.reason = undefined; // of that
  }

  /** @throws {RangeError} out of memory */
  start(ms, ref) {
    this.isHeld = true;
    if (needsTimer()) setAlarm(this, ms, ref);
    else setDeadline(slotOf(this.promise), deadlineIn(ms), ref);
  }

  listen() {
    if (this.signal !== undefined) this.signal.addEventListener('abort', this, { once: true });
  }

  /** The signal has been aborted. */
  handleEvent() {
    this.stop(this.signal.reason);
  }

  /** Rejects with `reason`, in a job. */
  stop(reason) {
    if (this.promise === undefined || this.isStopped) return;
    this.isStopped = true;
    this.reason = reason;
    expire(this.promise);
  }

  /** It is over: lets go of everything. */
  end() {
    this.promise = undefined;
    if (this.alarm !== undefined) this.alarm();
    if (this.signal !== undefined) this.signal.removeEventListener('abort', this);
  }

  /** As that of Combination in combinators.js. */
  eachPending(visit) {
    if (this.input === undefined) return false;
    const input = settledBy(this.input);
    return isPending(input) && visit(input) === true;
  }
}

/** The delay of a value that is waited for, or with a signal. */
class Delay extends Wait {
  constructor(promise, input, signal, ms, ref) {
    super(promise, input, signal);
    this.ms = ms;
    this.ref = ref;
    this.value = undefined;
  }

  complete(promise, argument) {
    const { input } = this;
    if (argument !== DUE) {
      const { _s: state, _v: value } = settledBy(input);
      if (state === FULFILLED) {
        this.begin(value);
      } else {
        this.end();
        settle(promise, value, REJECTED);
      }
      return;
    }
    this.end();
    if (input !== undefined) retain(settledBy(input));
    if (this.isStopped) settle(promise, this.reason, REJECTED);
    else settle(promise, this.value, FULFILLED);
    if (isOn(CANCELLATION)) hooks.cancel(input);
  }

  /** The value is there: now the time counts. */
  begin(value) {
    const { promise } = this;
    this.value = value;
    this.input = undefined;
    try {
      setJob(promise, this);
      this.start(this.ms, this.ref);
      pin(slotOf(promise), promise);
    } catch (e) {
      fail(promise, this, e);
    }
  }
}

/** A promise that has the outcome of `input`, if that comes in time. */
class Timeout extends Wait {
  constructor(promise, input, signal, message, fallback) {
    super(promise, input, signal);
    this.message = message;
    this.fallback = fallback;
  }

  complete(promise, argument) {
    this.end();
    const input = settledBy(this.input);
    if (argument !== DUE) {
      settle(promise, input._v, input._s === FULFILLED ? FULFILLED : REJECTED);
      return;
    }
    retain(input);
    if (this.isStopped) settle(promise, this.reason, REJECTED);
    else if (this.fallback === undefined) rejectPromise(promise, errorOf(this.message));
    else fallBack(promise, this.fallback);
    // As Bluebird does: what was too late is given up, unless others wait for it.
    if (isOn(CANCELLATION)) hooks.cancel(this.input);
  }
}

function errorOf(message) {
  const isError = isObject(message) && (message instanceof Error || Object.prototype.toString.call(message) === '[object Error]');
  const error = isError ? message : new TimeoutError(typeof message === 'string' ? message : 'operation timed out');
  operational(error);
  return error;
}

function fallBack(promise, fallback) {
  let result;
  try {
    result = fallback();
  } catch (e) {
    settle(promise, e, REJECTED);
    return;
  }
  resolvePromise(promise, result);
}

/**
 * Whether a deadline needs a timer of its own. That somebody has put another
 * setTimeout in the global place is asked at each call: tests come and go.
 */
function needsTimer() {
  const { setTimeout } = globalThis;
  return (setTimeout !== runtime.setTimeout || !runtime.sharesTimers) && typeof setTimeout === 'function';
}

/** A timer can count no further. */
const LONGEST = 0x7fffffff;

/** Uses a timer of the global setTimeout. */
function setAlarm(job, ms, ref) {
  const { setTimeout, clearTimeout } = globalThis;
  const wait = Math.min(ms, LONGEST);
  const timer = setTimeout(() => {
    job.alarm = undefined;
    if (wait < ms) setAlarm(job, ms - wait, ref);
    else if (job.promise !== undefined) expire(job.promise);
  }, wait);
  if (ref === 0) timer?.unref?.();
  job.alarm = () => clearTimeout(timer);
}

/** Gives a fresh promise a slot for deadlines, which pins it. @throws {RangeError} out of memory or slots */
function prepare(promise) {
  reserveDeadline();
  promise._s = takeTimed(promise) << 2;
}

/** Makes `job.complete(promise, 0)` run when `input`, which is pending, has settled. @throws {RangeError} out of slots */
function waitFor(promise, job, input) {
  const combinator = takeSlot();
  setJob(promise, job);
  combine(combinator, slotOf(promise));
  if (input._s === PENDING) {
    const slot = takeSlot();
    input._s = (slot << 2) | ATTACHED;
    addCarriers(combinator, 0, slot, 1);
  } else {
    addFlags(input, ATTACHED);
    addItem(combinator, 0, slotOf(input));
  }
  log((combinator << 4) | NEED, 1);
  log((combinator << 4) | SLACK, 1);
}

function fail(promise, job, error) {
  job?.end();
  setJob(promise, undefined);
  settle(promise, error, REJECTED);
}

/** The delay of a value that is there. */
function delayPlainly(promise, ms, value, ref) {
  try {
    prepare(promise);
    promise._v = value;
    promise._f = DELAY;
    setDeadline(slotOf(promise), deadlineIn(ms), ref);
  } catch (e) {
    fail(promise, undefined, e);
  }
}

/** Makes a fresh promise that of `Promise.delay`. */
function delay(promise, ms, value, options) {
  let signal;
  let ref = 1;
  try {
    if (!isDuration(ms)) throw new TypeError(`expecting ms to be a finite number >= 0 but got ${describe(ms)}`);
    if (options !== undefined) {
      checkOptions(options);
      if (options.signal !== undefined) signal = checkSignal(options.signal);
      if (options.ref !== undefined) ref = options.ref ? 1 : 0;
    }
    if (signal !== undefined && signal.aborted) throw signal.reason;
  } catch (e) {
    if (isPromise(value)) claim(value);
    settle(promise, e, REJECTED);
    return;
  }
  const input = toInput(value);
  const s = input._s;
  if (s === REJECTED || s === HANDLED) {
    follow(promise, input);
    return;
  }
  if (s === FULFILLED && signal === undefined && !needsTimer()) {
    delayPlainly(promise, ms, input._v, ref);
    return;
  }
  const job = new Delay(promise, input, signal, ms, ref);
  try {
    prepare(promise);
    if (s === FULFILLED) job.begin(input._v);
    else waitFor(promise, job, input);
    job.listen();
  } catch (e) {
    fail(promise, job, e);
  }
}

/** Makes a fresh promise that of `timeout` called on `receiver`. */
function timeout(promise, receiver, ms, message, options) {
  let signal;
  let fallback;
  try {
    if (!isDuration(ms) && ms !== Infinity) throw new TypeError(`expecting ms to be a number >= 0 but got ${describe(ms)}`);
    if (options !== undefined) {
      checkOptions(options);
      if (options.signal !== undefined) signal = checkSignal(options.signal);
      if (options.fallback !== undefined) fallback = checkFunction(options.fallback, 'fallback');
    }
    if (signal !== undefined && signal.aborted) throw signal.reason;
  } catch (e) {
    if (isPromise(receiver)) claim(receiver);
    settle(promise, e, REJECTED);
    return;
  }
  const input = toInput(receiver);
  const s = input._s;
  if (s > PENDING && s < FOLLOWING) {
    follow(promise, input);
    return;
  }
  const job = new Timeout(promise, input, signal, message, fallback);
  try {
    prepare(promise);
    waitFor(promise, job, input);
    if (ms !== Infinity) job.start(ms, 1);
    job.listen();
  } catch (e) {
    fail(promise, job, e);
  }
}

const isDuration = (ms) => typeof ms === 'number' && ms >= 0 && ms < Infinity;

function checkOptions(options) {
  if (!isObject(options)) throw new TypeError(`expecting options to be an object but got ${describe(options)}`);
}

/**
 * The promise of ours whose state counts for a value. Where promises can be cancelled
 * it is one derived from it, so that cancelling the result lets go of it.
 */
function toInput(value) {
  let promise = promiseOf(value);
  if (isOn(CANCELLATION) && isObject(value)) promise = Reflect.apply(thenMethod, promise, []);
  return promise._s === FOLLOWING ? target(promise) : promise;
}

const statics = {
  /**
   * A promise that is fulfilled with `value` after `ms` milliseconds, never earlier.
   * A promise or thenable is waited for first: the time counts from its fulfilment,
   * its rejection comes at once. All that is due comes in one turn of the loop, in
   * the order of the deadlines.
   * @param {number} ms finite, >= 0
   * @param {any} [value]
   * @param {{signal?: AbortSignal, ref?: boolean}} [options]
   *   signal: rejects with its reason when it is aborted. ref: false lets the process
   *   end before the time is over.
   * @returns {Promise<any>} rejected with a TypeError for wrong arguments
   * @see http://bluebirdjs.com/docs/api/promise.delay.html
   */
  delay(ms, value, options) {
    const promise = createLike(value);
    if (options === undefined && !isObject(value) && isDuration(ms) && !needsTimer()) delayPlainly(promise, ms, value, 1);
    else delay(promise, ms, value, options);
    return resultOf(promise);
  },
};

const methods = {
  /**
   * `Promise.delay(ms, this, options)`.
   * @see http://bluebirdjs.com/docs/api/delay.html
   */
  delay(ms, options) {
    const promise = createLike(this);
    delay(promise, ms, this, options);
    return resultOf(promise);
  },

  /**
   * A promise with the outcome of this one, if it settles within `ms` milliseconds;
   * else rejected.
   * @param {number} ms >= 0; Infinity: wait for as long as it takes
   * @param {string|Error} [message] of the TimeoutError, or what to reject with in its place
   * @param {{signal?: AbortSignal, fallback?: () => any}} [options]
   *   signal: rejects with its reason when it is aborted. fallback: is called when the
   *   time is over, and its result is that of the promise; what it throws rejects.
   * @returns {Promise<any>} rejected with a TypeError for wrong arguments
   * @see http://bluebirdjs.com/docs/api/timeout.html
   */
  timeout(ms, message, options) {
    const promise = createLike(this);
    timeout(promise, this, ms, message, options);
    return resultOf(promise);
  },
};

keepShape(new Delay(undefined, undefined, undefined, 0.5, 1));
keepShape(new Timeout());

install(CPromise, statics);
install(CPromise.prototype, methods);

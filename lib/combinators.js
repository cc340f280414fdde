'use strict';
/**
 * all, allSettled, any, race.
 *
 * The engine counts; no JavaScript runs per input. Each pending input gets one
 * item in its reaction list. When the combinator fires, the values are collected
 * in one loop over our snapshot of the inputs.
 */
const { NEED, SLACK, FIRE, takeSlot, pin, log, logReady, combine, addItem, addCarriers } = require('./engine');
const { PENDING, FULFILLED, REJECTED, HANDLED, FOLLOWING, ATTACHED, slotOf, target } = require('./state');
const {
  CPromise, thenMethod, createLike, promiseOf, react, settle, rejectPromise, isObject, isPromise, isPlainPromise, addFlags, logJob,
  slotPinned, setJob, newCapability, describe,
} = require('./promise');
const { markHandled } = require('./rejections');
const { iterate, isPlainArray, toInput } = require('./input');
const { open } = require('./source');
const { resultOf } = require('./features');
const { claim, isInput, settledBy, valueOf, isRejected } = require('./inputs');
const { aggregate } = require('./errors');
const { warn } = require('./warnings');
const { keepShape } = require('./shapes');

/** Puts the values in the place of the inputs. */
function unwrap(inputs) {
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i];
    if (isInput(input)) inputs[i] = settledBy(input)._v;
  }
  return inputs;
}

const fulfilledResult = (value) => ({ status: 'fulfilled', value });
const rejectedResult = (reason) => ({ status: 'rejected', reason });

function inspections(inputs) {
  for (let i = 0; i < inputs.length; i++) {
    inputs[i] = isRejected(inputs[i]) ? rejectedResult(valueOf(inputs[i])) : fulfilledResult(valueOf(inputs[i]));
  }
  return inputs;
}

/**
 * What makes one combinator differ from another. `stopsOn...`: an input with
 * that outcome decides, so the inputs after it need not be waited for. `finish`
 * settles the result from the job and the index of the decisive one (-1: all
 * of them are settled, and none of them decided by itself). `isEarly`: when all
 * are fulfilled already so is the result, where ES takes a job.
 */
const kinds = {
  all: {
    isEarly: false,
    stopsOnFulfilled: false,
    stopsOnRejected: true,
    need: (pending) => pending,
    slack: () => 1,
    finish(promise, job, index) {
      const { inputs } = job;
      if (index >= 0 && isRejected(inputs[index])) settle(promise, valueOf(inputs[index]), REJECTED);
      else settle(promise, job.give(unwrap(inputs)), FULFILLED);
    },
  },
  allSettled: {
    isEarly: false,
    stopsOnFulfilled: false,
    stopsOnRejected: false,
    need: (pending) => pending,
    slack: () => 0,
    finish(promise, job, index) {
      settle(promise, job.give(inspections(job.inputs)), FULFILLED);
    },
  },
  any: {
    isEarly: false,
    stopsOnFulfilled: true,
    stopsOnRejected: false,
    need: () => 1,
    slack: (pending) => pending,
    finish(promise, { inputs }, index) {
      if (index >= 0 && !isRejected(inputs[index])) settle(promise, valueOf(inputs[index]), FULFILLED);
      else rejectPromise(promise, allRejected(unwrap(inputs)));
    },
  },
  race: {
    isEarly: false,
    stopsOnFulfilled: true,
    stopsOnRejected: true,
    need: () => 1,
    slack: () => 1,
    finish(promise, { inputs }, index) {
      if (index < 0) return; // an empty race never ends
      settle(promise, valueOf(inputs[index]), isRejected(inputs[index]) ? REJECTED : FULFILLED);
    },
  },
};

kinds.props = { ...kinds.all, isEarly: true };

function allRejected(errors) {
  return aggregate(errors, 'All promises were rejected');
}

/** The job of a combinator's result (see runJob in promise.js and sweep in tenure.js). */
class Combination {
  constructor(kind, inputs) {
    this.kind = kind;
    this.inputs = inputs;
  }

  complete(promise, index) {
    if (index >= 0 && this.isDecidedBy(index)) this.eachPending(retain);
    this.kind.finish(promise, this, index);
  }

  /** Whether it ended because of this input, while others may be pending. */
  isDecidedBy(index) {
    return isRejected(this.inputs[index]) ? this.kind.stopsOnRejected : this.kind.stopsOnFulfilled;
  }

  /** The value of the result, from the array of values. */
  give(values) {
    return values;
  }

  /** Visits the pending promises that count for the inputs, until visit(promise) is true. Returns whether it was. */
  eachPending(visit) {
    const { inputs } = this;
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i];
      if (!isInput(input)) continue;
      const promise = settledBy(input);
      const s = promise._s;
      if ((s <= PENDING || s > FOLLOWING) && visit(promise) === true) return true;
    }
    return false;
  }
}

keepShape(new Combination(kinds.all, []));

/**
 * Pins an input that has lost. It has a slot that nothing waits for, and should
 * nobody ever settle it, a sweep must find it to give the slot back.
 */
function retain(promise) {
  const s = promise._s;
  if (s > FOLLOWING) pin(s >> 2, promise);
}

/**
 * Links `promise` to the elements of `source`, an array, and puts into the inputs
 * of `job` what stands for them; they may be the same array. Elements that are no promises of ours may run code of
 * the user when they are looked at, which may settle what is linked already: the
 * engine counts that, and fires when it is told how much to wait for.
 * @throws what the code of the user throws; {RangeError} out of slots
 */
function link(promise, job, source) {
  const { kind, inputs } = job;
  let combinator = 0;
  let pending = 0;
  let run = 0; // the first of fresh slots that no command has told of yet
  let runLength = 0;
  let runIndex = 0;
  let visited = false; // code of the user may have run
  let isDecided = false;
  let i = 0;
  for (; i < source.length; i++) {
    let input = source[i];
    if (!isObject(input)) {
      inputs[i] = input;
      isDecided = kind.stopsOnFulfilled;
      if (isDecided) break;
      continue;
    }
    if (!isPlainPromise(input) || input.then !== thenMethod) {
      if (runLength > 0) addCarriers(combinator, runIndex, run, runLength);
      runLength = 0;
      visited = true;
      input = toInput(input);
      if (!isInput(input)) {
        inputs[i] = input;
        isDecided = kind.stopsOnFulfilled;
        if (isDecided) break;
        continue;
      }
    }
    inputs[i] = input;
    let s = input._s;
    if (s === FOLLOWING) {
      input = target(input);
      s = input._s;
    }
    if (s === FULFILLED) {
      isDecided = kind.stopsOnFulfilled;
      if (isDecided) break;
      // The value is all that is wanted: the promise may die young.
      if (!isInput(input._v)) inputs[i] = input._v;
      continue;
    }
    if (s === REJECTED || s === HANDLED) {
      if (s === REJECTED) markHandled(input);
      isDecided = kind.stopsOnRejected;
      if (isDecided) break;
      continue;
    }
    pending++;
    if (combinator === 0) combinator = begin(promise, job);
    if (s === PENDING) {
      const slot = takeSlot();
      input._s = (slot << 2) | ATTACHED;
      if (slot === run + runLength && i === runIndex + runLength && (slot & 255) !== 0) {
        runLength++;
      } else {
        if (runLength > 0) addCarriers(combinator, runIndex, run, runLength);
        run = slot;
        runLength = 1;
        runIndex = i;
      }
    } else {
      if (runLength > 0) addCarriers(combinator, runIndex, run, runLength);
      runLength = 0;
      addFlags(input, ATTACHED);
      addItem(combinator, i, slotOf(input));
    }
  }
  if (runLength > 0) addCarriers(combinator, runIndex, run, runLength);
  if (isDecided) {
    decide(promise, job, combinator, i, source);
  } else {
    if (inputs.length !== i) inputs.length = i;
    if (pending > 0) arm(kind, combinator, pending, visited);
    else if (i === 0 || kind.isEarly) kind.finish(promise, job, -1);
    else {
      setJob(promise, job);
      logJob(promise, -1);
    }
  }
}

/** Starts a combinator in the engine. */
function begin(promise, job) {
  const owner = slotPinned(promise);
  const combinator = takeSlot();
  setJob(promise, job);
  combine(combinator, owner);
  return combinator;
}

/** Tells the engine how much to wait for, which may have come already. */
function arm(kind, combinator, pending, visited) {
  log((combinator << 4) | NEED, kind.need(pending));
  if (visited) logReady((combinator << 4) | SLACK, kind.slack(pending));
  else log((combinator << 4) | SLACK, kind.slack(pending));
}

/**
 * Input `index` has decided already; the ones behind it count as handled. The job
 * comes first: to look at the others may run code of the user.
 */
function decide(promise, job, combinator, index, source) {
  const { inputs } = job;
  const { length } = source;
  setJob(promise, job);
  if (combinator === 0) logJob(promise, index);
  else logReady((combinator << 4) | FIRE, index);
  try {
    // `source` may be `inputs` itself, so each place is read before it is written.
    let kept = index + 1;
    for (let i = index + 1; i < length; i++) {
      const input = claim(toInput(source[i]));
      if (isInput(input)) inputs[kept++] = input;
    }
    inputs.length = kept;
  } catch (e) {
    setJob(promise, new Failure(e));
  }
}

/** The job of a result that is rejected when its turn comes. */
class Failure {
  constructor(error) {
    this.error = error;
  }

  complete(promise) {
    settle(promise, this.error, REJECTED);
  }
}

/**
 * Settles `promise` with the combined outcomes of the elements of an iterable, of
 * an async iterable, or of the value of a promise.
 */
function combineInto(promise, kind, input) {
  try {
    if (isPlainArray(input)) {
      link(promise, new Combination(kind, new Array(input.length)), input);
      return;
    }
    const method = input === null || input === undefined ? undefined : input[Symbol.iterator];
    if (typeof method !== 'function' && isObject(input) && combineLater(promise, kind, input)) return;
    const inputs = [];
    try {
      iterate(input, method, (element) => {
        inputs.push(toInput(element));
      });
    } catch (e) {
      inputs.forEach(claim);
      throw e;
    }
    link(promise, new Combination(kind, inputs), inputs);
  } catch (e) {
    fail(promise, e);
  }
}

/** The same for a job whose inputs are the elements so far. */
function combineJob(promise, job) {
  try {
    link(promise, job, job.inputs);
  } catch (e) {
    fail(promise, e);
  }
}

/** The same when the elements are not there yet. @returns {boolean} whether `input` is of that kind */
function combineLater(promise, kind, input) {
  const failed = (error) => fail(promise, error);
  if (typeof input[Symbol.asyncIterator] === 'function') {
    const source = open(input);
    const inputs = [];
    const read = () => source.request(
      (index, element) => {
        inputs.push(claim(toInput(element)));
        read();
      },
      () => combineInto(promise, kind, inputs),
      failed,
    );
    read();
    return true;
  }
  if (!isPromise(input) && !isThenable(input)) return false;
  react(promiseOf(input), (value) => combineInto(promise, kind, value), failed);
  return true;
}

function isThenable(object) {
  try {
    return typeof object.then === 'function';
  } catch {
    return false; // neither iterable nor anything else
  }
}

/** Combines in the plain case: our own class, its methods untouched. */
function combinePlain(kind, input) {
  const promise = createLike(input);
  combineInto(promise, kind, input);
  return resultOf(promise, input);
}

/** Rejects a result whose inputs could not be read or linked. */
function fail(promise, error) {
  setJob(promise, undefined);
  settle(promise, error, REJECTED);
}

// ------------------------------------------------ where the protocol is visible

/** Whether C.resolve and then are ours, so that calling them cannot be seen. */
function isPlain(C) {
  return C === CPromise && CPromise.resolve === originals.resolve && CPromise.prototype.then === thenMethod;
}

const originals = { resolve: undefined };

const identity = (value) => value;

/**
 * The steps of the specification, one by one, for subclasses and for classes
 * whose `resolve` or `then` has been replaced.
 * @see https://tc39.es/ecma262/#sec-promise.all
 */
function combineGeneric(name, C, iterable) {
  const capability = newCapability(C);
  try {
    const { resolve } = C;
    if (typeof resolve !== 'function') throw new TypeError(`${describe(C)}.resolve is not a function`);
    generic[name](C, resolve, iterable, capability);
  } catch (e) {
    capability.reject(e);
  }
  return capability.promise;
}

/** Subscribes to each element; `attach(promise, index)` calls its then. */
function subscribe(C, resolve, iterable, attach) {
  let count = 0;
  iterate(iterable, iterable === null || iterable === undefined ? undefined : iterable[Symbol.iterator], (element) => {
    attach(resolve.call(C, element), count++);
  });
  return count;
}

/** Counts elements down to `finish`; a function of the returned kind may be called once. */
function countdown(finish) {
  let left = 1;
  return {
    add() {
      left++;
    },
    done() {
      if (--left === 0) finish();
    },
  };
}

/** A function that stores into values[index] once and counts down. */
function once(values, index, counter, convert, state) {
  return (value) => {
    if (state.called) return;
    state.called = true;
    values[index] = convert(value);
    counter.done();
  };
}

const generic = {
  all(C, resolve, iterable, capability) {
    const values = [];
    const counter = countdown(() => capability.resolve(values));
    subscribe(C, resolve, iterable, (promise, index) => {
      values.push(undefined);
      const onFulfilled = once(values, index, counter, identity, { called: false });
      counter.add();
      promise.then(onFulfilled, capability.reject);
    });
    counter.done();
  },
  allSettled(C, resolve, iterable, capability) {
    const values = [];
    const counter = countdown(() => capability.resolve(values));
    subscribe(C, resolve, iterable, (promise, index) => {
      values.push(undefined);
      const state = { called: false };
      const onFulfilled = once(values, index, counter, fulfilledResult, state);
      const onRejected = once(values, index, counter, rejectedResult, state);
      counter.add();
      promise.then(onFulfilled, onRejected);
    });
    counter.done();
  },
  any(C, resolve, iterable, capability) {
    const errors = [];
    const counter = countdown(() => capability.reject(allRejected(errors)));
    subscribe(C, resolve, iterable, (promise, index) => {
      errors.push(undefined);
      const onRejected = once(errors, index, counter, identity, { called: false });
      counter.add();
      promise.then(capability.resolve, onRejected);
    });
    counter.done();
  },
  race(C, resolve, iterable, capability) {
    subscribe(C, resolve, iterable, (promise) => {
      promise.then(capability.resolve, capability.reject);
    });
  },
};

function run(name, C, iterable) {
  if (C === undefined) C = CPromise;
  return isPlain(C) ? combinePlain(kinds[name], iterable) : combineGeneric(name, C, iterable);
}

const statics = {
  /**
   * Fulfills with the values in input order once all inputs are fulfilled;
   * rejects with the first rejection.
   * @param {Iterable<any>} iterable
   * @see https://tc39.es/ecma262/#sec-promise.all
   */
  all(iterable) {
    return run('all', this, iterable);
  },

  /**
   * Fulfills with `{status: 'fulfilled', value}` or `{status: 'rejected', reason}`
   * for each input once all are settled.
   * @param {Iterable<any>} iterable
   * @see https://tc39.es/ecma262/#sec-promise.allsettled
   */
  allSettled(iterable) {
    return run('allSettled', this, iterable);
  },

  /**
   * Fulfills with the value of the first input that is fulfilled; rejects with an
   * AggregateError whose `errors` stand in input order when all are rejected.
   * @param {Iterable<any>} iterable
   * @see https://tc39.es/ecma262/#sec-promise.any
   */
  any(iterable) {
    return run('any', this, iterable);
  },

  /**
   * Has the outcome of the first input that settles; stays pending for none.
   * @param {Iterable<any>} iterable
   * @see https://tc39.es/ecma262/#sec-promise.race
   */
  race(iterable) {
    return run('race', this, iterable);
  },
};

/** Remembers the untouched `resolve`. */
function setOriginals(resolve) {
  originals.resolve = resolve;
}

/** The same as methods: the promise is the input. */
const methods = {
  all() {
    if (arguments.length > 0) warn('.all() was passed arguments but it does not take any');
    return combinePlain(kinds.all, this);
  },
  allSettled() {
    return combinePlain(kinds.allSettled, this);
  },
  any() {
    return combinePlain(kinds.any, this);
  },
  race() {
    return combinePlain(kinds.race, this);
  },
};

module.exports = { statics, methods, kinds, Combination, retain, combineInto, combineJob, setOriginals };

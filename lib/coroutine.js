'use strict';
/** coroutine, spawn: generator functions that wait for what they yield. */
const { CPromise } = require('./core');
const {
  thenMethod, create, promiseOf, isPlainPromise, isObject, resolvePromise, rejectPromise, logJob, setJob, describe, throwLater,
} = require('./promise');
const { FULFILLED, REJECTED, HANDLED } = require('./state');
const { markHandled } = require('./rejections');
const { watch, hooks, resultOf } = require('./features');
const { onCancelToo } = require('./cancelled');
const { install } = require('./install');

/** Whether neither contexts nor features are in use, that only `then` takes care of. */
const isQuiet = () => watch.loaded.length === watch.quiet;

/** Handlers for all coroutines, in the order in which they were added. @type {((value: any) => any)[]} */
const yieldHandlers = [];

/**
 * One run of a generator; the job of its result while it goes on from a promise
 * that was settled when it was yielded: such a step makes no object.
 */
class Coroutine {
  constructor(generator, yieldHandler) {
    this.promise = create();
    this.generator = generator;
    this.yieldHandler = yieldHandler;
    this.value = undefined; // what the next step begins with, and whether that is an error
    this.failed = false;
    this.fulfilled = undefined;
    this.rejected = undefined;
    this.awaited = undefined; // what it waits for
  }

  /** The result has been cancelled: so is what is waited for, and the generator ends. */
  stop() {
    hooks.cancel(this.awaited);
    try {
      this.generator.return(undefined);
    } catch (e) {
      throwLater(e);
    }
  }

  /** The job: takes the next step. */
  complete() {
    const { value, failed } = this;
    this.value = undefined;
    this.step(value, failed);
  }

  /** Goes on to the next yield, and waits for what that gives. */
  step(value, failed) {
    let awaited;
    try {
      const { generator } = this;
      const step = failed ? generator.throw(value) : generator.next(value);
      if (step.done) {
        resolvePromise(this.promise, step.value);
        return;
      }
      awaited = isPlainPromise(step.value) ? step.value : this.toPromise(step.value);
    } catch (e) {
      rejectPromise(this.promise, e);
      return;
    }
    if (isQuiet() && this.takeSettled(awaited)) return;
    this.fulfilled ??= (result) => this.step(result, false);
    this.rejected ??= onCancelToo((reason) => this.step(reason, true));
    this.awaited = awaited;
    thenMethod.call(awaited, this.fulfilled, this.rejected);
  }

  /** Asks for the next step when the awaited promise is settled. @returns {boolean} whether it is */
  takeSettled(awaited) {
    const s = awaited._s;
    if (s !== FULFILLED && s !== REJECTED && s !== HANDLED) return false;
    if (s === REJECTED) markHandled(awaited);
    this.value = awaited._v;
    this.failed = s !== FULFILLED;
    logJob(this.promise, 0);
    setJob(this.promise, this);
    return true;
  }

  /** The promise of what was yielded: a thenable, or what a handler makes a thenable of. */
  toPromise(value) {
    if (isThenable(value)) return promiseOf(value);
    try {
      const made = this.handle(value);
      if (made !== undefined) return promiseOf(made);
    } catch (e) {
      return CPromise.reject(e);
    }
    return CPromise.reject(new TypeError(`a coroutine yielded ${describe(value)}, which is no promise`));
  }

  /** The first thenable that a handler gives for a value. */
  handle(value) {
    const { yieldHandler } = this;
    const first = yieldHandler === undefined ? undefined : yieldHandler(value);
    if (isThenable(first)) return first;
    for (const handler of yieldHandlers) {
      const made = handler(value);
      if (isThenable(made)) return made;
    }
    return undefined;
  }
}

const isThenable = (value) => isObject(value) && typeof value.then === 'function';

/** Runs a generator function; the first step at once. */
function run(generatorFunction, receiver, args, yieldHandler) {
  let generator;
  try {
    generator = Reflect.apply(generatorFunction, receiver, args);
    if (!isObject(generator) || typeof generator.next !== 'function') {
      throw new TypeError(`expecting a generator function but it returned ${describe(generator)}`);
    }
  } catch (e) {
    return CPromise.reject(e);
  }
  const coroutine = new Coroutine(generator, yieldHandler);
  coroutine.step(undefined, false);
  return resultOf(coroutine.promise, undefined, () => coroutine.stop());
}

const statics = {
  /**
   * A function that runs a generator: `yield` waits for a promise and gives its value,
   * or throws its reason. The first step runs during the call; each further one in
   * a job of its own.
   * @param {GeneratorFunction} generatorFunction
   * @param {{yieldHandler?: (value: any) => any}} [options] yieldHandler: makes a promise
   *   of a yielded value that is none; anything else it gives means that it cannot
   * @returns {(...args: any[]) => Promise<any>} rejects with a TypeError where a value
   *   is yielded that nobody makes a promise of, unless the generator catches it
   * @throws {TypeError} generatorFunction or yieldHandler is not a function
   * @see http://bluebirdjs.com/docs/api/promise.coroutine.html
   */
  coroutine(generatorFunction, options) {
    if (typeof generatorFunction !== 'function') {
      throw new TypeError(`expecting a generator function but got ${describe(generatorFunction)}`);
    }
    const yieldHandler = isObject(options) ? options.yieldHandler : undefined;
    if (yieldHandler !== undefined) checkHandler(yieldHandler, 'yieldHandler');
    const coroutine = function (...args) {
      return run(generatorFunction, this, args, yieldHandler);
    };
    for (const key of ['name', 'length']) {
      Object.defineProperty(coroutine, key, { value: generatorFunction[key], configurable: true });
    }
    return coroutine;
  },

  /**
   * Runs a generator function once.
   * @returns {Promise<any>} rejected with a TypeError for what is no function
   * @see http://bluebirdjs.com/docs/api/promise.spawn.html
   */
  spawn(generatorFunction) {
    if (typeof generatorFunction !== 'function') {
      return CPromise.reject(new TypeError(`expecting a generator function but got ${describe(generatorFunction)}`));
    }
    return run(generatorFunction, this, [], undefined);
  },
};

function checkHandler(handler, name) {
  if (typeof handler !== 'function') throw new TypeError(`expecting ${name} to be a function but got ${describe(handler)}`);
}

install(statics.coroutine, {
  /**
   * Adds a handler that is asked by all coroutines, after their own and those added before.
   * @param {(value: any) => any} handler
   * @throws {TypeError} handler is not a function
   * @see http://bluebirdjs.com/docs/api/promise.coroutine.addyieldhandler.html
   */
  addYieldHandler(handler) {
    checkHandler(handler, 'handler');
    yieldHandlers.push(handler);
  },
});

install(CPromise, statics);

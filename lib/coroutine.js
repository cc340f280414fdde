'use strict';
/** coroutine, spawn: generator functions that wait for what they yield. */
const { CPromise } = require('./core');
const {
  thenMethod, create, promiseOf, isPromise, isPlainPromise, isObject, resolvePromise, rejectPromise, resolveWithThen, proceedAfter,
  describe, throwLater,
} = require('./promise');
const { FULFILLED, REJECTED, Continuation } = require('./state');
const { CANCELLATION, isOn, watch, hooks, resultOf } = require('./features');
const { cancelled, onCancelToo } = require('./cancelled');
const { install } = require('./install');
const { keepShape } = require('./shapes');

/** Handlers for all coroutines, in the order in which they were added. @type {((value: any) => any)[]} */
const yieldHandlers = [];

/**
 * One run of a generator. Its result waits for each promise that is yielded, in turn:
 * a step makes no object.
 */
class Coroutine extends Continuation {
  constructor(generator, yieldHandler) {
    super();
    this.generator = generator;
    this.yieldHandler = yieldHandler;
  }

  /** Goes on to the next yield with the outcome of what was awaited, and waits for what that gives. */
  proceed(promise, value, state) {
    try {
      const step = state === FULFILLED ? this.generator.next(value) : this.interrupt(value, state);
      if (step.done) {
        this.end(promise, step.value);
        return;
      }
      const awaited = isPlainPromise(step.value) ? step.value : this.toPromise(step.value);
      if (watch.loaded.length === watch.quiet) proceedAfter(promise, awaited, this);
      else this.proceedThen(promise, awaited);
    } catch (e) {
      this.fail(promise, e);
    }
  }

  /** Waits where only `then` does all that is to be done: contexts or features are in use. */
  proceedThen(promise, awaited) {
    thenMethod.call(
      awaited,
      (value) => this.proceed(promise, value, FULFILLED),
      onCancelToo((reason) => this.proceed(promise, reason, REJECTED)),
    );
  }

  interrupt(value) {
    return this.generator.throw(value);
  }

  end(promise, value) {
    resolvePromise(promise, value);
  }

  fail(promise, error) {
    rejectPromise(promise, error);
  }

  /** The promise of what was yielded: a thenable, or what a handler makes a thenable of. */
  toPromise(value) {
    try {
      const promise = ofThenable(value) ?? this.handle(value);
      if (promise !== undefined) return promise;
    } catch (e) {
      return CPromise.reject(e);
    }
    return CPromise.reject(new TypeError(`a coroutine yielded ${describe(value)}, which is no promise`));
  }

  /** The promise of the first thenable that a handler gives for a value. */
  handle(value) {
    const { yieldHandler } = this;
    let promise = yieldHandler === undefined ? undefined : ofThenable(yieldHandler(value));
    for (let i = 0; promise === undefined && i < yieldHandlers.length; i++) promise = ofThenable(yieldHandlers[i](value));
    return promise;
  }
}

/** The promise of a thenable; undefined for anything else. */
function ofThenable(value) {
  if (!isObject(value)) return undefined;
  if (isPromise(value)) return promiseOf(value);
  const { then } = value;
  if (typeof then !== 'function') return undefined;
  const promise = create();
  resolveWithThen(promise, value, then);
  return promise;
}

/** In place of a state: the generator is to end. */
const STOPPED = 0;

/** One that is made while promises can be cancelled. */
class CancellableCoroutine extends Coroutine {
  constructor(generator, yieldHandler) {
    super(generator, yieldHandler);
    this.wait = undefined; // the Wait that it is in
    this.isStopped = false; // the result has been cancelled: nobody waits for it any more
    this.stopsLate = false; // that was while it ran
    this.reason = undefined; // that of a promise that it waited for and that has been cancelled
  }

  proceedThen(promise, awaited) {
    const wait = new Wait(this, promise, awaited);
    this.wait = wait;
    thenMethod.call(awaited, (value) => wait.end(value, FULFILLED), onCancelToo((reason) => wait.end(reason, REJECTED)));
    if (this.stopsLate) this.stop(promise);
  }

  /** The result has been cancelled: so is what is waited for, and the generator ends, now or at its next yield. */
  stop(promise) {
    const { wait } = this;
    this.wait = undefined;
    this.isStopped = true;
    this.stopsLate = wait === undefined;
    if (wait === undefined) return;
    hooks.cancel(wait.awaited);
    this.proceed(promise, undefined, STOPPED);
  }

  /** What it waits for has been cancelled: the generator ends, and its result is cancelled. */
  cancel(promise, reason) {
    this.reason = reason;
    this.proceed(promise, undefined, STOPPED);
  }

  interrupt(value, state) {
    const { generator } = this;
    if (state !== STOPPED) return generator.throw(value);
    return typeof generator.return === 'function' ? generator.return(undefined) : { done: true, value: undefined };
  }

  end(promise, value) {
    if (this.reason === undefined) resolvePromise(promise, value);
    else rejectPromise(promise, this.reason);
  }

  fail(promise, error) {
    if (this.isStopped) throwLater(error);
    else rejectPromise(promise, error);
  }
}

/** One wait of a coroutine that can be cancelled; it ends once, or not at all when that has been stopped. */
class Wait {
  constructor(coroutine, promise, awaited) {
    this.coroutine = coroutine;
    this.promise = promise;
    this.awaited = awaited;
  }

  end(value, state) {
    const { coroutine } = this;
    if (coroutine.wait !== this) return;
    coroutine.wait = undefined;
    if (state === REJECTED && cancelled.has(this.awaited)) coroutine.cancel(this.promise, value);
    else coroutine.proceed(this.promise, value, state);
  }
}

/** Runs what a generator function has returned; the first step at once. */
function run(generator, yieldHandler) {
  if (!isObject(generator) || typeof generator.next !== 'function') {
    return CPromise.reject(new TypeError(`expecting a generator function but it returned ${describe(generator)}`));
  }
  if (isOn(CANCELLATION)) return runCancellable(new CancellableCoroutine(generator, yieldHandler));
  const promise = create();
  new Coroutine(generator, yieldHandler).proceed(promise, undefined, FULFILLED);
  return promise;
}

function runCancellable(coroutine) {
  const promise = create();
  coroutine.proceed(promise, undefined, FULFILLED);
  return resultOf(promise, undefined, () => coroutine.stop(promise));
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
    const coroutine = function () {
      let generator;
      try {
        generator = Reflect.apply(generatorFunction, this, arguments);
      } catch (e) {
        return CPromise.reject(e);
      }
      return run(generator, yieldHandler);
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
    return statics.coroutine(generatorFunction).call(this);
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

keepShape(new Coroutine(undefined, undefined));

install(CPromise, statics);

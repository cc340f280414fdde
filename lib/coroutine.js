'use strict';
/** coroutine, spawn: generator functions that wait for what they yield. */
const { CPromise } = require('./core');
const { thenMethod, create, promiseOf, isPlainPromise, isObject, resolvePromise, settle, describe } = require('./promise');
const { REJECTED } = require('./state');
const { install } = require('./install');

/** Handlers for all coroutines, in the order in which they were added. @type {((value: any) => any)[]} */
const yieldHandlers = [];

/** One run of a generator. */
class Coroutine {
  constructor(generator, yieldHandler) {
    this.promise = create();
    this.generator = generator;
    this.yieldHandler = yieldHandler;
    this.fulfilled = (value) => this.step('next', value);
    this.rejected = (reason) => this.step('throw', reason);
  }

  /** Goes on to the next yield, and waits for what that gives. */
  step(method, value) {
    let awaited;
    try {
      const { done, value: result } = this.generator[method](value);
      if (done) {
        resolvePromise(this.promise, result);
        return;
      }
      awaited = isPlainPromise(result) ? result : this.toPromise(result);
    } catch (e) {
      settle(this.promise, e, REJECTED);
      return;
    }
    Reflect.apply(thenMethod, awaited, [this.fulfilled, this.rejected]);
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
  const { promise } = coroutine;
  coroutine.step('next', undefined);
  return promise;
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

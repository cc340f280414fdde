'use strict';
/**
 * Resources: disposer, using. A resource that has been acquired is disposed of
 * once, after the function that uses it has ended, whatever came of that.
 */
const { CPromise } = require('./core');
const { create, promiseOf, react, settle, resolvePromise, isObject, isPromise, describe, throwReceiver, throwLater } = require('./promise');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');
const { watch, hooks, resultOf } = require('./features');
const { CancellationError } = require('./errors');
const { kinds, combineInto } = require('./combinators');
const { PromiseInspection } = require('./inspection');

/** The protocol of `using` declarations, as far as the runtime has it. */
const asyncDispose = Symbol.asyncDispose;
const syncDispose = Symbol.dispose;

/** A promise of a resource, with the function that disposes of it. */
class Disposer {
  #promise;
  #dispose;
  #result;

  constructor(promise, dispose) {
    this.#promise = promise;
    this.#dispose = dispose;
  }

  /** The promise of the resource. */
  promise() {
    return this.#promise;
  }

  /** Calls the function, once. @returns what it gave */
  dispose(resource, inspection) {
    const dispose = this.#dispose;
    if (dispose !== undefined) {
      this.#dispose = undefined;
      this.#result = Reflect.apply(dispose, resource, [resource, inspection]);
    }
    return this.#result;
  }
}

/** For `await using`: disposes of the resource; there is none when it could not be acquired. */
if (asyncDispose !== undefined) {
  install(Disposer.prototype, {
    [asyncDispose]() {
      const inspection = new PromiseInspection(FULFILLED, undefined);
      return react(promiseOf(this.promise()), (resource) => promiseOf(this.dispose(resource, inspection)).then(() => {}), () => {});
    },
  });
}

/** A resource that has been acquired; `dispose` may be undefined. */
class Lease {
  constructor(resource, dispose) {
    this.resource = resource;
    this.dispose = dispose;
  }
}

/** A promise of the Lease of a resource, of a promise of one, or of a disposer. */
function acquire(input) {
  try {
    return acquireAny(input);
  } catch (e) {
    return CPromise.reject(e); // a revoked proxy
  }
}

function acquireAny(input) {
  if (input instanceof Disposer) {
    return react(promiseOf(input.promise()), (resource) => new Lease(resource, (outcome) => input.dispose(resource, outcome)));
  }
  return react(promiseOf(input), (value) => (value instanceof Disposer ? acquire(value) : new Lease(value, ownDisposal(value))));
}

/** How an object disposes of itself. */
function ownDisposal(resource) {
  if (!isObject(resource) || isPromise(resource)) return undefined;
  const method = (asyncDispose && resource[asyncDispose]) ?? (syncDispose && resource[syncDispose]);
  return typeof method === 'function' ? () => Reflect.apply(method, resource, []) : undefined;
}

/** Disposes of all leases, the last first, one after another; then calls `done`. */
function disposeAll(leases, outcome, done) {
  let i = leases.length;
  const failed = (error) => {
    throwLater(error);
    next();
  };
  const next = () => {
    while (i > 0) {
      const { dispose } = leases[--i];
      if (dispose === undefined) continue;
      try {
        const result = dispose(outcome);
        if (!isObject(result)) continue;
        react(promiseOf(result), next, failed);
        return;
      } catch (e) {
        throwLater(e);
      }
    }
    done();
  };
  next();
}

/** Calls `use` with the acquired resources, unless `state` says that it is cancelled; then disposes of them and settles `result`. */
function run(result, acquired, use, state) {
  const leases = [];
  let failure;
  for (const { status, value, reason } of acquired) {
    if (status === 'fulfilled') leases.push(value);
    else failure ??= { reason };
  }
  if (state.isCancelled) failure ??= { reason: new CancellationError() };
  const work = create();
  if (failure !== undefined) {
    settle(work, failure.reason, REJECTED);
  } else {
    try {
      state.returned = use(leases.map((lease) => lease.resource));
      resolvePromise(work, state.returned);
    } catch (e) {
      settle(work, e, REJECTED);
    }
  }
  const end = (state) => (value) => disposeAll(leases, new PromiseInspection(state, value), () => settle(result, value, state));
  react(work, end(FULFILLED), end(REJECTED));
}

function isArrayOfResources(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

const statics = {
  /**
   * Waits for resources, calls `fn` with them, and when that has ended disposes of
   * them in reverse order, one after another; then has the outcome of `fn`. When one
   * cannot be acquired the others are disposed of, and its reason rejects. What a
   * disposal throws or rejects with is an uncaught exception.
   * @param {...(Disposer|PromiseLike<any>|object)} resources disposers, promises of
   *   them, objects with Symbol.asyncDispose or Symbol.dispose; anything else is
   *   passed on and not disposed of. Or one array of all.
   * @param {(...resources: any[]) => any} fn given the array when the resources came as one
   * @returns {Promise<any>} rejected with a TypeError for wrong arguments
   * @see http://bluebirdjs.com/docs/api/promise.using.html
   */
  using(...args) {
    const result = create();
    let fn = args.pop();
    if (watch.features !== 0 && typeof fn === 'function') fn = hooks.callback(fn, result, 'using');
    const isArray = args.length === 1 && isArrayOfResources(args[0]);
    const inputs = isArray ? args[0].slice() : args;
    if (args.length === 0) {
      settle(result, new TypeError('expecting at least one resource and a function'), REJECTED);
      return result;
    }
    const use = (resources) => {
      if (typeof fn !== 'function') throw new TypeError(`expecting the last argument to be a function but got ${describe(fn)}`);
      return isArray ? fn(resources) : fn(...resources);
    };
    const all = create();
    combineInto(all, kinds.allSettled, inputs.map(acquire));
    const state = { isCancelled: false, returned: undefined };
    react(all, (acquired) => run(result, acquired, use, state), (error) => settle(result, error, REJECTED));
    return resultOf(result, undefined, () => {
      state.isCancelled = true; // what is being acquired will be disposed of when it comes
      hooks.cancel(state.returned);
    });
  },
};

const methods = {
  /**
   * A disposer for `using`.
   * @param {(resource: any, outcome: PromiseInspection) => any} fn called once, when the
   *   resource, which is its `this` too, is not used any more; what it gives is waited for
   * @returns {Disposer} it can be used by `await using` too
   * @throws {TypeError} fn is not a function
   * @see http://bluebirdjs.com/docs/api/disposer.html
   */
  disposer(fn) {
    if (!isPromise(this)) throwReceiver('disposer', this);
    if (typeof fn !== 'function') throw new TypeError(`expecting a function but got ${describe(fn)}`);
    return new Disposer(this, fn);
  },
};

install(CPromise, statics);
install(CPromise.prototype, methods);

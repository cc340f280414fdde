'use strict';
/**
 * The rest of the Promise API of ECMAScript: finally, resolve, reject,
 * withResolvers, try, species and the tag. For catch see catch.js.
 */
const {
  CPromise, thenMethod, create, promiseOf, rejected, isObject, isPromise, isConstructor, newCapability, resolvers, speciesOf, throwReceiver,
  withReceiver, describe,
} = require('./promise');
const { noteReturned } = require('./features');
const { onCancelToo } = require('./cancelled');
const { install } = require('./install');
const combinators = require('./combinators');

/** The class that a static method was called on; ours when it was called bare. */
function classOf(receiver, method) {
  if (receiver === undefined || receiver === CPromise) return CPromise;
  if (!isObject(receiver)) throw new TypeError(`Promise.${method} called on non-object ${describe(receiver)}`);
  return receiver;
}

/** @see https://tc39.es/ecma262/#sec-promise-resolve */
function resolveAs(C, value) {
  if (C === CPromise) return promiseOf(value);
  if (isPromise(value) && value.constructor === C) return value;
  const capability = newCapability(C);
  capability.resolve(value);
  return capability.promise;
}

const statics = {
  /**
   * A promise of `value`: itself when it is one of this class, else a new one
   * that follows it when it is a thenable, or is fulfilled with it.
   * @see https://tc39.es/ecma262/#sec-promise.resolve
   */
  resolve(value) {
    return resolveAs(classOf(this, 'resolve'), value);
  },

  /**
   * A promise rejected with `reason`.
   * @see https://tc39.es/ecma262/#sec-promise.reject
   */
  reject(reason) {
    const C = classOf(this, 'reject');
    if (C === CPromise) return rejected(reason);
    const capability = newCapability(C);
    capability.reject(reason);
    return capability.promise;
  },

  /**
   * A pending promise and the two functions that resolve and reject it.
   * @see https://tc39.es/ecma262/#sec-promise.withresolvers
   */
  withResolvers() {
    const C = classOf(this, 'withResolvers');
    if (C !== CPromise) {
      const { promise, resolve, reject } = newCapability(C);
      return { promise, resolve, reject };
    }
    const promise = create();
    const [resolve, reject] = resolvers(promise);
    return { promise, resolve, reject };
  },

  /**
   * Calls `callback(...args)` at once and gives a promise of what it returns or
   * throws.
   * @see https://tc39.es/ecma262/#sec-promise.try
   */
  try(callback, ...args) {
    const C = classOf(this, 'try');
    const capability = newCapability(C);
    try {
      capability.resolve(callback(...args));
    } catch (e) {
      capability.reject(e);
    }
    return capability.promise;
  },

  get [Symbol.species]() {
    return this;
  },
};

// The specification counts one argument for try.
Object.defineProperty(statics.try, 'length', { value: 1, configurable: true });

const methods = {
  /**
   * Runs `onFinally` without arguments in either case and passes the outcome on,
   * unless `onFinally` throws or gives a promise that is rejected.
   * @see https://tc39.es/ecma262/#sec-promise.prototype.finally
   */
  finally(onFinally) {
    if (!isObject(this)) throwReceiver('finally', this);
    const C = speciesOf(this.constructor);
    if (typeof onFinally !== 'function') return this.then(onFinally, onFinally);
    const callback = withReceiver(this, onFinally);
    return this.then(
      (value) => {
        const result = callback();
        noteReturned(result);
        return isSettledPlainly(C, result) ? value : resolveAs(C, result).then(() => value);
      },
      onCancelToo((reason) => {
        const result = callback();
        if (isSettledPlainly(C, result)) throw reason;
        return resolveAs(C, result).then(() => {
          throw reason;
        });
      }),
    );
  },
};

/** Whether nothing has to be waited for, and nobody could see that we did not. */
function isSettledPlainly(C, value) {
  return C === CPromise && !isObject(value) && CPromise.prototype.then === thenMethod;
}

install(CPromise, statics);
install(CPromise, combinators.statics);
install(CPromise.prototype, combinators.methods);
install(CPromise.prototype, methods);
combinators.setOriginals(CPromise.resolve);

Object.defineProperty(CPromise, 'name', { value: 'Promise', configurable: true });
Object.defineProperty(CPromise.prototype, Symbol.toStringTag, { value: 'Promise', configurable: true });

module.exports = { CPromise, resolveAs, isConstructor };

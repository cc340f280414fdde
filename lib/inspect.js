'use strict';
/** What util.inspect and console.log show of a promise: what they show of a native one. */
const { CPromise } = require('./core');
const { NativePromise, nativeThen, isProxy } = require('#runtime');
const { isObject, isPromise } = require('./promise');
const { FULFILLED, REJECTED, HANDLED, FOLLOWING, target } = require('./state');
const { install } = require('./install');

const OWN_FIELDS = new Set(['_s', '_v', '_f', '_r', '_b']);

/** The state of a promise as [state, value], seen through what it follows. */
function stateOf(promise) {
  const p = promise._s === FOLLOWING ? target(promise) : promise;
  return [p._s, p._v];
}

const ignore = () => {};

const custom = Symbol.for('nodejs.util.inspect.custom');

/**
 * The copy last shown of each promise. One and the same copy for one and the
 * same state, so that Node sees a promise that contains itself as circular.
 * @type {WeakMap<object, {state: number, copy: Promise}>}
 */
const copies = new WeakMap();

/**
 * A native promise in the same state, with the same prototype and the same
 * extra properties, for Node to show in its own way.
 */
function nativeLike(promise) {
  const [state, value] = stateOf(promise);
  let shown = copies.get(promise);
  if (shown === undefined || shown.state !== state) {
    shown = { state, copy: makeCopy(state, value) };
    copies.set(promise, shown);
  }
  const { copy } = shown;
  for (const key of Reflect.ownKeys(copy)) delete copy[key];
  for (const key of Reflect.ownKeys(promise)) {
    if (!OWN_FIELDS.has(key)) Object.defineProperty(copy, key, Object.getOwnPropertyDescriptor(promise, key));
  }
  const prototype = Object.getPrototypeOf(promise);
  // An object between hides our own method, or Node would come back here.
  if (prototype !== CPromise.prototype) Object.setPrototypeOf(copy, Object.create(prototype, { [custom]: {} }));
  return copy;
}

function makeCopy(state, value) {
  const copy = new NativePromise((resolve, reject) => {
    if (state === FULFILLED) resolve(value);
    else if (state === REJECTED || state === HANDLED) reject(value);
  });
  nativeThen.call(copy, ignore, ignore);
  return copy;
}

/** Whether a native promise could not be fulfilled with a value without running code of its. */
function mayBeThenable(value) {
  return isObject(value) && (isProxy(value) || 'then' in value);
}

const methods = {
  [custom](depth, options, inspect) {
    if (!isPromise(this)) return this;
    const [state, value] = stateOf(this);
    if (state !== FULFILLED || !mayBeThenable(value)) return nativeLike(this);
    return `Promise { ${inspect(value, { ...options, depth: depth - 1 })} }`;
  },
};

install(CPromise.prototype, methods);

module.exports = { stateOf };

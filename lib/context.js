'use strict';
/**
 * Async context: a handler runs in the context (AsyncLocalStorage stores,
 * domain, async id) of the call that attached it.
 *
 * An AsyncResource per handler is far too dear to make when nobody uses a
 * context, and Node says nowhere that somebody does. But it loads certain
 * internal modules only when AsyncLocalStorage or domains are first touched, so
 * the length of its list of modules, one integer, tells that something may
 * have changed. Node 20 has no such module for AsyncLocalStorage; there, and
 * there alone, AsyncLocalStorage.prototype._enable is replaced until it is
 * first called, which run() and enterWith() do.
 */
const { AsyncResource } = require('node:async_hooks');
const { setEntry } = require('./engine');
const { major } = require('./runtime');

const MODULES = /^NativeModule (domain|internal\/async_local_storage\/)/;

const loaded = Array.isArray(process.moduleLoadList) ? process.moduleLoadList : [];

/**
 * `watch.loaded.length !== watch.quiet` means: look closer (the slow twin of
 * each hot function does). `quiet` is the length at which nobody used a context,
 * or -1 once somebody does.
 */
const watch = { loaded, quiet: 0 };

let seen = 0; // entries of `loaded` that have been looked at
let root; // a resource made when no context was in use

/** Whether contexts are in use now. */
function inUse() {
  if (watch.quiet === -1) return true;
  while (seen < loaded.length) {
    if (MODULES.test(loaded[seen++])) {
      turnOn();
      return true;
    }
  }
  watch.quiet = seen;
  return false;
}

/** From now on contexts are kept. They cannot be seen to go out of use. */
function turnOn() {
  if (watch.quiet === -1) return;
  watch.quiet = -1;
  setEntry((schedule, drain) => root.runInAsyncScope(schedule, undefined, drain));
}

/** Wraps a handler so that it runs, with its receiver and arguments, in the present context. */
function bind(handler, resource = new AsyncResource('CPROMISE')) {
  return function inContext(a, b) {
    return resource.runInAsyncScope(handler, this, a, b);
  };
}

/** The present context, for `bind`. */
function capture() {
  return new AsyncResource('CPROMISE');
}

/**
 * Whether hooks on promises are on at load: with them, a native promise carries
 * async ids under symbols of Node's own.
 */
function hooksAreOn() {
  return Object.getOwnPropertySymbols(Promise.resolve()).length > 0;
}

function watchNode20() {
  const { AsyncLocalStorage } = require('node:async_hooks');
  const { prototype } = AsyncLocalStorage;
  const original = prototype._enable;
  if (typeof original !== 'function' || hooksAreOn()) {
    turnOn();
    return;
  }
  prototype._enable = function _enable() {
    if (prototype._enable === _enable) prototype._enable = original;
    turnOn();
    return original.call(this);
  };
}

function start() {
  root = new AsyncResource('CPROMISE');
  if (major < 22) watchNode20();
  inUse();
}

start();

module.exports = { watch, inUse, turnOn, bind, capture };

'use strict';
/**
 * Async context: a handler runs in the context (AsyncLocalStorage stores,
 * domain, async id) of the call that attached it.
 *
 * An AsyncResource per handler is far too dear to make when nobody uses a
 * context, and Node says nowhere that somebody does. But it loads certain
 * internal modules only when AsyncLocalStorage or domains are first touched, so
 * the length of its list of modules, one integer, tells that something may
 * have changed. Node 20 has no such module for AsyncLocalStorage; there
 * AsyncLocalStorage.prototype._enable is replaced until it is first called, which
 * run() and enterWith() do. In Bun and Deno these two are.
 */
const { setEntry } = require('./engine');
const { process, AsyncLocalStorage, contextMethods, AsyncResource, NativePromise } = require('#runtime');
const { watch, setContextsQuiet } = require('./features');

const MODULES = /^NativeModule (domain|internal\/async_local_storage\/)/;

const { loaded } = watch;

let used = false; // contexts are in use
let seen = 0; // entries of `loaded` that have been looked at
let root; // a resource made when no context was in use

/** Whether contexts are in use now. */
function inUse() {
  if (used) return true;
  while (seen < loaded.length) {
    if (MODULES.test(loaded[seen++])) {
      turnOn();
      return true;
    }
  }
  setContextsQuiet(seen);
  return false;
}

/** From now on contexts are kept. They cannot be seen to go out of use. */
function turnOn() {
  if (used) return;
  used = true;
  setContextsQuiet(-1);
  setEntry(scheduleInRoot);
}

/** The `then` of a thenable, called later with its receiver and two functions, in the present context. */
function bind(then) {
  const resource = capture();
  return function (resolve, reject) {
    return resource.runInAsyncScope(then, this, resolve, reject);
  };
}

/** The present context: its runInAsyncScope runs a function in it. */
function capture() {
  return new AsyncResource('CPROMISE');
}

/**
 * Schedules a drain outside of the context of whoever happened to ask for it,
 * which is that of none of the handlers.
 */
function scheduleInRoot(schedule, drain) {
  const { domain } = process;
  if (domain) process.domain = null;
  try {
    root.runInAsyncScope(schedule, undefined, drain);
  } finally {
    if (domain) process.domain = domain;
  }
}

/**
 * Whether hooks on promises are on at load: with them, a native promise carries
 * async ids under symbols of Node's own.
 */
function hooksAreOn() {
  return Object.getOwnPropertySymbols(NativePromise.resolve()).length > 0;
}

/** Replaces the methods by which contexts come into use, until one of them is called. */
function watchMethods() {
  const { prototype } = AsyncLocalStorage;
  const originals = contextMethods.map((name) => prototype[name]);
  if (originals.some((original) => typeof original !== 'function') || hooksAreOn()) {
    turnOn();
    return;
  }
  const watchers = contextMethods.map((name, i) => function watched(...args) {
    contextMethods.forEach((other, k) => {
      if (prototype[other] === watchers[k]) prototype[other] = originals[k];
    });
    turnOn();
    return originals[i].apply(this, args);
  });
  contextMethods.forEach((name, i) => { prototype[name] = watchers[i]; });
}

function start() {
  root = new AsyncResource('CPROMISE');
  if (AsyncLocalStorage !== undefined) watchMethods();
  inUse();
}

start();

module.exports = { inUse, turnOn, bind, capture };

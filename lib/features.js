'use strict';
/**
 * What is on beyond the plain engine, and the one switch that the hot paths look
 * at.
 *
 * `loaded.length !== watch.quiet` means: look closer (the slow twin of each hot
 * function does). `quiet` is -1 while a feature is on or contexts are in use;
 * else it is the length of Node's list of modules at which nobody used a context
 * (see context.js). `watch.features` tells the features alone.
 */
const { process } = require('#runtime');

const loaded = Array.isArray(process.moduleLoadList) ? process.moduleLoadList : [];

/** The features, as bits. */
const LONG_STACK_TRACES = 1;
const WARNINGS = 2;
const FORGOTTEN_RETURNS = 4; // those among the warnings
const MONITORING = 8;
const CANCELLATION = 16;

const watch = { loaded, quiet: 0, features: 0 };

let contextsQuiet = 0;

/** Without features the hot paths are quick while `loaded` has this length; -1: never. */
function setContextsQuiet(length) {
  contextsQuiet = length;
  refresh();
}

/** Turns features on or off; they are independent of each other. */
function turn(bits, on) {
  watch.features = on ? watch.features | bits : watch.features & ~bits;
  refresh();
}

function refresh() {
  watch.quiet = watch.features === 0 ? contextsQuiet : -1;
}

/** Whether a feature is on. */
const isOn = (bit) => (watch.features & bit) !== 0;

/**
 * What is called while a feature is on. observe.js puts the functions here, which
 * keeps it out of the way of the modules that call them.
 *
 *   then(react, C, promise, onFulfilled, onRejected, count)
 *                                 attaches handlers by calling react; `then` was given `count` arguments
 *   execute(run, promise, executor)
 *                                 runs an executor by calling run
 *   callback(fn, promise, name)   the function that is called in place of fn by a method `name` that returns `promise`
 *   made(promise)                 a promise has been made for the user
 *   rejecting(promise, reason)    code of the user is about to reject it
 *   following(promise)            it has started to wait for another promise
 *   returned()                    see `noteReturned`
 *
 * Whatever is on:
 *   executeWith(promise, executor, options)
 *                                 runs an executor with options (signals.js)
 *
 * While promises can be cancelled (cancellation.js), in place of the functions of promise.js:
 *   react(promise, onFulfilled, onRejected)
 *   executeCancellable(promise, executor)
 *   resolvers(promise)
 *   resolve(promise, value)
 * and
 *   cancel(...values)             cancels the promises among them
 *   open(promise, stop)           a promise has been made that nothing in the engine will hold
 *   result(promise, input, stop)  what is handed out in place of the result of work over input
 */
const hooks = {
  then: undefined, execute: undefined, callback: undefined,
  made: undefined, rejecting: undefined, following: undefined, returned: undefined,
  react: undefined, executeCancellable: undefined, resolvers: undefined, resolve: undefined, open: undefined,
  result: undefined, cancel: undefined, executeWith: undefined,
};

/** A function of the user has returned something in a handler of ours that will return something else. */
function noteReturned(result) {
  if (result !== undefined && watch.features !== 0) hooks.returned();
}

/** The result of work over `input`, as it is handed out. */
function resultOf(promise, input, stop) {
  return isOn(CANCELLATION) ? hooks.result(promise, input, stop) : promise;
}

module.exports = {
  LONG_STACK_TRACES, WARNINGS, FORGOTTEN_RETURNS, MONITORING, CANCELLATION,
  watch, hooks, setContextsQuiet, turn, isOn, noteReturned, resultOf,
};

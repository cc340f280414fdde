'use strict';
/**
 * The slow twins of the hot functions: what happens beside the plain engine while
 * long stack traces, warnings or monitoring are on (see `hooks` in features.js).
 *
 * While code of the user runs, in a handler or an executor, `current` is its
 * Frame. All that it makes comes from there.
 */
const { LONG_STACK_TRACES, WARNINGS, FORGOTTEN_RETURNS, MONITORING, hooks, isOn } = require('./features');
const { CPromise, isPromise } = require('./promise');
const { REJECTED, FLAGS, FOLLOWING } = require('./state');
const { Trace, attach, isError, linesOf } = require('./long-traces');
const { warn, classOf } = require('./warnings');
const { keepMark } = require('./cancelled');
const { monitor, chained, following } = require('./monitoring');

class Frame {
  constructor(trace) {
    this.promise = undefined; // whose handler or executor it is
    this.trace = trace; // where that promise was made
    this.isSync = false; // that was just now, so the stack shows it anyway
    this.created = undefined; // where the first promise was made while the handler ran
  }
}

/** The Frame of the code of the user that runs now. @type {Frame|undefined} */
let current;

/** The Frame of each promise that was made while long stack traces were on. @type {WeakMap<object, Frame>} */
const frames = new WeakMap();

/** The place where the user called `above` or what called it. */
const here = (above) => new Trace(above, current?.trace);

/** Calls a function of the user in a Frame. */
function runIn(frame, fn, receiver, args) {
  const previous = current;
  current = frame;
  try {
    return Reflect.apply(fn, receiver, args);
  } finally {
    current = previous;
  }
}

// -------------------------------------------------------- handlers and callbacks

function then(react, C, promise, onFulfilled, onRejected, count) {
  if (count > 0 && typeof onFulfilled !== 'function' && typeof onRejected !== 'function') noFunctions(count, onFulfilled, onRejected);
  const frame = new Frame(isOn(LONG_STACK_TRACES) ? here(then) : undefined);
  const child = react(C, promise, observed(frame, onFulfilled, FULFILLED_HANDLER), observed(frame, onRejected, REJECTED_HANDLER));
  frame.promise = child;
  // One of another class has been introduced by its constructor.
  if (C === CPromise) introduce(child, frame, then);
  else if (frame.trace !== undefined && isPromise(child)) frames.set(child, frame);
  if (isOn(MONITORING)) chained(promise, child);
  return child;
}

function noFunctions(count, onFulfilled, onRejected) {
  const classes = count > 1 ? `${classOf(onFulfilled)}, ${classOf(onRejected)}` : classOf(onFulfilled);
  warn(`.then() only accepts functions but was passed: ${classes}`, current?.trace);
}

/** Kinds of functions of the user: how warnings call them, and whether they may pass on the reason they are called with. */
const FULFILLED_HANDLER = { name: 'handler', passesOn: false };
const REJECTED_HANDLER = { name: 'handler', passesOn: true };

/** A handler that runs in a Frame. */
function observed(frame, handler, kind) {
  if (typeof handler !== 'function') return handler;
  return keepMark(handler, function (value) {
    return run(frame, kind, handler, this, [value]);
  });
}

/** A function that is called in a Frame of its own each time. `promise` is the result of all calls; undefined: there is none. */
function callback(fn, promise, name) {
  let trace;
  if (isOn(LONG_STACK_TRACES)) trace = promise === undefined ? here(callback) : frames.get(promise)?.trace;
  const kind = { name: `Promise.${name} handler`, passesOn: false };
  return function (...args) {
    const frame = new Frame(trace);
    frame.promise = promise;
    return run(frame, kind, fn, this, args);
  };
}

/** Calls a function of the user: what leaves it gets the trace, what it has forgotten is told. */
function run(frame, kind, fn, receiver, args) {
  frame.created = undefined;
  let result;
  try {
    result = runIn(frame, fn, receiver, args);
  } catch (e) {
    // What is passed on has been reported where it came from.
    if (!kind.passesOn || e !== args[0]) report(e, frame.trace);
    throw e;
  }
  if (result === undefined && frame.created !== undefined) forgotten(frame, kind.name);
  return result;
}

/** A handler has made a promise and returned nothing. */
function forgotten(frame, name) {
  const { created } = frame;
  frame.created = undefined;
  if (!isOn(FORGOTTEN_RETURNS) || !isAwaited(frame.promise)) return;
  const handler = linesOf(created).at(-1);
  const place = handler === undefined ? '' : ` at ${placeOf(handler)}`;
  warn(
    `a promise was created in a ${name}${place} but was not returned from it, ` +
      'see http://bluebirdjs.com/docs/warning-explanations.html',
    created,
  );
}

/** File, line and column of a frame: `at f (file:1:2)` or `at file:1:2`. */
const placeOf = (frame) => /^\s*at (?:.*\((.*)\)|(.*))$/.exec(frame).slice(1).find((place) => place !== undefined);

/** Whether there is a promise that is pending and has reactions. */
function isAwaited(promise) {
  if (promise === undefined) return false;
  const s = Math.abs(promise._s);
  return s > FOLLOWING && (s & FLAGS) !== 0;
}

/** The handler that runs has returned something, though its promise will not have it. */
function returned() {
  if (current !== undefined) current.created = undefined;
}

// ------------------------------------------------- promises and what rejects them

/** A promise has been made for the user. */
function made(promise) {
  let frame;
  if (isOn(LONG_STACK_TRACES)) {
    frame = new Frame(here(made));
    frame.promise = promise;
    frame.isSync = promise._s === REJECTED;
  }
  introduce(promise, frame, made);
}

function introduce(promise, frame, above) {
  const trace = frame?.trace;
  if (trace !== undefined) frames.set(promise, frame);
  if (current !== undefined && current.created === undefined && isOn(FORGOTTEN_RETURNS)) {
    current.created = trace ?? new Trace(above);
  }
  if (isOn(MONITORING)) monitor(promise);
}

/** Runs an executor. */
function execute(run, promise, executor) {
  made(promise);
  const frame = frames.get(promise) ?? new Frame(undefined);
  frame.isSync = true;
  try {
    runIn(frame, run, undefined, [promise, executor]);
  } finally {
    frame.isSync = false;
  }
}

/** Code of the user is about to reject a promise. */
function rejecting(promise, reason) {
  const frame = frames.get(promise);
  const trace = frame?.trace;
  report(reason, frame?.isSync ? trace.parent : trace);
}

function report(reason, trace) {
  if (isError(reason)) {
    if (isOn(LONG_STACK_TRACES)) attach(reason, trace);
  } else if (isOn(WARNINGS)) {
    warn(`a promise was rejected with a non-error: ${classOf(reason)}`, trace);
  }
}

Object.assign(hooks, {
  then,
  execute,
  callback,
  made,
  rejecting,
  returned,
  following(promise) {
    if (isOn(MONITORING)) following(promise);
  },
});

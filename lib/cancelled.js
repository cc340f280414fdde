'use strict';
/** What everybody may ask about cancellation. How it works is told in cancellation.js. */

const { CANCELLATION, isOn } = require('./features');

/** Promises that are cancelled or will be in a moment. @type {WeakSet<object>} */
const cancelled = new WeakSet();

/** Handlers of rejections that are called when the promise has been cancelled too. @type {WeakSet<Function>} */
const runsOnCancel = new WeakSet();

const nativeText = 'function () { [native code] }';

/**
 * Whether a function is one of the two that `await`, or a native promise that adopts
 * ours, hands to `then`. They wait for an answer in any case.
 */
function isNativeResolver(fn) {
  return typeof fn === 'function' && fn.name === '' && fn.length === 1 && Function.prototype.toString.call(fn) === nativeText;
}

/** A handler that is called in place of another one is called when that is. */
function keepMark(from, to) {
  if (runsOnCancel.has(from)) runsOnCancel.add(to);
  return to;
}

/** Marks a handler, if promises can be cancelled. Returns it. */
function onCancelToo(handler) {
  if (isOn(CANCELLATION)) runsOnCancel.add(handler);
  return handler;
}

module.exports = { cancelled, runsOnCancel, isNativeResolver, keepMark, onCancelToo };

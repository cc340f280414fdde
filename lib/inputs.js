'use strict';
/** What stands for an element while it is waited for, as made by toInput in input.js. */
const { takePinned } = require('./engine');
const { CPromise, addFlags, isPromise } = require('./promise');
const { markHandled } = require('./rejections');
const { PENDING, REJECTED, HANDLED, FOLLOWING, ATTACHED, target } = require('./state');

/** Whether an input is a promise that was or is waited for, and not a value. */
function isInput(input) {
  return typeof input === 'object' && input !== null && input instanceof CPromise && typeof input._s === 'number';
}

/** The promise whose state counts for an input. */
function settledBy(input) {
  return input._s === FOLLOWING ? target(input) : input;
}

function valueOf(input) {
  return isInput(input) ? settledBy(input)._v : input;
}

function isRejected(input) {
  if (!isInput(input)) return false;
  const s = settledBy(input)._s;
  return s === REJECTED || s === HANDLED;
}

/** Marks an input as one whose rejection is somebody's business. Returns it. */
function claim(input) {
  if (!isInput(input)) return input;
  const promise = settledBy(input);
  const s = promise._s;
  if (s === REJECTED) markHandled(promise);
  else if (s === PENDING) promise._s = (takePinned(promise) << 2) | ATTACHED;
  else if (s < 0 || s > FOLLOWING) addFlags(promise, ATTACHED);
  return input;
}

/** Claims a value of the user that may be a promise, and be rejected before it is looked at. */
function silence(value) {
  if (isPromise(value)) claim(value);
}

module.exports = { claim, silence, isInput, settledBy, valueOf, isRejected };

'use strict';
/**
 * Events of the process about the promises that are made while monitoring is on:
 *
 *   promiseCreated(promise)          it has been made, in whatever way
 *   promiseChained(promise, child)   then has been called, by another method maybe
 *   promiseFulfilled(promise)
 *   promiseRejected(promise)
 *   promiseCancelled(promise)
 *   promiseResolved(promise)         it has been resolved with a pending promise, and
 *                                    will have its state: no other event will follow
 *
 * A promise that is monitored tells by itself when it is settled: its state is an
 * accessor. So the engine, whose hottest function settles promises, knows nothing
 * about it.
 *
 * The promises that listeners make are not reported, or they would never come to an
 * end; what they throw reaches the process.
 * @see http://bluebirdjs.com/docs/api/promise.config.html
 */
const { process } = require('#runtime');
const { MONITORING, isOn } = require('./features');
const { throwLater } = require('./promise');
const { FULFILLED, REJECTED, HANDLED, FOLLOWING } = require('./state');

/** Those that have the state of another promise: it is the other that settles. */
const followers = new WeakSet();

let emitting = false;

function emit(event, ...args) {
  if (emitting || !isOn(MONITORING)) return;
  emitting = true;
  try {
    process.emit(event, ...args);
  } catch (e) {
    throwLater(e);
  } finally {
    emitting = false;
  }
}

/** A promise has been made: reports it, and from now on what becomes of it. */
function monitor(promise) {
  if (emitting) return;
  emit('promiseCreated', promise);
  if (isPending(promise._s)) watchState(promise);
  else emitState(promise);
}

const isPending = (s) => s <= 0 || s > FOLLOWING;

function watchState(promise) {
  let state = promise._s;
  Object.defineProperty(promise, '_s', {
    get: () => state,
    set(s) {
      const wasPending = isPending(state);
      state = s;
      if (wasPending && !isPending(s)) emitState(promise);
    },
    enumerable: true,
    configurable: true,
  });
}

function emitState(promise) {
  if (followers.has(promise)) return;
  const s = promise._s;
  if (s === FULFILLED) emit('promiseFulfilled', promise);
  else if (s === REJECTED || s === HANDLED) emit('promiseRejected', promise);
}

function chained(promise, child) {
  emit('promiseChained', promise, child);
}

/** A promise has started to wait for another one of ours. */
function following(promise) {
  followers.add(promise);
  emit('promiseResolved', promise);
}

module.exports = { emit, monitor, chained, following };

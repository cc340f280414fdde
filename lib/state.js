'use strict';
/**
 * The state of a promise, and how its fields are used.
 *
 *   _s                 meaning                            _v            _f, _r
 *   0                  pending, without a slot            -             -
 *   1  FULFILLED                                          value         -
 *   2  REJECTED        nobody has reacted to it yet       reason        -
 *   3  HANDLED         rejected; somebody has             reason        -
 *   4  FOLLOWING       has the state of another promise   that promise  -
 *   slot << 2 | flags  pending, with a slot (>= 1024)     see below     see below
 *   negative           the same, tenured (tenure.js)      see below     record, -
 *
 *   flags: 1 ATTACHED  somebody has reacted to it, and may refer to it
 *          2 FOLLOWED  promises follow it; `_r` is the one that stands for them
 *          either one makes a rejection handled
 *
 *   a pending promise that                   _v             _f            _r
 *     waits for another (then, resolve)      that promise   onFulfilled   onRejected
 *     waits for another to go on             that promise   Continuation  the same
 *     will call a thenable's then            the thenable   its then      -
 *     is the result of a combinator          -              the Job       -
 *     waits for a deadline (timers)          its value      the Job       -
 *     has been resolved with a thenable      -              LOCKED        -
 *     waits for its executor                 -              -             -
 *
 * `_r` holds the representative of FOLLOWED when it is neither a function nor what
 * `_f` is; where both handlers are needed beside it, `_f` is a Handlers record of
 * all three.
 * A bound promise has a fifth field, `_b` (BoundPromise in promise.js).
 */

const PENDING = 0;
const FULFILLED = 1;
const REJECTED = 2;
const HANDLED = 3;
const FOLLOWING = 4;

const ATTACHED = 1;
const FOLLOWED = 2;
const FLAGS = 3;

/** `_f` of a promise that a thenable will settle. */
const LOCKED = Object.freeze({ toString: () => 'locked' });

/** Both handlers of a promise that is FOLLOWED. */
class Handlers {
  constructor(f, r, representative) {
    this.f = f;
    this.r = r;
    this.representative = representative;
  }
}

/** Stands for both handlers of a promise that may go on to wait for others; has proceed(promise, value, state). */
class Continuation {}

/**
 * The promise whose state a FOLLOWING promise has. Shortens the path behind
 * it, so that long ones cost their length once.
 */
function target(promise) {
  let end = promise._v;
  while (end._s === FOLLOWING) end = end._v;
  while (promise._v !== end) {
    const following = promise._v;
    promise._v = end;
    promise = following;
  }
  return end;
}

/** Whether a promise is neither settled nor follows another one. */
const isPending = ({ _s: s }) => s <= PENDING || s > FOLLOWING;

/** The slot of a pending promise that has one. */
const slotOf = (promise) => (promise._s < 0 ? -promise._s : promise._s) >> 2;

/** The job or the handler of a pending promise, whether it is tenured or not. */
const jobOf = (promise) => (promise._s < 0 ? promise._f.f : promise._f);

module.exports = {
  PENDING, FULFILLED, REJECTED, HANDLED, FOLLOWING, ATTACHED, FOLLOWED, FLAGS, LOCKED, Handlers, Continuation,
  slotOf, jobOf, isPending, target,
};

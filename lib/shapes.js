'use strict';
/**
 * Keeps hidden classes alive. When a full garbage collection or two find no object
 * of a kind, V8 forgets its hidden class, and with it all code that was compiled for
 * it. A program that is idle now and then would be slow after each such moment, so
 * one object of each kind on the hot path is kept for good.
 */

const kept = [];

/** Keeps an object, which is of no other use. */
function keepShape(object) {
  kept.push(object);
}

module.exports = { keepShape };

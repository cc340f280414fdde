'use strict';
/** What time it is on the clock of the deadlines, which is that of the event loop. */
const host = require('./binding');
const { now } = require('#runtime');

/**
 * How far the clock of the host is ahead of ours, in milliseconds. Asking for the
 * time takes time: the shortest of some attempts is the best, and what is left of
 * the error makes deadlines later, never earlier.
 */
function measureOffset() {
  let shortest = Infinity;
  let offset = 0;
  for (let i = 0; i < 10; i++) {
    const before = now();
    const theirs = host.now();
    const took = now() - before;
    if (took < shortest) {
      shortest = took;
      offset = theirs - before;
    }
  }
  return offset;
}

const offset = measureOffset();

/** The deadline that comes in `ms` milliseconds. */
const deadlineIn = (ms) => now() + offset + ms;

module.exports = { deadlineIn };

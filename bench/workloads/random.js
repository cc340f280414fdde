'use strict';

/**
 * The same numbers for every contender (xorshift).
 *
 * @param {number} seed
 * @returns {(bound: number) => number} integers from 0 to below the bound
 */
function createRandom(seed) {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

module.exports = { createRandom };

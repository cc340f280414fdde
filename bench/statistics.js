'use strict';

/** Quantile by linear interpolation of a sorted, non-empty array. */
function quantile(sorted, q) {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/**
 * @param {number[]} samples  at least one
 * @returns {{lowest: number, median: number, spread: number}} `spread` is the
 *   interquartile range as a share of the median
 */
function summarize(samples) {
  const sorted = Float64Array.from(samples).sort();
  const median = quantile(sorted, 0.5);
  const range = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return { lowest: sorted[0], median, spread: range / median };
}

const RESAMPLES = 2000;
const CONFIDENCE = 0.95;

/** Numbers in [0, 1), the same in every run (Mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * How far the ratio of the lowest of `a` to the lowest of `b` can be trusted: a
 * bootstrap interval. Repetition i of both was measured in the same minute, so
 * a resample takes the same repetitions of both.
 *
 * @param {number[]} a      lowest time of each repetition
 * @param {number[]} b      likewise
 * @param {number[]} [floor]  likewise, subtracted from both
 * @returns {[number, number] | undefined} undefined with fewer than two
 *   repetitions, or when too much of what is above the floor is noise
 */
function ratioInterval(a, b, floor) {
  const rounds = Math.min(a.length, b.length, floor?.length ?? Infinity);
  if (rounds < 2) return undefined;
  const random = createRandom(rounds);
  const ratios = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    let [lowestA, lowestB, lowestFloor] = [Infinity, Infinity, Infinity];
    for (let k = 0; k < rounds; k += 1) {
      const round = Math.floor(random() * rounds);
      lowestA = Math.min(lowestA, a[round]);
      lowestB = Math.min(lowestB, b[round]);
      lowestFloor = Math.min(lowestFloor, floor?.[round] ?? 0);
    }
    const [above, below] = [lowestA - lowestFloor, lowestB - lowestFloor];
    if (!(above > 0 && below > 0)) return undefined;
    ratios.push(above / below);
  }
  ratios.sort((x, y) => x - y);
  const tail = (1 - CONFIDENCE) / 2;
  return [quantile(ratios, tail), quantile(ratios, 1 - tail)];
}

/** @returns {boolean} whether the interval of a ratio says nothing about who is faster */
function isNoise(interval) {
  return interval !== undefined && interval[0] <= 1 && interval[1] >= 1;
}

module.exports = { isNoise, ratioInterval, summarize };

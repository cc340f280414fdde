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
  const middle = quantile(sorted, 0.5);
  const range = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return { lowest: sorted[0], median: middle, spread: range / middle };
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

const median = (samples) => quantile(Float64Array.from(samples).sort(), 0.5);

/**
 * What was measured, by repetition (a process each) and turn. Only turns that both
 * have count: those have been taken right after each other.
 *
 * @typedef {number[][]} Turns
 */

/** combine(x, y) for the turns of `a` and `b`, by repetition. */
function pair(a, b, combine) {
  return a.slice(0, b.length).map((turns, repetition) =>
    turns.slice(0, b[repetition].length).map((time, turn) => combine(time, b[repetition][turn])));
}

const medianOfAll = (repetitions) => {
  const all = repetitions.flat();
  return all.length > 0 ? median(all) : undefined;
};

/**
 * The ratio of `a` to `b`: the median of the ratios of each turn. What is measured in
 * the same second meets the same noise, so this differs less from run to run than the
 * ratio of the two lowest times.
 *
 * @param {Turns} a
 * @param {Turns} b
 * @returns {number | undefined} undefined when there is no turn
 */
const pairedRatio = (a, b) => medianOfAll(pair(a, b, (x, y) => x / y));

/**
 * How far `pairedRatio` can be trusted: a bootstrap interval over the repetitions.
 *
 * @param {Turns} a
 * @param {Turns} b
 * @returns {[number, number] | undefined} undefined with fewer than two repetitions
 */
function ratioInterval(a, b) {
  const ratios = pair(a, b, (x, y) => x / y);
  return intervalOf(ratios.length, (rounds) => medianOfAll(rounds.map((round) => ratios[round])));
}

/**
 * The ratio of what is above a floor: how much longer than the floor each takes, by
 * `pairedRatio`.
 *
 * @param {Turns} a
 * @param {Turns} b
 * @param {Turns} floor
 * @returns {number | undefined} undefined when one is not above it
 */
function aboveFloorRatio(a, b, floor) {
  const [above, base] = [pairedRatio(a, floor) - 1, pairedRatio(b, floor) - 1];
  return above > 0 && base > 0 ? above / base : undefined;
}

/**
 * @param {Turns} a
 * @param {Turns} b
 * @param {Turns} floor
 * @returns {[number, number] | undefined} undefined with fewer than two repetitions, or
 *   when what is above the floor may be noise
 */
function aboveFloorInterval(a, b, floor) {
  const pick = (turns, rounds) => rounds.map((round) => turns[round]);
  return intervalOf(Math.min(a.length, b.length, floor.length), (rounds) =>
    aboveFloorRatio(pick(a, rounds), pick(b, rounds), pick(floor, rounds)));
}

/** The bootstrap interval of what `measure` gives for rounds drawn again and again. */
function intervalOf(count, measure) {
  if (count < 2) return undefined;
  const random = createRandom(count);
  const values = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const value = measure(Array.from({ length: count }, () => Math.floor(random() * count)));
    if (value === undefined) return undefined;
    values.push(value);
  }
  values.sort((x, y) => x - y);
  const tail = (1 - CONFIDENCE) / 2;
  return [quantile(values, tail), quantile(values, 1 - tail)];
}

/** @returns {boolean} whether the interval of a ratio says nothing about who is faster */
function isNoise(interval) {
  return interval !== undefined && interval[0] <= 1 && interval[1] >= 1;
}

module.exports = { aboveFloorInterval, aboveFloorRatio, isNoise, pairedRatio, ratioInterval, summarize };

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
 * The ratio of `a` to `b`: the median of the ratios in each round. What is measured in
 * the same minute meets the same noise, so this differs less from run to run than the
 * ratio of the two lowest times.
 *
 * @param {number[]} a  lowest time of each round
 * @param {number[]} b  likewise; other rounds than those of both do not count
 * @returns {number | undefined} undefined when there is no round
 */
function pairedRatio(a, b) {
  const rounds = Math.min(a.length, b.length);
  return rounds > 0 ? median(a.slice(0, rounds).map((time, round) => time / b[round])) : undefined;
}

/**
 * How far `pairedRatio` can be trusted: a bootstrap interval over the rounds.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @returns {[number, number] | undefined} undefined with fewer than two rounds
 */
function ratioInterval(a, b) {
  const ratios = a.slice(0, b.length).map((time, round) => time / b[round]);
  return intervalOf(ratios.length, (rounds) => median(rounds.map((round) => ratios[round])));
}

/**
 * The same for the ratio of what is above a floor, lowest times each: a difference of
 * single rounds would be noise.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @param {number[]} floor  subtracted from both
 * @returns {[number, number] | undefined} undefined with fewer than two rounds, or when
 *   too much of what is above the floor is noise
 */
function aboveFloorInterval(a, b, floor) {
  const lowest = (samples, rounds) => Math.min(...rounds.map((round) => samples[round]));
  return intervalOf(Math.min(a.length, b.length, floor.length), (rounds) => {
    const below = lowest(floor, rounds);
    const [above, base] = [lowest(a, rounds) - below, lowest(b, rounds) - below];
    return above > 0 && base > 0 ? above / base : NaN;
  });
}

/** The bootstrap interval of what `measure` gives for rounds drawn again and again. */
function intervalOf(count, measure) {
  if (count < 2) return undefined;
  const random = createRandom(count);
  const values = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const value = measure(Array.from({ length: count }, () => Math.floor(random() * count)));
    if (Number.isNaN(value)) return undefined;
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

module.exports = { aboveFloorInterval, isNoise, pairedRatio, ratioInterval, summarize };

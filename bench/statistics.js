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

module.exports = { summarize };

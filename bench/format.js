'use strict';

/** How figures are written, the same in all tables. */

const { isNoise } = require('./statistics.js');

const MEBIBYTE = 2 ** 20;

/** @returns {string | undefined} with this many decimals; undefined for none */
function number(value, decimals = 0) {
  return value?.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A time: three digits are enough. */
function time(value) {
  return number(value, value >= 100 ? 0 : 1);
}

function mebibytes(bytes) {
  return bytes === undefined ? undefined : number(bytes / MEBIBYTE, 1);
}

function percent(share) {
  return share === undefined ? undefined : `${number(share * 100)} %`;
}

/**
 * @param {object} result  a row of the document
 * @param {'time' | 'aboveFloor' | 'memory'} key
 * @param {string} baseline
 * @returns {string | undefined} with `≈` before it where the difference is inside the noise
 */
function ratio(result, key, baseline) {
  const value = result[`${key}Ratio`]?.[baseline];
  const mark = isNoise(result[`${key}Interval`]?.[baseline]) ? '≈' : '';
  return value === undefined ? undefined : `${mark}${number(value, 2)}`;
}

/** @returns {string | undefined} why a row has no figures */
function reason({ error, lack }) {
  if (error) return `failed: ${error}`;
  return lack ? `takes no part: ${lack}` : undefined;
}

module.exports = { mebibytes, number, percent, ratio, reason, time };

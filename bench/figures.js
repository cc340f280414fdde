'use strict';

/** Turns measured rows into the document that tables, pages and --json show. */

const { aboveFloorInterval, aboveFloorRatio, pairedRatio, ratioInterval, summarize } = require('./statistics.js');

const BASELINES = ['bluebird', 'native'];
const FLOOR = 'callbacks';

/**
 * The figures of one group, fastest row first, rows without figures last. Times
 * are in the unit of the suite.
 *
 * @param {object} group
 * @returns {object}
 */
function evaluate({ suite, settings, runtime, rows }) {
  const scale = suite.operations ? 1e6 / suite.operations(settings) : 1;
  const results = rows.map((row) => evaluateRow(row, scale));
  const byName = new Map(results.map((result) => [result.contender, result]));
  const floor = suite.hasFloor ? byName.get(FLOOR) : undefined;
  for (const result of results) addFloor(result, floor);
  for (const name of BASELINES) {
    const baseline = byName.get(name);
    for (const result of results) addRatios(result, name, baseline, floor);
  }
  results.sort((a, b) => (a.time?.lowest ?? Infinity) - (b.time?.lowest ?? Infinity));
  return {
    suite: suite.name,
    title: suite.title,
    size: suite.describe(settings),
    n: settings.n,
    runtime: runtime.title,
    unit: suite.unit ?? 'ms',
    hasFloor: Boolean(suite.hasFloor),
    results,
  };
}

function evaluateRow(row, scale) {
  const result = { contender: row.contender.name, version: row.version };
  if (row.error) return { ...result, error: row.error };
  if (row.lack) return { ...result, lack: row.lack };
  if (row.times.length > 0) {
    const repetitions = row.times.map((times) => times.map((t) => t * scale));
    result.time = summarize(repetitions.flat());
    result.repetitions = repetitions;
    if (row.firsts.length > 0) result.first = summarize(row.firsts.map((t) => t * scale));
  }
  if (row.memory.length > 0) {
    const figures = (key) => row.memory.map((memory) => memory[key]);
    result.peaks = figures('peak');
    result.peakMemory = summarize(result.peaks);
    result.heapGrowth = summarize(figures('heap'));
    if (row.memory[0].engine !== undefined) result.engineGrowth = summarize(figures('engine'));
  }
  if (row.crossings !== null) result.crossings = row.crossings;
  if (row.promises) {
    result.crossingsPer100 = (100 * row.crossings) / row.promises;
    result.promises = row.promises;
  }
  return result;
}

function addFloor(result, floor) {
  if (!result.time || !floor?.time || result === floor) return;
  result.aboveFloor = result.time.lowest - floor.time.lowest;
}

const turnsOf = (result) => result?.repetitions ?? [];

/**
 * The ratios of a row to a baseline, and their intervals: where an interval
 * contains 1, the difference is inside the noise.
 */
function addRatios(result, name, baseline, floor) {
  function set(key, ratio, interval) {
    if (ratio === undefined) return;
    result[`${key}Ratio`] = { ...result[`${key}Ratio`], [name]: ratio };
    if (result === baseline || !interval()) return;
    result[`${key}Interval`] = { ...result[`${key}Interval`], [name]: interval() };
  }
  const [own, others] = [turnsOf(result), turnsOf(baseline)];
  set('time', pairedRatio(own, others), () => ratioInterval(own, others));
  if (floor && result !== floor) {
    const all = [own, others, turnsOf(floor)];
    set('aboveFloor', aboveFloorRatio(...all), () => aboveFloorInterval(...all));
  }
  const [peaks, otherPeaks] = [result, baseline].map((of) => (of?.peaks ?? []).map((peak) => [peak]));
  set('memory', pairedRatio(peaks, otherPeaks), () => ratioInterval(peaks, otherPeaks));
}

/**
 * What a unit more costs: the difference between two sizes of a suite. Start-up
 * costs are in neither.
 *
 * @param {object} small  an evaluated group
 * @param {object} large  likewise
 * @param {{unit: string, count: (parameters: object) => number}} growth
 * @returns {object | undefined} time in ns and memory in bytes, per unit
 */
function evaluateGrowth(small, large, { unit, count }) {
  const units = count(large) - count(small);
  const rows = [];
  for (const { contender, time, peakMemory } of large.results) {
    const other = small.results.find((row) => row.contender === contender);
    if (!time || !peakMemory || !other?.time || !other.peakMemory) continue;
    rows.push({
      contender,
      time: ((time.lowest - other.time.lowest) * 1e6) / units,
      memory: (peakMemory.lowest - other.peakMemory.lowest) / units,
    });
  }
  return { unit, from: small.n, to: large.n, rows };
}

function addGrowth(groups, all) {
  groups.forEach(({ suite, runtime }, index) => {
    if (!suite.growth) return;
    const earlier = all.slice(0, index);
    const small = earlier.findLast((group) => group.suite === suite.name && group.runtime === runtime.title);
    if (small) all[index].growth = evaluateGrowth(small, all[index], suite.growth);
  });
}

/** @returns {Record<string, string>} versions of the contenders that loaded and have one of their own */
function collectVersions(groups) {
  const rows = groups.flatMap(({ rows }) => rows);
  return Object.fromEntries(rows.filter(({ version }) => version).map(({ contender, version }) => [contender.name, version]));
}

/**
 * @param {object} run
 * @param {object} run.platform
 * @param {import('./runtimes.js').Runtime[]} run.runtimes
 * @param {object[]} run.groups
 * @param {boolean} run.isComplete  false: the run was interrupted
 * @returns {object} all figures, ready for JSON
 */
function createDocument({ platform, runtimes, groups, isComplete }) {
  const all = groups.map(evaluate);
  addGrowth(groups, all);
  return {
    platform,
    runtimes: runtimes.map(({ title, engine, problem }) => ({ title, engine, problem })),
    versions: collectVersions(groups),
    complete: isComplete,
    groups: all.filter(({ results }) => results.some((r) => r.time || r.error || r.lack)),
  };
}

module.exports = { createDocument };

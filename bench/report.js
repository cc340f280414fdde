'use strict';

/** Turns measured rows into figures, a text table and a JSON document. */

const { summarize } = require('./statistics.js');

const MEGABYTE = 2 ** 20;
const BASELINES = ['bluebird', 'native'];
const FLOOR = 'callbacks';

/**
 * The figures of one group, fastest row first, failed rows last. Times are in
 * the unit of the suite.
 *
 * @param {object} group
 * @returns {object}
 */
function evaluate({ suite, settings, rows }) {
  const unit = suite.unit ?? 'ms';
  const scale = suite.operations ? 1e6 / suite.operations(settings) : 1;
  const results = rows.map((row) => evaluateRow(row, scale));
  const byName = new Map(results.map((result) => [result.contender, result]));
  const floor = byName.get(FLOOR)?.time?.lowest;
  for (const result of results) {
    if (!suite.hasFloor || floor === undefined || !result.time) continue;
    if (result.contender === FLOOR) continue;
    result.aboveFloor = result.time.lowest - floor;
  }
  for (const result of results) {
    for (const baseline of BASELINES) {
      addRatios(result, baseline, byName.get(baseline));
    }
  }
  results.sort(
    (a, b) => (a.time?.lowest ?? Infinity) - (b.time?.lowest ?? Infinity),
  );
  return {
    suite: suite.name,
    title: suite.title,
    size: suite.describe(settings),
    n: settings.n,
    unit,
    hasFloor: Boolean(suite.hasFloor),
    results,
  };
}

/**
 * What a unit more costs: the difference between a group and the one before it,
 * which is the same suite at a smaller size. Start-up costs are in neither.
 *
 * @param {object} small  an evaluated group
 * @param {object} large  likewise
 * @param {{unit: string, count: (parameters: object) => number}} growth
 * @returns {object | undefined} time in ns and memory in bytes, per unit
 */
function evaluateGrowth(small, large, { unit, count }) {
  if (small?.suite !== large.suite) return undefined;
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

function evaluateRow(row, scale) {
  const result = { contender: row.contender.name, version: row.version };
  if (row.error) return { ...result, error: row.error };
  if (row.lack) return { ...result, lack: row.lack };
  if (row.times.length > 0) {
    const repetitions = row.times.map((times) => times.map((t) => t * scale));
    result.time = summarize(repetitions.flat());
    result.repetitions = repetitions.map((times) => ({
      ...summarize(times),
      times,
    }));
  }
  if (row.memory.length > 0) result.peakMemory = summarize(row.memory);
  if (row.crossings !== null) result.crossings = row.crossings;
  if (row.promises) {
    result.crossingsPer100 = (100 * row.crossings) / row.promises;
    result.promises = row.promises;
  }
  return result;
}

function addRatios(result, name, baseline) {
  const set = (key, value, base) => {
    // A time above the floor can be negative: noise, and no part of a ratio.
    if (!(value > 0 && base > 0)) return;
    result[key] = { ...result[key], [name]: value / base };
  };
  set('timeRatio', result.time?.lowest, baseline?.time?.lowest);
  set('aboveFloorRatio', result.aboveFloor, baseline?.aboveFloor);
  set('memoryRatio', result.peakMemory?.lowest, baseline?.peakMemory?.lowest);
}

const number = (digits) => (value) =>
  value?.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const megabytes = (bytes) =>
  bytes === undefined ? undefined : number(1)(bytes / MEGABYTE);
const percent = (share) =>
  share === undefined ? undefined : `${number(0)(share * 100)} %`;

const TIME_COLUMNS = [
  ['lowest', (r) => number(1)(r.time?.lowest)],
  ['median', (r) => number(1)(r.time?.median)],
  ['spread', (r) => percent(r.time?.spread)],
  ['/bluebird', (r) => number(2)(r.timeRatio?.bluebird)],
  ['/native', (r) => number(2)(r.timeRatio?.native)],
];
const FLOOR_COLUMNS = [
  ['over floor', (r) => number(1)(r.aboveFloor)],
  ['/bluebird', (r) => number(2)(r.aboveFloorRatio?.bluebird)],
  ['/native', (r) => number(2)(r.aboveFloorRatio?.native)],
];
const MEMORY_COLUMNS = [
  ['peak MiB', (r) => megabytes(r.peakMemory?.lowest)],
  ['/bluebird', (r) => number(2)(r.memoryRatio?.bluebird)],
  ['/native', (r) => number(2)(r.memoryRatio?.native)],
];

/** @returns {string[] | undefined} instead of figures */
function reasonCells({ error, lack }) {
  if (error) return [`   failed: ${error}`];
  if (lack) return [`   takes no part: ${lack}`];
  return undefined;
}

/** @returns {string} one group as an aligned table */
function formatGroup(group) {
  const columns = [
    ...TIME_COLUMNS,
    ...(group.hasFloor ? FLOOR_COLUMNS : []),
    ...MEMORY_COLUMNS,
  ];
  const names = group.results.map(({ contender }) => contender.length);
  const first = Math.max(14, ...names);
  const line = (name, cells) =>
    `  ${name.padEnd(first)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  const lines = [
    `${group.suite}: ${group.title}, ${group.size} (${group.unit})`,
    line(
      '',
      columns.map(([title]) => title),
    ),
  ];
  for (const result of group.results) {
    const cells = reasonCells(result) ?? columns.map(([, format]) => format(result) ?? '-');
    lines.push(line(result.contender, cells));
  }
  for (const result of group.results) {
    if (result.crossingsPer100 === undefined) continue;
    lines.push(
      `  ${result.contender}: ${number(2)(result.crossingsPer100)} crossings ` +
        `into C per 100 promises (${number(0)(result.crossings)} for ` +
        `${number(0)(result.promises)} promises)`,
    );
  }
  for (const { contender, time, memory } of group.growth?.rows ?? []) {
    const { from, to, unit } = group.growth;
    lines.push(
      `  ${contender}: ${number(0)(time)} ns and ${number(0)(memory)} bytes more ` +
        `per ${unit} between ${number(0)(from)} and ${number(0)(to)}`,
    );
  }
  return lines.join('\n');
}

/** @returns {Map<string, string>} versions of the contenders that loaded */
function collectVersions(groups) {
  const rows = groups.flatMap(({ rows }) => rows);
  return new Map(
    rows
      .filter(({ version }) => version)
      .map(({ contender, version }) => [contender.name, version]),
  );
}

/**
 * @param {object} platform
 * @param {object[]} groups
 * @param {boolean} complete  false: the run was interrupted
 * @returns {{document: object, text: string}}
 */
function createReport(platform, groups, complete) {
  const versions = Object.fromEntries(collectVersions(groups));
  const all = groups.map(evaluate);
  groups.forEach(({ suite }, index) => {
    if (suite.growth) all[index].growth = evaluateGrowth(all[index - 1], all[index], suite.growth);
  });
  const evaluated = all
    .filter(({ results }) => results.some((r) => r.time || r.error || r.lack));
  const document = { platform, versions, complete, groups: evaluated };
  const facts = {
    ...platform,
    versions: Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', '),
  };
  const blocks = [
    ...evaluated.map(formatGroup),
    Object.entries(facts)
      .map(([key, value]) => `${key.padEnd(9)} ${value}`)
      .join('\n'),
  ];
  if (!complete) blocks.push('interrupted: only what was finished is shown');
  return { document, text: `\n${blocks.join('\n\n')}\n` };
}

module.exports = { createReport };

'use strict';

/** The document as text for a terminal. */

const { mebibytes, number, percent, ratio, reason } = require('./format.js');

const WIDTH = 11;

const ratios = (key) => ['bluebird', 'native'].map((baseline) => [`/${baseline}`, (r) => ratio(r, key, baseline)]);

const TIME_COLUMNS = [
  ['lowest', (r) => number(r.time?.lowest, 1)],
  ['median', (r) => number(r.time?.median, 1)],
  ['spread', (r) => percent(r.time?.spread)],
  ['first', (r) => number(r.first?.median, 1)],
  ...ratios('time'),
];
const FLOOR_COLUMNS = [['over floor', (r) => number(r.aboveFloor, 1)], ...ratios('aboveFloor')];
const MEMORY_COLUMNS = [
  ['peak MiB', (r) => mebibytes(r.peakMemory?.lowest)],
  ...ratios('memory'),
  ['heap +MiB', (r) => mebibytes(r.heapGrowth?.lowest)],
];

/** What is said of a row below its table. */
function* notes(group) {
  for (const { contender, crossings, crossingsPer100, promises } of group.results) {
    if (crossingsPer100 === undefined) continue;
    const sum = `${number(crossings)} for ${number(promises)} promises`;
    yield `${contender}: ${number(crossingsPer100, 2)} crossings into C per 100 promises (${sum})`;
  }
  for (const { contender, engineGrowth } of group.results) {
    if (engineGrowth) yield `${contender}: the engine's memory off the heap grew by ${mebibytes(engineGrowth.lowest)} MiB`;
  }
  const { from, to, unit, rows = [] } = group.growth ?? {};
  for (const { contender, time, memory } of rows) {
    yield `${contender}: ${number(time)} ns and ${number(memory)} bytes more per ${unit} between ${number(from)} and ${number(to)}`;
  }
}

/** @returns {string} one group as an aligned table */
function formatGroup(group, tellRuntime) {
  const columns = [...TIME_COLUMNS, ...(group.hasFloor ? FLOOR_COLUMNS : []), ...MEMORY_COLUMNS];
  const first = Math.max(14, ...group.results.map(({ contender }) => contender.length));
  const line = (name, cells) => `  ${name.padEnd(first)}${cells.map((cell) => cell.padStart(WIDTH)).join('')}`;
  const runtime = tellRuntime ? `, ${group.runtime}` : '';
  const lines = [
    `${group.suite}: ${group.title}, ${group.size}${runtime} (${group.unit})`,
    line('', columns.map(([title]) => title)),
  ];
  for (const result of group.results) {
    const why = reason(result);
    lines.push(line(result.contender, why ? [`   ${why}`] : columns.map(([, format]) => format(result) ?? '-')));
  }
  for (const note of notes(group)) lines.push(`  ${note}`);
  return lines.join('\n');
}

/** A line per runtime, also for one that could not be had. */
function formatRuntime({ title, engine, problem }) {
  return `${title.padEnd(14)} ${problem === undefined ? engine : `cannot be had: ${problem}`}`;
}

/**
 * @param {object} document
 * @returns {string}
 */
function formatTable({ platform, runtimes, versions, complete, groups }) {
  const facts = {
    ...platform,
    versions: Object.entries(versions).map((pair) => pair.join(' ')).join(', '),
  };
  const blocks = [
    ...groups.map((group) => formatGroup(group, runtimes.length > 1)),
    runtimes.map(formatRuntime).join('\n'),
    Object.entries(facts).map(([key, value]) => `${key.padEnd(9)} ${value}`).join('\n'),
  ];
  if (!complete) blocks.push('interrupted: only what was finished is shown');
  return `\n${blocks.join('\n\n')}\n`;
}

module.exports = { formatTable };

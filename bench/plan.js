'use strict';

/**
 * What is to be measured, and in which order.
 *
 * A row is one (suite, case, contender) and holds what was measured so far; a
 * task is one child process for one row. Rounds go over all cases, so that a
 * noisy minute spoils one repetition of everything and not all of one suite;
 * inside a round the contenders of a case are measured together, each round
 * starting with another one.
 */

const path = require('node:path');
const CONTENDERS = require('./contenders');
const SUITES = require('./suites');

const CASE_DEFAULTS = {
  repetitions: 5,
  memoryRepetitions: 2,
  warmups: 4,
  iterations: 6,
};

/**
 * The files that were asked for.
 *
 * @param {string} folder   inside bench/
 * @param {{defaults: string[], all: string[]}} known  names of the files in it
 * @param {string[]} names  some of those, or paths; empty: the default ones
 * @param {boolean} full    empty names: all of them
 * @returns {string[]}
 * @throws {Error} for a name that is neither
 */
function findFiles(folder, { defaults, all }, names, full) {
  const wanted = full ? all : defaults;
  return (names.length > 0 ? names : wanted).map((name) => {
    if (all.includes(name)) return path.join(__dirname, folder, `${name}.js`);
    if (name.endsWith('.js')) return path.resolve(name);
    throw new Error(`${folder}: no "${name}"; there are ${all.join(', ')}`);
  });
}

/** A contender file that cannot be read is a row in every suite. */
function readContender(file) {
  try {
    const { name, style } = require(file);
    return { file, name, style };
  } catch (error) {
    const reason = `cannot load: ${error.message.split('\n', 1)[0]}`;
    return { file, name: path.parse(file).name, style: null, error: reason };
  }
}

/**
 * @param {object} options
 * @param {string[]} options.suites      names, groups or paths; empty: the default ones
 * @param {string[]} options.contenders  names or paths; empty: the default ones
 * @param {boolean} [options.full]       empty: all of them; long cases too
 * @param {number} [options.n]           instead of the size of each case
 * @param {number} [options.repeat]      instead of the repetitions
 * @param {import('./runtimes.js').Runtime[]} options.runtimes
 * @returns {object[]} groups, one per case and runtime that can be had: `{suite, settings, runtime, rows, ...}`
 */
function createGroups({ suites, contenders, full = false, n, repeat, runtimes }) {
  const usable = runtimes.filter(({ problem }) => problem === undefined);
  const runners = findFiles('contenders', CONTENDERS, contenders, full).map(
    readContender,
  );
  const names = suites.flatMap((name) => SUITES.groups[name] ?? name);
  return findFiles('suites', SUITES, names, full).flatMap((file) => {
    const suite = require(file);
    const known = suite.cases.filter(({ isLong }) => full || suites.length > 0 || !isLong);
    const cases = n ? resize(known, n) : known;
    return cases.flatMap((parameters) =>
      usable.map((runtime) => createGroup(suite, file, parameters, runtime, runners, repeat)),
    );
  });
}

/** The cases at another size; those that become equal appear once. */
function resize(cases, n) {
  const bySize = new Map();
  for (const parameters of cases) {
    const { depth, queries, work, concurrency, method } = parameters;
    const key = JSON.stringify([depth, queries, work, concurrency, method]);
    if (!bySize.has(key)) bySize.set(key, { ...parameters, n });
  }
  return [...bySize.values()];
}

function createGroup(suite, file, parameters, runtime, runners, repeat) {
  const settings = { ...CASE_DEFAULTS, ...parameters };
  if (repeat) {
    settings.repetitions = repeat;
    settings.memoryRepetitions = Math.min(repeat, settings.memoryRepetitions);
  }
  const styles = parameters.styles ?? suite.styles;
  const rows = runners
    .filter(({ style }) => style === null || styles.includes(style))
    .filter(({ name, style }) => style === null || suite.only === undefined || suite.only(settings).includes(name))
    .map((contender) => ({
      contender,
      version: null,
      error: contender.error ?? null,
      lack: null,
      times: [],
      firsts: [],
      memory: [],
      crossings: null,
      promises: null,
    }));
  return { suite, file, settings, runtime, rows };
}

/**
 * @param {object[]} groups
 * @returns {object[]} `{measure, round, rounds, group, row, job}` in order
 */
function createTasks(groups) {
  return [
    ...tasksOf(groups, 'time', 'repetitions'),
    ...tasksOf(groups, 'memory', 'memoryRepetitions'),
  ];
}

function tasksOf(groups, measure, key) {
  const tasks = [];
  const rounds = Math.max(...groups.map(({ settings }) => settings[key]));
  for (let round = 0; round < rounds; round += 1) {
    for (const group of groups) {
      if (round >= group.settings[key]) continue;
      for (const row of rotate(group.rows, round)) {
        const job = createJob(group, row, measure);
        tasks.push({ measure, round, rounds, group, row, job });
      }
    }
  }
  return tasks;
}

/** The tasks that are run together: those of the contenders whose times are compared, of one case and round. */
function batchesOf(tasks) {
  const batches = [];
  for (const task of tasks) {
    const last = batches.at(-1);
    const [other] = last ?? [];
    if (other?.measure === 'time' && task.measure === 'time' && other.group === task.group && other.round === task.round) last.push(task);
    else batches.push([task]);
  }
  return batches;
}

function rotate(items, by) {
  return items.map((_, index) => items[(index + by) % items.length]);
}

/** @returns {import('./child.js').Job} */
function createJob({ file, settings }, row, measure) {
  const { n, depth, queries, work, concurrency, method, warmups, iterations, warmupN = n } = settings;
  return {
    suite: file,
    contender: row.contender.file,
    parameters: { n, depth, queries, work, concurrency: concurrency === Infinity ? 'Infinity' : concurrency, method },
    warmups,
    warmupN: Math.min(warmupN, n),
    iterations,
    measure,
  };
}

module.exports = { batchesOf, createGroups, createTasks, rotate };

'use strict';

/**
 * npm run bench: measures every contender in every suite and prints the table.
 * What the suites do and how to read the figures: bench/README.md.
 */

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { createDocument } = require('./figures.js');
const { batchesOf, createGroups, createTasks, rotate } = require('./plan.js');
const { writePage } = require('./page.js');
const { describePlatform, findCore } = require('./platform.js');
const { Measurement, isLast } = require('./processes.js');
const { createProgress } = require('./progress.js');
const { findRuntimes } = require('./runtimes.js');
const { formatTable } = require('./table.js');

const USAGE = `usage: npm run bench -- [options]

  --suite NAME      run this suite only (name, group or file; repeat or use
                    commas). Groups: collections, callbacks, time.
  --contender NAME  run this contender only (name or file; likewise)
  --full            all suites and all contenders, where none is named
  --node NAME       run in this runtime: current (default), 20, 22, 24, 26,
                    bun, all (the last five; likewise). What is not there is
                    fetched from the registry.
  --n NUMBER        size of each case
  --repeat NUMBER   repetitions of each case
  --timeout NUMBER  seconds after which a child is killed (default 60)
  --json FILE       write all figures to FILE
  --html FILE       write charts and figures to FILE, a page that needs nothing else
  --help
`;

function positiveInteger(name, text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name}: expected a positive integer, got "${text}"`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', multiple: true, default: [] },
      contender: { type: 'string', multiple: true, default: [] },
      full: { type: 'boolean', default: false },
      node: { type: 'string', multiple: true, default: [] },
      n: { type: 'string' },
      repeat: { type: 'string' },
      timeout: { type: 'string', default: '60' },
      json: { type: 'string' },
      html: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const split = (names) => names.flatMap((name) => name.split(','));
  return {
    suites: split(values.suite),
    contenders: split(values.contender),
    full: values.full,
    node: split(values.node),
    n: positiveInteger('n', values.n),
    repeat: positiveInteger('repeat', values.repeat),
    timeout: positiveInteger('timeout', values.timeout),
    json: values.json,
    html: values.html,
    help: values.help,
  };
}

/**
 * Measures the contenders of a case, each in a process of its own. Where their time is
 * measured they take turns, an iteration each, every time another one first.
 *
 * @param {object[]} tasks  of one case and round
 * @param {object} settings  as those of Measurement, and `progress`
 */
async function measure(tasks, { progress, ...settings }) {
  const { signal } = settings.interrupt;
  const runners = [];
  for (const task of tasks) {
    progress.show(task);
    if (!isUsable(task.row) || signal.aborted) continue;
    const measurement = new Measurement(task.job, { ...settings, runtime: task.group.runtime });
    const runner = { row: task.row, measurement, first: undefined, times: [], result: null };
    take(runner, await measurement.message());
    runners.push(runner);
  }
  const isRunning = ({ result }) => result === null;
  for (let turn = 0; runners.some(isRunning); turn += 1) {
    for (const runner of rotate(runners, turn).filter(isRunning)) take(runner, await runner.measurement.turn());
  }
  // What an interrupted process says is not a result.
  if (signal.aborted) return;
  for (const { row, first, times, result } of runners) record(row, { first, times, ...result });
}

/** Takes what the process of a runner has said. */
function take(runner, message) {
  if (isLast(message)) runner.result = message;
  else if (message.time === undefined) runner.first = message.first;
  else runner.times.push(message.time);
}

/** Whether a row can still get figures. */
const isUsable = ({ error, lack }) => !error && !lack;

/** Enters the result of one process into its row; an error or a lack ends the row. */
function record(row, { error, version, lack, memory, first, times, crossings = null, promises = null }) {
  if (error) {
    row.error = error;
    return;
  }
  row.version = version;
  if (lack) {
    row.lack = lack;
    return;
  }
  if (memory) {
    row.memory.push(memory);
    return;
  }
  row.times.push(times);
  if (first !== undefined) row.firsts.push(first);
  row.crossings = crossings;
  row.promises = promises;
}

function openFile(file) {
  fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  return fs.openSync(file, 'w');
}

/** For JSON: five digits tell all there is to tell. */
function rounded(key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

async function main() {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  // Opened now: a wrong path should not be found out minutes later.
  const json = options.json ? openFile(options.json) : null;
  if (options.html) fs.closeSync(openFile(options.html));
  const runtimes = findRuntimes(options.node);
  const groups = createGroups({ ...options, runtimes });
  const tasks = createTasks(groups);
  const core = findCore();
  const platform = describePlatform(core);
  const progress = createProgress(tasks.length);
  const interrupt = new AbortController();
  const { signal } = interrupt;
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort());

  for (const batch of batchesOf(tasks)) {
    if (signal.aborted) break;
    await measure(batch, { core, timeout: options.timeout, interrupt, progress });
  }
  progress.clear();

  const document = createDocument({ platform, runtimes, groups, isComplete: !signal.aborted });
  process.stdout.write(formatTable(document));
  if (json !== null) {
    fs.writeFileSync(json, `${JSON.stringify(document, rounded)}\n`);
    fs.closeSync(json);
  }
  if (options.html) await writePage(document, options.html);
  const failed = groups.some(({ rows }) => rows.some(({ error }) => error));
  if (signal.aborted) process.exitCode = 130;
  else if (failed) process.exitCode = 1;
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});

'use strict';

/**
 * npm run bench: measures every contender in every suite and prints the table.
 * What the suites do and how to read the figures: bench/README.md.
 */

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { createDocument } = require('./figures.js');
const { createGroups, createTasks } = require('./plan.js');
const { writePage } = require('./page.js');
const { describePlatform, findCore } = require('./platform.js');
const { createProgress } = require('./progress.js');
const { findRuntimes } = require('./runtimes.js');
const { formatTable } = require('./table.js');

const CHILD = path.join(__dirname, 'child.js');

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

/** Bluebird turns warnings and long stack traces on by these variables. */
const ENVIRONMENT = {
  ...process.env,
  NODE_ENV: 'production',
  BLUEBIRD_DEBUG: '',
};

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
 * Runs one child to its end.
 *
 * @param {object} job
 * @param {object} settings
 * @param {import('./runtimes.js').Runtime} settings.runtime  runs it
 * @param {string | null} settings.core  to pin it to
 * @param {number} settings.timeout  seconds
 * @param {AbortController} settings.interrupt  kills it
 * @returns {Promise<object>} its result, or `{error}`
 */
function runChild(job, { runtime, core, timeout, interrupt }) {
  const command = [runtime.program, '--expose-gc', CHILD, JSON.stringify(job)];
  if (core !== null) command.unshift('taskset', '-c', core);
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), {
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, timeout * 1000);
    interrupt.signal.addEventListener('abort', kill, { once: true });

    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', (error) => resolve({ error: error.message }));
    child.on('close', (code, killedBy) => {
      clearTimeout(timer);
      interrupt.signal.removeEventListener('abort', kill);
      // On a terminal Ctrl-C reaches the child as well, perhaps before us.
      if (killedBy === 'SIGINT') interrupt.abort();
      if (late) resolve({ error: `no result after ${timeout} s, killed` });
      else resolve(readResult(stdout) ?? died(stderr, code, killedBy));
    });
  });
}

function readResult(stdout) {
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1));
  } catch {
    return null;
  }
}

function died(stderr, code, killedBy) {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '';
  const how = `died with ${killedBy ?? `code ${code}`}`;
  return { error: reason ? `${how}: ${reason.trim()}` : how };
}

/** Enters the result of one child into its row; an error or a lack ends the row. */
function record(row, measure, result) {
  if (result.error) {
    row.error = result.error;
    return;
  }
  row.version = result.version;
  if (result.lack) {
    row.lack = result.lack;
    return;
  }
  if (measure === 'memory') {
    row.memory.push(result.memory);
    return;
  }
  row.times.push(result.times);
  row.crossings = result.crossings ?? null;
  row.promises = result.promises ?? null;
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

  for (const task of tasks) {
    const { measure, group, row, job } = task;
    progress.show(task);
    if (row.error || row.lack) continue;
    const settings = { runtime: group.runtime, core, timeout: options.timeout, interrupt };
    const result = await runChild(job, settings);
    // What an interrupted child says is not a result.
    if (signal.aborted) break;
    record(row, measure, result);
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

'use strict';

/**
 * npm run bench:report: makes the report in bench/report/. Two runs, one with all
 * suites and contenders in this runtime, one with the default ones in all
 * runtimes; then the page of both. About an hour. Options are handed to both runs.
 */

const { spawnSync } = require('node:child_process');
const path = require('node:path');

const FOLDER = path.join('bench', 'report');
const FULL = path.join(FOLDER, 'full.json');
const RUNTIMES = path.join(FOLDER, 'runtimes.json');

/** Ends this process where a run was interrupted or could not begin; contenders may fail. */
function run(script, ...args) {
  const options = { cwd: path.dirname(__dirname), stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [path.join('bench', script), ...args], options);
  if (status !== 0 && status !== 1) process.exit(status ?? 130);
}

const options = process.argv.slice(2);
run('run.js', '--full', '--repeat', '3', '--json', FULL, ...options);
run('run.js', '--node', 'all', '--repeat', '3', '--json', RUNTIMES, ...options);
run('page.js', FULL, RUNTIMES, path.join(FOLDER, 'index.html'));

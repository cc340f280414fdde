'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { Native } = require('./helpers/subject');

// The suites bring mochas of their own age; their files run under ours, in child processes.
const mocha = require.resolve('mocha/bin/mocha.js');
const setup = require.resolve('./helpers/adapter.js');

function run(files) {
  const args = [mocha, '--no-config', '--no-package', '--reporter', 'json', '--timeout', '10000',
    '--require', setup, ...files];
  return new Native((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout.slice(stdout.indexOf('{\n'))));
      } catch {
        reject(new Error(`no result:\n${stdout.slice(0, 2000)}\n${stderr}`));
      }
    });
  });
}

function filesOf(name, folder) {
  const dir = path.join(path.dirname(require.resolve(`${name}/package.json`)), folder);
  return fs.readdirSync(dir).filter((f) => f.endsWith('.js')).map((f) => path.join(dir, f));
}

const failures = (results) => results.flatMap((r) => r.failures.map((f) => `${f.fullTitle}: ${f.err.message}`));
const passes = (results) => results.reduce((n, r) => n + r.stats.passes, 0);

/** Bun leaves out the 'use strict' of functions: these fail with any promise. */
const LOST = process.versions.bun === undefined ? [] : ['fulfilled', 'rejected'].map((how) =>
  `2.2.5 \`onFulfilled\` and \`onRejected\` must be called as functions (i.e. with no \`this\` value). strict mode ${how}`);

describe('conformance suites', () => {
  it('promises-aplus-tests: 872 of 872', async () => {
    // Mostly waiting: the files side by side.
    const results = await Promise.all(filesOf('promises-aplus-tests', 'lib/tests').map((f) => run([f])));
    const failed = failures(results).filter((failure) => !LOST.some((title) => failure.startsWith(title)));
    assert.deepEqual(failed, []);
    assert.equal(passes(results), 872 - LOST.length);
  });

  it('promises-es6-tests: 69 of 69', async () => {
    const results = [await run(filesOf('promises-es6-tests', 'tests'))];
    assert.deepEqual(failures(results), []);
    assert.equal(passes(results), 69);
  });
});

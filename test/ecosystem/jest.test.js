'use strict';

// Inside Jest, whose tests have a context of their own with modules of their own.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { fetched } = require('../../scripts/fetched');
const { root } = require('../helpers/subject');

const { LD_PRELOAD, CPROMISE_HOST, CPROMISE_ADDON, ...environment } = process.env;

/** Per name: what there is to be, and what decides on it. */
const ENVIRONMENTS = {
  'as it is': { expected: { host: 'native', hasContexts: true } },
  'on WebAssembly': { expected: { host: 'wasm', hasContexts: true }, env: { CPROMISE_HOST: 'wasm' } },
  'as for browsers': { expected: { host: 'wasm', hasContexts: false }, conditions: ['browser'] },
};

describe('inside Jest', () => {
  let program;
  before(() => {
    program = fetched('jest').require.resolve('jest/bin/jest');
  });

  async function jest(spec, { env, conditions, ...settings }) {
    const config = {
      rootDir: root,
      testMatch: [`**/test/ecosystem/jest/${spec}.spec.js`],
      modulePathIgnorePatterns: ['<rootDir>/(?:build|\\.cache)/'],
      moduleNameMapper: { '^cpromise$': '<rootDir>' },
      transform: {},
      cacheDirectory: path.join(root, '.cache', 'jest', 'cache'),
      ...(conditions && { testEnvironmentOptions: { customExportConditions: conditions } }),
      ...settings,
    };
    return run(program, ['--config', JSON.stringify(config), '--json'], { ...environment, ...env });
  }

  for (const [name, { expected, ...settings }] of Object.entries(ENVIRONMENTS)) {
    const passes = async (spec, more) => {
      const { testResults: [{ message, assertionResults }] } = await jest(spec, { globals: { expected }, ...settings, ...more });
      for (const { status, failureMessages } of assertionResults) assert.equal(status, 'passed', failureMessages.join('\n'));
      assert.ok(assertionResults.length > 1, message);
    };

    it(`the library, ${name}`, () => passes('library'));

    it(`with fake timers from the start, ${name}`, () => passes('fake-from-the-start', { fakeTimers: { enableGlobally: true } }));

    it(`a rejection that nobody handles fails its test, ${name}`, async () => {
      const { testResults: [{ message, assertionResults }] } = await jest('unhandled', settings);
      assert.deepEqual(assertionResults.map(({ status }) => status), ['failed', 'passed', 'failed'], message);
      assert.match(assertionResults[0].failureMessages.join(), /left alone\n[^]*unhandled\.spec\.js/);
      assert.match(assertionResults[2].failureMessages.join(), /thrown\n[^]*unhandled\.spec\.js/);
    });
  }
});

function run(program, args, env) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { cwd: root, env }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`no result: ${error?.message}\n${stdout}\n${stderr}`));
      }
    });
  });
}

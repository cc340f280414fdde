'use strict';

// In Deno, with and without the permission to load addons.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { fetched } = require('../../scripts/fetched');
const { root } = require('../helpers/subject');
const { EXPECTED } = require('../fixtures/broad');

const PROGRAM = path.join(__dirname, 'deno', 'program.cjs');

const { LD_PRELOAD, CPROMISE_HOST, CPROMISE_ADDON, ...environment } = process.env;

(process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip)('in Deno', () => {
  let deno;
  before(() => {
    deno = path.join(fetched('deno').folder, 'node_modules', '@deno', 'linux-x64-glibc', 'deno');
    fs.chmodSync(deno, 0o755);
  });

  for (const [host, permissions] of [['native', ['--allow-all']], ['wasm', ['--allow-read', '--allow-env']]]) {
    it(`a little of everything, contexts and rejections: ${host} with ${permissions.join(' ')}`, async () => {
      const env = { ...environment, DENO_DIR: path.join(root, '.cache', 'deno', 'cache'), DENO_NO_UPDATE_CHECK: '1' };
      const { stdout } = await promisify(execFile)(deno, ['run', '--no-prompt', ...permissions, PROGRAM], { cwd: root, env });
      assert.deepEqual(JSON.parse(stdout), { host, results: EXPECTED, store: 'kept', events: ['unhandled', 'r', true, 'handled', true] });
    });
  }
});

'use strict';

// A little of everything under settings of Node that take something away.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { isNative, root } = require('./helpers/subject');
const { EXPECTED } = require('./fixtures/broad');

const major = Number.parseInt(process.versions.node, 10);
const PERMISSION = major < 23 ? '--experimental-permission' : '--permission';

const READ = `--allow-fs-read=${path.join(root, '*')}`;

/** Per name: flags, the host that is asked for, and the one that there is to be. */
const SETTINGS = {
  'no code from strings': { flags: ['--disallow-code-generation-from-strings'], host: 'native' },
  'no code from strings, on WebAssembly': { flags: ['--disallow-code-generation-from-strings'], host: 'wasm', forced: 'wasm' },
  'frozen intrinsics': { flags: ['--frozen-intrinsics'], host: 'native' },
  'frozen intrinsics, on WebAssembly': { flags: ['--frozen-intrinsics'], host: 'wasm', forced: 'wasm' },
  'no __proto__': { flags: ['--disable-proto=throw'], host: 'native' },
  'the permission model': { flags: [PERMISSION, READ], host: 'wasm' },
  'the permission model, addons allowed': { flags: [PERMISSION, READ, '--allow-addons'], host: 'native' },
  'no addons': { flags: ['--no-addons'], host: 'wasm' },
  'no compiler in V8': { flags: ['--jitless'], host: 'native' },
  'what is deprecated is an error': { flags: ['--throw-deprecation', '--pending-deprecation'], host: 'native' },
};

const CODE = `
  const P = require(${JSON.stringify(root)});
  const { broad } = require(${JSON.stringify(path.join(__dirname, 'fixtures', 'broad.js'))});
  broad(P).then((results) => console.log(JSON.stringify({ host: P.host, results })));
`;

/** Which host there is decides itself in the programs that are started here; a sanitizer is not for them. */
const { LD_PRELOAD, CPROMISE_HOST, CPROMISE_ADDON, ...environment } = process.env;

function run({ flags = [], forced }) {
  const env = forced === undefined ? environment : { ...environment, CPROMISE_HOST: forced };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...flags, '-e', CODE], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
  });
}

(isNative ? describe.skip : describe)('with flags of Node', () => {
  for (const [name, { host, ...settings }] of Object.entries(SETTINGS)) {
    it(name, async () => {
      const { status, stdout, stderr } = await run(settings);
      assert.equal(status, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), { host, results: EXPECTED });
    });
  }
});

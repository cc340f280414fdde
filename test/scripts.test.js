'use strict';

// What the scripts of package.json say to those who lack something.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root, isNative } = require('./helpers/subject');

function script(name, args, env = {}) {
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', name), ...args], {
    encoding: 'utf8', env: { ...process.env, ...env }, timeout: 60000,
  });
  return { status, stderr };
}

(isNative ? describe.skip : describe)('the scripts of package.json', () => {
  /** Neither Python nor make nor a compiler is to be found; nothing is changed. */
  const BARE = { PATH: path.join(root, 'no such folder'), PYTHON: '', npm_config_python: '' };
  const MESSAGE = /cpromise: the addon could not be compiled.*takes python3, make and g\+\+.*runs on WebAssembly.*npm run build/s;
  const posix = process.platform === 'win32' ? it.skip : it;

  posix('prepare without a compiler says what is missing, and goes on', () => {
    const { status, stderr } = script('build.js', ['--incremental', '--if-possible'], BARE);
    assert.equal(status, 0);
    assert.match(stderr, MESSAGE);
  });

  posix('build without a compiler says the same, and fails', () => {
    const { status, stderr } = script('build.js', ['--incremental'], BARE);
    assert.equal(status, 1);
    assert.match(stderr, MESSAGE);
  });

  it('prepack tells of binaries that will be missing', () => {
    const { TARGETS, fileOf } = require('../scripts/prebuild');
    const { status, stderr } = script('prebuild.js', ['--tell']);
    const missing = Object.keys(TARGETS).filter((target) => !fs.existsSync(fileOf(target)));
    assert.equal(status, 0);
    if (missing.length > 0) assert.match(stderr, /WARNING: this package will have no binary.*npm run build:prebuilds/s);
    if (stderr.includes('alone')) return;
    const [, named = ''] = /no binary for ([^:]*):/.exec(stderr) ?? [];
    assert.deepEqual(named.split(', ').filter((target) => Object.hasOwn(TARGETS, target)), missing);
  });
});

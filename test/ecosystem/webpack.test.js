'use strict';

// Bundled with webpack, as test/bundled.test.js is with esbuild.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const vm = require('node:vm');
const { fetched } = require('../../scripts/fetched');
const { root } = require('../helpers/subject');

const PROGRAM = path.join(__dirname, '..', 'fixtures', 'bundled.mjs');

const { LD_PRELOAD, CPROMISE_HOST, CPROMISE_ADDON, ...environment } = process.env;

describe('bundled with webpack', () => {
  let webpack;
  let loader;
  let folder;
  before(() => {
    const packages = fetched('webpack').require;
    webpack = packages('webpack');
    loader = packages.resolve('node-loader');
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
  });
  after(() => {
    if (folder) fs.rmSync(folder, { recursive: true });
  });

  /** @returns {Promise<{file: string, files: string[], warnings: string[]}>} the bundle, and what is in it */
  async function bundle(options) {
    const stats = await promisify(webpack)({
      context: root, entry: PROGRAM, mode: 'production', output: { path: folder, filename: 'bundled.js' }, performance: false, optimization: { minimize: false }, ...options,
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual(errors.map(({ message }) => message), []);
    const files = [...stats.compilation.fileDependencies].map((file) => path.basename(file));
    return { file: path.join(folder, 'bundled.js'), files, warnings: warnings.map(({ message }) => message) };
  }

  it('for Node: natively', async () => {
    const rules = [{ test: /\.node$/, use: loader }];
    const { file, files, warnings } = await bundle({ target: 'node', node: { __dirname: false }, module: { rules } });
    assert.ok(files.includes('runtime.js') && !files.includes('runtime-web.js'), files.join());
    for (const warning of warnings) assert.match(warning, /Can't resolve '\.\.\/(prebuilds|build)\//);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment });
    assert.equal(stdout, 'native 2,4,6 true\n');
  });

  for (const target of ['web', 'webworker']) {
    it(`for ${target}: WebAssembly, and nothing of Node`, async () => {
      const { file, files, warnings } = await bundle({ target });
      assert.deepEqual(warnings, []);
      assert.deepEqual(files.filter((name) => ['runtime.js', 'native.js'].includes(name)), []);
      const context = vm.createContext({ queueMicrotask, setTimeout, clearTimeout, console: { log() {} } });
      vm.runInContext(fs.readFileSync(file, 'utf8'), context);
      assert.equal(await context.told, 'wasm 2,4,6 true');
    });
  }
});

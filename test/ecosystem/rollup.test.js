'use strict';

// Bundled with Rollup, which looks for .mjs before .js, as Vite does. For Node it leaves packages out.

const assert = require('node:assert/strict');
const path = require('node:path');
const { createContext, runInContext } = require('node:vm');
const { fetched } = require('../../scripts/fetched');

const PROGRAM = path.join(__dirname, '..', 'fixtures', 'bundled.mjs');

describe('bundled with Rollup', () => {
  let rollup;
  let plugins;
  before(() => {
    const packages = fetched('rollup').require;
    rollup = packages('rollup').rollup;
    const [nodeResolve, commonjs, json] = ['node-resolve', 'commonjs', 'json'].map((name) => packages(`@rollup/plugin-${name}`).default);
    plugins = [nodeResolve({ exportConditions: ['browser'], browser: true }), commonjs(), json()];
  });

  it('for browsers: WebAssembly, and nothing of Node', async () => {
    const onLog = (level, { code, message }) => {
      if (level === 'warn') assert.equal(code, 'CIRCULAR_DEPENDENCY', message); // getNewLibraryCopy
    };
    const build = await rollup({ input: PROGRAM, plugins, onLog });
    const { output: [{ code, moduleIds }] } = await build.generate({ format: 'iife' });
    await build.close();
    const files = moduleIds.map((id) => path.basename(id));
    assert.deepEqual(files.filter((file) => ['runtime.js', 'native.js'].includes(file)), []);
    const context = createContext({ queueMicrotask, setTimeout, clearTimeout, console: { log() {} } });
    runInContext(code, context);
    assert.equal(await context.told, 'wasm 2,4,6 true');
  });
});

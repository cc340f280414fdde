'use strict';

// Bundled with esbuild: for Node it is the addon that runs, for anything else
// WebAssembly, and no module of Node is asked for. Other bundlers are in web/.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const vm = require('node:vm');
const esbuild = require('esbuild');
const { isNative, root } = require('./helpers/subject');

const PROGRAM = path.join(__dirname, 'fixtures', 'bundled.mjs');
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** What decides on the host is not for the programs that are started here, nor is a sanitizer. */
const { LD_PRELOAD, CPROMISE_HOST, CPROMISE_ADDON, ...environment } = process.env;

(isNative ? describe.skip : describe)('bundled', () => {
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
  });
  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  /** @returns {Promise<{text: string, files: string[]}>} the bundle, and the files of the library in it */
  async function bundle(options) {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [PROGRAM], absWorkingDir: root, bundle: true, metafile: true, write: false, outdir: folder, logLevel: 'silent', ...options,
    });
    for (const { path: file, contents } of outputFiles) fs.writeFileSync(file, contents);
    const files = Object.keys(metafile.inputs).filter((file) => file.startsWith('lib/')).map((file) => path.basename(file));
    return { text: outputFiles.at(-1).text, files };
  }

  for (const [format, extension, banner] of [['cjs', '.cjs', ''], ['esm', '.mjs', REQUIRE]]) {
    it(`for Node, as ${format}: natively`, async () => {
      const options = { platform: 'node', format, outExtension: { '.js': extension }, banner: { js: banner }, loader: { '.node': 'copy' } };
      const { files } = await bundle(options);
      assert.ok(files.includes('runtime.js') && !files.includes('runtime-web.js'), files.join());
      const program = path.join(folder, `bundled${extension}`);
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env: environment });
      assert.equal(stdout, 'native 2,4,6 true\n');
    });
  }

  const elsewhere = {
    browsers: ['browser'],
    'web workers': ['worker', 'browser'],
    'Cloudflare Workers': ['workerd', 'worker', 'browser'],
    'edge functions': ['edge-light', 'worker'],
    'Electron, a window': ['electron', 'node', 'browser'],
    'what says nothing of itself': [],
  };
  for (const [name, conditions] of Object.entries(elsewhere)) {
    it(`for ${name}: WebAssembly, and nothing of Node`, async () => {
      // On this platform esbuild knows no module of Node: the build would fail.
      const { text, files } = await bundle({ platform: 'neutral', format: 'iife', conditions });
      assert.deepEqual(files.filter((file) => ['runtime.js', 'native.js'].includes(file)), []);
      const context = vm.createContext({ queueMicrotask, setTimeout, clearTimeout, console: { log() {} } });
      vm.runInContext(text, context);
      assert.equal(await context.told, 'wasm 2,4,6 true');
    });
  }
});

'use strict';
/**
 * Compiles the addon with node-gyp: all of it, or with --incremental what has
 * changed. With --if-possible it is no error that it cannot be compiled: the
 * library runs without. Further arguments go to node-gyp.
 *
 * node-gyp wants the headers of the running Node. Where Node was installed
 * with its headers beside it they are used; elsewhere node-gyp downloads them,
 * as it always does. The Node-API headers that the sources include come from
 * the package node-api-headers in either case.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const prefix = path.resolve(process.execPath, '..', '..');

function nodeGyp() {
  try {
    return [process.execPath, require.resolve('node-gyp/bin/node-gyp.js')];
  } catch {
    return ['node-gyp']; // npm puts its own on the PATH of install scripts
  }
}

const [command, ...first] = nodeGyp();
const options = process.argv.slice(2);
const own = ['--incremental', '--if-possible'];
const passed = options.filter((option) => !own.includes(option));
const task = options.includes('--incremental') ? ['configure', 'build'] : ['rebuild'];
const args = [...first, ...task, ...passed];
if (fs.existsSync(path.join(prefix, 'include', 'node', 'common.gypi'))) args.push(`--nodedir=${prefix}`);

const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (result.error) console.error(`cpromise: cannot run node-gyp: ${result.error.message}`);
if (result.status === 0) process.exit();
console.error(`cpromise: the addon could not be compiled; why is said above.
cpromise: It takes python3, make and g++ (on Windows: the C++ build tools of Visual Studio).
cpromise: Without it the library runs on WebAssembly. With them: npm run build`);
process.exit(options.includes('--if-possible') ? 0 : 1);

'use strict';
/**
 * Compiles the addon with node-gyp: all of it, or with --incremental what has
 * changed. Further arguments go to node-gyp.
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
const passed = options.filter((option) => option !== '--incremental');
const task = passed.length < options.length ? ['configure', 'build'] : ['rebuild'];
const args = [...first, ...task, ...passed];
if (fs.existsSync(path.join(prefix, 'include', 'node', 'common.gypi'))) args.push(`--nodedir=${prefix}`);

const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (result.error) console.error(`cpromise: cannot run node-gyp: ${result.error.message}`);
process.exit(result.status === null ? 1 : result.status);

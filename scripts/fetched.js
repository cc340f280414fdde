'use strict';
/**
 * Packages that few tests use, and that are too large for all who work here. They
 * come from npm when they are first asked for and stay in .cache/.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { root } = require('./logged');

/** Per name: what is fetched. */
const PACKAGES = {
  attw: { '@arethetypeswrong/core': '0.18.5' },
  deno: { '@deno/linux-x64-glibc': '2.9.6' },
  jest: { jest: '30.5.2' },
  rollup: {
    rollup: '4.68.8',
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-json': '6.1.0',
    '@rollup/plugin-node-resolve': '16.0.3',
  },
  workerd: { workerd: '1.20261117.1' },
  webpack: { webpack: '5.113.0', 'node-loader': '2.1.0' },
};

const folderOf = (name) => path.join(root, '.cache', name);

function isThere(name) {
  return Object.entries(PACKAGES[name]).every(([packageName, version]) => {
    try {
      return JSON.parse(fs.readFileSync(path.join(folderOf(name), 'node_modules', packageName, 'package.json'), 'utf8')).version === version;
    } catch {
      return false;
    }
  });
}

/**
 * @param {string} name  of PACKAGES
 * @returns {{folder: string, require: NodeRequire}} the folder that they are in, and its require
 * @throws {Error} they cannot be had, and why
 */
function fetched(name) {
  const folder = folderOf(name);
  if (!isThere(name)) {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--prefix', folder];
    const packages = Object.entries(PACKAGES[name]).map(([packageName, version]) => `${packageName}@${version}`);
    const { error, stderr } = spawnSync('npm', [...args, ...packages], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
    if (!isThere(name)) throw new Error(`${name} cannot be fetched: ${error?.message ?? stderr.trim().split('\n')[0]}`);
  }
  return { folder, require: createRequire(path.join(folder, 'package.json')) };
}

module.exports = { fetched };

'use strict';
/**
 * Other releases of Node, and Bun, for tests and benchmarks. They come as npm
 * packages and stay in .cache/.
 */
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { root } = require('./logged');

const isWindows = process.platform === 'win32';
const platform = isWindows ? 'win' : process.platform;
const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;

const node = (version) => ({
  title: `Node ${version}`,
  version,
  package: `node-${platform}-${process.arch}`,
  program: isWindows ? 'node.exe' : 'node',
});

/** Per name: what is fetched, and the program in it. */
const RUNTIMES = {
  20: node('20.20.2'),
  22: node('22.23.5'),
  24: node('24.22.3'),
  26: node('26.12.1'),
  bun: {
    title: 'Bun 1.4.5',
    version: '1.4.5',
    package: `@oven/bun-${isWindows ? 'windows' : process.platform}-${arch}${arch === 'x64' ? '-baseline' : ''}`,
    program: isWindows ? 'bun.exe' : 'bun',
  },
};

const folderOf = (name) => path.join(root, '.cache', /^\d/.test(name) ? `node-${name}` : name);

/** @returns {string} path of the program, whether it is there or not */
function programOf(name) {
  const runtime = RUNTIMES[name];
  return path.join(folderOf(name), 'node_modules', ...runtime.package.split('/'), 'bin', runtime.program);
}

function isThere(name) {
  const result = spawnSync(programOf(name), ['--version'], { encoding: 'utf8' });
  return result.status === 0 && result.stdout.trim().replace(/^v/, '') === RUNTIMES[name].version;
}

/**
 * Fetches a runtime where it is missing.
 *
 * @param {string} name  of RUNTIMES
 * @returns {string | undefined} the reason why it cannot be had
 */
function fetch(name) {
  if (isThere(name)) return undefined;
  const { package: packageName, version } = RUNTIMES[name];
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  args.push('--prefix', folderOf(name), `${packageName}@${version}`);
  const result = spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell: isWindows });
  if (isThere(name)) return undefined;
  const said = result.error ? result.error.message : `${result.stderr}`.trim().split('\n')[0];
  return said || 'what was fetched does not run';
}

module.exports = { RUNTIMES, fetch, programOf };

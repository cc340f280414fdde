'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');

/**
 * The core that every child is pinned to: the last one this process may use.
 *
 * @returns {string | null} null where `taskset` is missing or refuses
 */
function findCore() {
  try {
    const status = fs.readFileSync('/proc/self/status', 'latin1');
    const core = /^Cpus_allowed_list:.*?(\d+)$/m.exec(status)[1];
    const trial = spawnSync('taskset', ['-c', core, 'true']);
    return trial.status === 0 ? core : null;
  } catch {
    return null;
  }
}

function osName() {
  try {
    const release = fs.readFileSync('/etc/os-release', 'utf8');
    return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(release)[1];
  } catch {
    return os.type();
  }
}

/**
 * @param {string | null} core
 * @returns {object} what a reader needs to judge the numbers
 */
function describePlatform(core) {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memory: `${memory} GiB`,
    node: `${process.versions.node} (V8 ${process.versions.v8})`,
    os: `${osName()}, ${os.type()} ${os.release()} ${os.arch()}`,
    date: new Date().toISOString(),
    command: ['node bench/run.js', ...process.argv.slice(2)].join(' '),
    pinned: core === null ? 'no' : `to core ${core}`,
  };
}

module.exports = { describePlatform, findCore };

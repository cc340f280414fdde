'use strict';

const { execFile } = require('node:child_process');
const { Native, name, prelude, root } = require('./subject');

/** Runs `code` in a process of its own, P defined; `of` chooses another subject. */
function run(code, { of = name, flags = [], env = {}, before = '', cwd = root } = {}) {
  return new Native((resolve) => {
    const args = [...flags, '-e', `${before}\n${prelude(of)}${code}`];
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ status: child.exitCode, signal: child.signalCode, stdout, stderr });
    });
  });
}

/** What a process printed, without what depends on file, line, process and run. */
function normal(result) {
  const stderr = result.stderr
    .replace(/^\S+:\d+\n.*\n\s*\^+\n/gm, '')
    .replace(/^\s+at .*\n/gm, '')
    .replace(/\(node:\d+\)/g, '(node:PID)')
    .replace(/rejection id: \d+/g, 'rejection id: N');
  return { ...result, stderr };
}

module.exports = { normal, run };

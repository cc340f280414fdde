'use strict';
/**
 * Runs a program and keeps all that it prints in build/test-logs/. Used by the
 * scripts that run tests.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { createInterface } = require('node:readline');
const { stripVTControlCharacters } = require('node:util');

const root = path.join(__dirname, '..');
const logs = path.join(root, 'build', 'test-logs');
const GRACE = 5000; // ms between the two signals that end a program

/**
 * @param {string[]} command program and arguments
 * @param {object} options
 * @param {string} options.log name of the log file, without extension
 * @param {number} options.limit minutes after which the program is ended
 * @param {(line: string) => void} [options.onLine] called with each line as it comes
 * @param {Record<string, string>} [options.env] further variables of its environment
 * @returns {Promise<{code: number | null, end: string, lines: string[], seconds: number, file: string}>}
 *   code is 0 only after a normal end; end says in words how it ended
 */
function runLogged([program, ...args], { log, limit, onLine = () => {}, env }) {
  fs.mkdirSync(logs, { recursive: true });
  const file = path.join(logs, `${log}.log`);
  const out = fs.openSync(file, 'w');
  const lines = [];
  const begin = process.hrtime.bigint();
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const readers = [child.stdout, child.stderr].map((input) => createInterface({ input }));
  let end;

  function take(line) {
    line = stripVTControlCharacters(line);
    lines.push(line);
    fs.writeSync(out, `${line}\n`);
    onLine(line);
  }

  function stop() {
    end = `ended after ${limit} minutes`;
    child.kill('SIGTERM');
    setTimeout(() => {
      child.kill('SIGKILL');
      // Its own children may hold the other ends.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      for (const reader of readers) reader.close();
    }, GRACE).unref();
  }

  return new Promise((resolve) => {
    const timer = setTimeout(stop, limit * 60_000);

    // When both readers and the child have closed, every line has come.
    let open = readers.length + 1;
    let code = null;
    function finish() {
      if (--open > 0) return;
      clearTimeout(timer);
      fs.closeSync(out);
      const seconds = Math.round(Number(process.hrtime.bigint() - begin) / 1e9);
      resolve({ code, end, lines, seconds, file: path.relative(root, file) });
    }

    for (const reader of readers) reader.on('line', take).on('close', finish);
    child.on('error', (error) => take(`cannot run ${program}: ${error.message}`));
    child.on('close', (status, signal) => {
      code = end === undefined ? status : null;
      end ??= signal ? `ended by ${signal}` : `ended with code ${status}`;
      finish();
    });
  });
}

module.exports = { root, runLogged };

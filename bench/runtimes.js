'use strict';

/** The programs that the children run in: the running one, and others from the registry. */

const { spawnSync } = require('node:child_process');
const { RUNTIMES, fetch, programOf } = require('../scripts/runtimes.js');

const CURRENT = 'current';

/**
 * @typedef {object} Runtime
 * @property {string} name      as --node takes it
 * @property {string} title     with the version
 * @property {string} program
 * @property {string} [engine]  of JavaScript, with the version
 * @property {string} [problem] why it cannot be had
 */

function engineOf({ bun, v8, webkit }) {
  return bun ? `JavaScriptCore ${webkit.slice(0, 10)}` : `V8 ${v8}`;
}

function titleOf({ bun, node }) {
  return bun ? `Bun ${bun}` : `Node ${node}`;
}

/** @returns {Runtime} */
function findRuntime(name) {
  if (name === CURRENT) {
    const { versions, execPath } = process;
    return { name, title: titleOf(versions), program: execPath, engine: engineOf(versions) };
  }
  const { title } = RUNTIMES[name];
  const program = programOf(name);
  const problem = fetch(name);
  if (problem !== undefined) return { name, title, program, problem };
  const { stdout } = spawnSync(program, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' });
  return { name, title, program, engine: engineOf(JSON.parse(stdout)) };
}

/**
 * Finds what was asked for, and fetches what is not there.
 *
 * @param {string[]} names  `current`, names of RUNTIMES, `all` for all of these; empty: current
 * @returns {Runtime[]}
 * @throws {Error} for another name
 */
function findRuntimes(names) {
  const known = [CURRENT, ...Object.keys(RUNTIMES)];
  const wanted = names.flatMap((name) => (name === 'all' ? Object.keys(RUNTIMES) : name));
  for (const name of wanted) {
    if (!known.includes(name)) throw new Error(`--node: no "${name}"; there are ${known.join(', ')}, all`);
  }
  return (wanted.length > 0 ? wanted : [CURRENT]).map(findRuntime);
}

module.exports = { findRuntimes };

'use strict';
/**
 * Runs the mocha suite on other releases of Node, all with the one addon in
 * build/Release: Node-API promises that it works there.
 *
 *   node scripts/test-platforms.js [--node 22,24]
 *
 * The releases come as npm packages and stay in .cache/. One that cannot be
 * fetched is skipped; with CI=true it is a failure. What mocha prints is kept
 * in build/test-logs/.
 */
const counts = require('./counts');
const { runLogged } = require('./logged');
const { RUNTIMES, fetch, programOf } = require('./runtimes');

const LIMIT = 6; // minutes for one release
const LINES_OF_FAILURES = 120;

/** The releases of Node other than the running one. */
const MAJORS = Object.keys(RUNTIMES).filter((name) => /^\d/.test(name) && name !== process.versions.node.split('.')[0]);

async function test(major) {
  const name = RUNTIMES[major].title;
  const problem = fetch(major);
  if (problem !== undefined) {
    const isFailure = process.env.CI === 'true';
    console.log(`${name}: cannot be fetched: ${isFailure ? 'FAILED' : 'skipped'} (${problem})`);
    return { ...counts.none, [isFailure ? 'failed' : 'skipped']: 1 };
  }
  const mocha = require.resolve('mocha/bin/mocha.js');
  const result = await runLogged([programOf(major), mocha], { log: `node-${major}`, limit: LIMIT });
  const found = counts.ofMocha(result.lines);
  if (found === undefined) {
    console.log([...result.lines.slice(-20), `${name}: ${result.end}, without a result: FAILED`].join('\n'));
    return { ...counts.none, failed: 1 };
  }
  const { passed, failed, skipped } = found;
  console.log(`${name}: ${passed} passing, ${failed} failing, ${skipped} pending, ${result.seconds} s`);
  if (result.code === 0) return found;
  const start = counts.endOfMocha(result.lines);
  console.log(result.lines.slice(start, start + LINES_OF_FAILURES).join('\n'));
  if (failed > 0) return found;
  console.log(`${name}: ${result.end}: FAILED`);
  return { ...found, failed: 1 };
}

function selected(args) {
  const [option, list, ...rest] = args;
  if (option === undefined) return MAJORS;
  const majors = option === '--node' && rest.length === 0 ? `${list}`.split(',') : [];
  if (majors.length > 0 && majors.every((major) => MAJORS.includes(major))) return majors;
  console.error(`usage: test-platforms.js [--node ${MAJORS.join(',')}]`);
  return process.exit(2);
}

async function main(args) {
  let all = counts.none;
  for (const major of selected(args)) all = counts.sum(all, await test(major));
  console.log(counts.format(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2));

'use strict';
/**
 * Runs the mocha suite on other releases of Node, and most of it on Bun, all with
 * the one addon in build/Release: Node-API promises that it works there.
 *
 *   node scripts/test-platforms.js                  the releases of Node
 *   node scripts/test-platforms.js --node 22,bun    these
 *
 * They come as npm packages and stay in .cache/. One that cannot be
 * fetched is skipped; with CI=true it is a failure. What mocha prints is kept
 * in build/test-logs/.
 */
const fs = require('node:fs');
const path = require('node:path');
const counts = require('./counts');
const { root, runLogged } = require('./logged');
const { RUNTIMES, fetch, programOf } = require('./runtimes');

const LIMIT = 8; // minutes for one release
const LINES_OF_FAILURES = 120;

/** The releases of Node other than the running one. */
const MAJORS = Object.keys(RUNTIMES).filter((name) => /^\d/.test(name) && name !== process.versions.node.split('.')[0]);
const ALL = [...MAJORS, 'bun'];

/** Tests that hold what Bun does not do as Node, by the reason. */
const NOT_ON_BUN = [
  // Domains; when exactly an unhandled rejection is told; the message and exit code of an error that nobody catches.
  'asCallback', 'async-context', 'config', 'done', 'interop', 'rejection-hooks', 'timers-exit', 'unhandled', 'warnings',
  // Stacks are those of JavaScriptCore; a sloppy function has a global this with another name.
  'bind', 'long-traces',
  // Flags of Node.
  'coroutine-random', 'flags', 'host', 'memory',
  // Bun leaves out the 'use strict' of functions, as they are in bundles.
  'bundled',
  // Modules can always be loaded twice.
  'library',
  // What is tested does not run there.
  'bench', 'bench-page',
];

function filesOnBun() {
  const files = fs.readdirSync(path.join(root, 'test')).filter((file) => file.endsWith('.test.js'));
  return files.filter((file) => !NOT_ON_BUN.includes(path.basename(file, '.test.js'))).map((file) => path.join('test', file));
}

/** Whether Bluebird itself runs there is not ours to say. */
const WITHOUT_BLUEBIRD = ['--fgrep', 'as in Bluebird: bluebird', '--invert'];
const ON_BUN = ['--no-config', '--timeout', '60000', '--require', 'test/helpers/hooks.js', ...WITHOUT_BLUEBIRD];

const argumentsFor = (major) => (major === 'bun' ? [...ON_BUN, ...filesOnBun()] : []);

async function test(major) {
  const name = RUNTIMES[major].title;
  const problem = fetch(major);
  if (problem !== undefined) {
    const isFailure = process.env.CI === 'true';
    console.log(`${name}: cannot be fetched: ${isFailure ? 'FAILED' : 'skipped'} (${problem})`);
    return { ...counts.none, [isFailure ? 'failed' : 'skipped']: 1 };
  }
  const mocha = require.resolve('mocha/bin/mocha.js');
  const result = await runLogged([programOf(major), mocha, ...argumentsFor(major)], { log: `node-${major}`, limit: LIMIT });
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
  if (majors.length > 0 && majors.every((major) => ALL.includes(major))) return majors;
  console.error(`usage: test-platforms.js [--node ${ALL.join(',')}]`);
  return process.exit(2);
}

async function main(args) {
  let all = counts.none;
  for (const major of selected(args)) all = counts.sum(all, await test(major));
  console.log(counts.format(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2));

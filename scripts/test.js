'use strict';
/**
 * Runs all tests.
 *
 *   npm test                    lint, c, js, asan, platforms
 *   npm test -- all             wasm, ecosystem and package too, which take the time beyond half an hour
 *   npm test -- js lint         only these
 *
 *   lint       eslint, types (tsd), package (publint), clang-format, clang-tidy, cppcheck
 *   c          the core alone: unit tests, model, out of memory; gcc and clang,
 *              warnings as errors, sanitizers
 *   js         the mocha suite with the A+ suites, on this Node
 *   wasm       the mocha suite on the WebAssembly host
 *   asan       the mocha suite over a sanitized addon
 *   platforms  the mocha suite on other releases of Node
 *   ecosystem  in a browser, in a worker at the edge, bundled with webpack and Rollup, inside Jest, on Deno and Bun
 *   package    the prebuilt binaries, and the package as a user gets it
 *
 * What the steps print is kept in build/test-logs/. The last line is the sum,
 * `N passed, N failed[, N skipped]`. A tool that is not there is one skipped
 * test, a part that ends without numbers one failed test.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const counts = require('./counts');
const { root, runLogged } = require('./logged');

const LIMIT = 20; // minutes for one part
const SIGN_OF_LIFE = 60_000; // ms
const TAIL = 40; // lines shown of a failed part
const TAIL_OF_MOCHA = 150;
const TAIL_OF_BRIEF = 400; // of a part that itself prints no more than the failures

const node = (...args) => [process.execPath, ...args];
const make = (target) => ['make', '-C', 'test/c', '--no-print-directory', `-j${os.availableParallelism()}`, target];

const ECOSYSTEM = ['--no-config', '--timeout', '180000', '--require', 'test/helpers/hooks.js', 'test/ecosystem/*.test.js'];

/** A linter is one test: its exit code. */
const ofLinter = (lines, code) => ({ ...counts.none, passed: code === 0 ? 1 : 0 });

const STEPS = {
  lint: [
    { name: 'eslint', command: node('node_modules/eslint/bin/eslint.js', '.'), count: ofLinter },
    { name: 'types', command: node('node_modules/tsd/dist/cli.js', '-f', 'test/types/*.test-d.*'), count: ofLinter },
    { name: 'publint', command: node('node_modules/publint/src/cli.js', '--strict'), count: ofLinter },
    { name: 'clang-format', command: make('format'), count: ofLinter },
    { name: 'clang-tidy', command: make('tidy'), count: ofLinter },
    { name: 'cppcheck', command: make('cppcheck'), count: ofLinter },
  ],
  c: [
    { name: 'gcc', command: make('matrix-gcc'), count: counts.ofMatrix },
    { name: 'clang', command: make('matrix-clang'), count: counts.ofMatrix },
  ],
  js: [
    { name: `mocha on Node ${process.versions.node}`, command: node('node_modules/mocha/bin/mocha.js'), count: counts.ofMocha, addon: true },
  ],
  wasm: [
    { name: 'mocha on WebAssembly', command: node('node_modules/mocha/bin/mocha.js'), env: { CPROMISE_HOST: 'wasm' }, count: counts.ofMocha },
  ],
  asan: [{ name: 'mocha, addon with ASan and UBSan', command: node('scripts/test-asan.js'), count: ofAsan }],
  platforms: [
    { name: 'mocha on other Nodes', command: node('scripts/test-platforms.js'), count: counts.ofLast, addon: true, isBrief: true },
  ],
  ecosystem: [
    { name: 'mocha with a browser, workerd, webpack, Rollup, Jest and Deno', command: node('node_modules/mocha/bin/mocha.js', ...ECOSYSTEM), count: counts.ofMocha, addon: true },
    { name: 'Bun', command: node('scripts/test-platforms.js', '--node', 'bun'), count: counts.ofLast, addon: true, isBrief: true },
  ],
  package: [
    { name: 'prebuilds', command: node('scripts/test-prebuilds.js'), count: counts.ofLast, isBrief: true },
    { name: 'tarball', command: node('scripts/test-tarball.js'), count: counts.ofLast, isBrief: true },
  ],
};
const BUILD = { name: 'addon', command: node('scripts/build.js', '--incremental'), count: () => counts.none };

/** What the sanitizers found counts as failed tests. */
function ofAsan(lines) {
  const found = counts.ofMocha(lines);
  const findings = lines.map((line) => /^test-asan: .*\b(\d+) findings/.exec(line)).findLast((m) => m !== null);
  if (found !== undefined && findings) found.failed += Number(findings[1]);
  return found;
}

/** Lines that say a tool is missing. */
const isSkip = (line) => /^(matrix|lint|test-asan): .*(skipped|NOT RUN)$/.test(line);

/** Lines worth seeing while a part runs: what it is at, and tests that fail. */
const isNews = (line) => /^(matrix|lint|test-asan|Node \d+)[:. ]|^FAILED |^ {4,}\d+\) /.test(line);

/** What a part that ran comes to. */
function judge(part, { code, lines }) {
  const skipped = lines.filter(isSkip).length;
  if (skipped > 0 && isSkip(lines.at(-1))) return { ...counts.none, skipped };
  const found = part.count(lines, code);
  const sum = counts.sum(found || counts.none, { ...counts.none, skipped });
  if (sum.failed === 0 && (code !== 0 || found === undefined)) sum.failed = 1;
  return sum;
}

/** The lines to show of a part that failed. */
function tail(part, lines) {
  if (part.isBrief) return lines.slice(-TAIL_OF_BRIEF);
  const end = counts.endOfMocha(lines);
  return end < 0 ? lines.slice(-TAIL) : lines.slice(end, end + TAIL_OF_MOCHA);
}

async function runPart(step, part) {
  console.log(`${step}: ${part.name}`);
  const begin = Date.now();
  let told = begin;
  const tell = (text) => {
    told = Date.now();
    console.log(`    ${text}`);
  };
  const life = setInterval(() => {
    if (Date.now() - told >= SIGN_OF_LIFE) tell(`(${Math.round((Date.now() - begin) / 1000)} s)`);
  }, SIGN_OF_LIFE / 4);
  let news = true;
  const result = await runLogged(part.command, {
    log: `${step}-${part.name.split(/[ ,]/, 1)[0]}`,
    limit: LIMIT,
    env: part.env,
    onLine(line) {
      if (/^ {2}\d+ passing \(/.test(line)) news = false; // from here on it tells the failures again
      if (news && isNews(line)) tell(line.trim());
    },
  });
  clearInterval(life);

  const sum = judge(part, result);
  if (sum.failed > 0) {
    console.log(`--- ${result.file}, ${result.end}`);
    console.log(tail(part, result.lines).join('\n'));
    console.log('---');
  }
  console.log(`${step}: ${part.name}: ${counts.format(sum)} (${result.seconds} s)`);
  return sum;
}

/** Whether the addon is missing, or older than what it is made from. */
function isStale() {
  const sources = fs.readdirSync(path.join(root, 'src')).map((name) => path.join('src', name));
  try {
    const built = fs.statSync(path.join(root, 'build', 'Release', 'cpromise.node')).mtimeMs;
    return ['binding.gyp', ...sources].some((file) => fs.statSync(path.join(root, file)).mtimeMs > built);
  } catch {
    return true;
  }
}

/** Steps whose parts run at the same time: one core is enough for each, and no test in them looks at the clock. */
const SIDE_BY_SIDE = new Set(['c']);

/** Steps that run when they, or all, are asked for. */
const ON_REQUEST = new Set(['wasm', 'ecosystem', 'package']);

function isWanted(step, names) {
  if (names.length === 0) return !ON_REQUEST.has(step);
  return names.includes(step) || names.includes('all');
}

async function main(names) {
  const unknown = names.filter((name) => name !== 'all' && !Object.hasOwn(STEPS, name));
  if (unknown.length > 0) {
    console.error(`test: no such step: ${unknown.join(', ')}; there are ${Object.keys(STEPS).join(', ')}, all`);
    process.exit(2);
  }
  const steps = Object.entries(STEPS).filter(([name]) => isWanted(name, names));
  let all = counts.none;
  let built = true;
  if (steps.some(([, parts]) => parts.some((part) => part.addon)) && isStale()) {
    const sum = await runPart('build', BUILD);
    built = sum.failed === 0;
    all = counts.sum(all, sum);
  }
  const run = async (step, part) => {
    if (part.addon && !built) {
      console.log(`${step}: ${part.name}: not run: the addon does not build`);
      return { ...counts.none, failed: 1 };
    }
    return runPart(step, part);
  };
  for (const [step, parts] of steps) {
    const running = [];
    for (const part of parts) {
      running.push(run(step, part));
      if (!SIDE_BY_SIDE.has(step)) await running.at(-1);
    }
    for (const sum of await Promise.all(running)) all = counts.sum(all, sum);
  }
  console.log(counts.format(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2));

'use strict';
/**
 * Compiles the engine for WebAssembly and writes it to lib/wasm-module.js.
 *
 *   node scripts/build-wasm.js            write
 *   node scripts/build-wasm.js --check    compare with what is there
 *
 * Needs clang and wasm-ld (Debian: clang, lld) and no C library. Other releases
 * of clang give other bytes from the same sources, so the file says which one
 * made it, and from which sources: --check without that release compares the
 * sources alone, and says so.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '..');
const target = path.join(root, 'lib', 'wasm-module.js');

const SOURCES = ['engine.c', 'slots.c', 'queue.c', 'combinator.c', 'line.c', 'timers.c', 'heap.c', 'host_wasm.c'];
const FLAGS = [
  '--target=wasm32', '-std=c11', '-O2', '-DNDEBUG', '-mbulk-memory', '-nostdlib', '-nostdlibinc', '-isystem', 'wasm',
  '-fvisibility=hidden', '-Wall', '-Wextra', '-Werror',
  // A stack that grows out of its bounds traps.
  '-Wl,--no-entry,--strip-all,--stack-first,-z,stack-size=8192,--export=arrays,--export=numbers',
];
const CLANG = process.env.CPROMISE_CLANG || 'clang';

/** The release of the compiler; undefined without one. */
function clangVersion() {
  try {
    return /clang version (\d+\.\d+\.\d+)/.exec(execFileSync(CLANG, ['--version'], { encoding: 'utf8' }))[1];
  } catch {
    return undefined;
  }
}

/** A hash of all that the module is made from. */
function hashOfSources() {
  const hash = createHash('sha256').update(JSON.stringify(FLAGS));
  const headers = ['src', 'src/wasm'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.h')).map((name) => path.posix.join(folder, name)));
  for (const file of [...SOURCES.map((name) => `src/${name}`), ...headers.sort()]) {
    hash.update(`${file}\n${fs.readFileSync(path.join(root, file), 'utf8').replaceAll('\r\n', '\n')}`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @returns {Buffer} the module */
function compile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
  try {
    const output = path.join(folder, 'engine.wasm');
    execFileSync(CLANG, [...FLAGS, ...SOURCES, '-o', output], { cwd: path.join(root, 'src'), stdio: 'inherit' });
    return fs.readFileSync(output);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function textOf(bytes, version, hash) {
  const lines = bytes.toString('base64').match(/.{1,120}/g).map((line) => `  '${line}'`);
  return `'use strict';
/**
 * The engine as a WebAssembly module of ${bytes.length} bytes, in base64. Written by scripts/build-wasm.js.
 *
 * clang ${version}, sources ${hash}
 */
module.exports =
${lines.join(' +\n')};
`;
}

/** What the file says of itself. */
function recorded() {
  const [, version, hash] = /clang (\S+), sources (\S+)/.exec(fs.readFileSync(target, 'utf8')) ?? [];
  return { version, hash };
}

/**
 * Whether the file is what the sources give.
 * @returns {{problem?: string, note?: string}}
 */
function check() {
  const { version, hash } = recorded();
  if (hash !== hashOfSources()) return { problem: 'lib/wasm-module.js is older than its sources: node scripts/build-wasm.js' };
  const present = clangVersion();
  if (present !== version) return { note: `made by clang ${version}; here is ${present ?? 'none'}: only the sources were compared` };
  if (fs.readFileSync(target, 'utf8') === textOf(compile(), version, hash)) return {};
  return { problem: 'lib/wasm-module.js is not what its sources give' };
}

function main([option]) {
  if (option === '--check') {
    const { problem, note } = check();
    if (problem ?? note) console.log(`build-wasm: ${problem ?? note}`);
    process.exitCode = problem === undefined ? 0 : 1;
    return;
  }
  const bytes = compile();
  fs.writeFileSync(target, textOf(bytes, clangVersion(), hashOfSources()));
  console.log(`build-wasm: ${bytes.length} bytes`);
}

if (require.main === module) main(process.argv.slice(2));

module.exports = { check, compile };

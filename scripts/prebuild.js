'use strict';
/**
 * Makes the binaries that come with the package: prebuilds/<target>/cpromise.node.
 *
 *   node scripts/prebuild.js                  all targets whose compiler is there
 *   node scripts/prebuild.js linux-arm64      these
 *   node scripts/prebuild.js --here           that of this machine, by node-gyp, for
 *                                             systems without an entry in the table
 *   node scripts/prebuild.js --check          whether the package has them all; else it fails
 *   node scripts/prebuild.js --tell           says which of them it will be without
 *
 * Debian: gcc, musl-tools, gcc-aarch64-linux-gnu, gcc-mingw-w64-x86-64. What a
 * binary wants from outside is checked: Node-API, libuv, and of the C library
 * what every release has.
 */
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const nodeApi = require('node-api-headers');
const { findUvHeaders } = require('./uv-headers');

const root = path.join(__dirname, '..');
const prebuilds = path.join(root, 'prebuilds');

/** The version of Node-API that the addon wants (NAPI_VERSION in src/host_node.c). */
const NODE_API = Object.values(nodeApi.symbols.v8).flat();
/** Of libuv, which not every runtime has: weak. */
const LIBUV = ['uv_close', 'uv_hrtime', 'uv_now', 'uv_ref', 'uv_timer_init', 'uv_timer_start', 'uv_timer_stop', 'uv_unref'];
const LIBC = ['malloc', 'calloc', 'realloc', 'free', 'memcpy', 'memset', 'memcmp', 'snprintf', 'floor'];
const ALLOWED = new Set([...NODE_API, ...LIBUV, ...LIBC]);
/** No symbol of glibc is newer than this release. */
const GLIBC = [2, 17];
const ENTRY = 'napi_register_module_v1';

// Without the start files of a compiler: there is nothing to start.
const ELF = ['-shared', '-fPIC', '-s', '-nostartfiles', '-U_FORTIFY_SOURCE', '-fno-stack-protector', '-Wl,-z,lazy', '-Wl,--as-needed'];

const TARGETS = {
  'linux-x64': { cc: 'x86_64-linux-gnu-gcc', flags: ELF, check: checkElf },
  'linux-x64-musl': { cc: 'musl-gcc', flags: ELF, check: checkElf },
  'linux-arm64': { cc: 'aarch64-linux-gnu-gcc', flags: ELF, check: checkElf },
  'win32-x64': {
    cc: 'x86_64-w64-mingw32-gcc',
    flags: ['-shared', '-s', '-static-libgcc', '-Wl,--no-insert-timestamp', '-Wl,--exclude-all-symbols', 'src/host_windows.c'],
    libraries: importLibraries,
    check: checkPe,
  },
};
/** Made elsewhere (.github/workflows/release.yml). */
const OTHERS = ['linux-arm64-musl', 'darwin-x64', 'darwin-arm64', 'win32-arm64'];

const FLAGS = ['-std=c11', '-O2', '-DNDEBUG', '-fvisibility=hidden', '-Wall', '-Wextra'];

const fileOf = (target) => path.join(prebuilds, target, 'cpromise.node');

/** The sources, as binding.gyp names them. */
function sources() {
  return [...fs.readFileSync(path.join(root, 'binding.gyp'), 'utf8').matchAll(/'(src\/\w+\.c)'/g)].map(([, file]) => file);
}

function isThere(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * What Node gives to addons: on Windows a library has to name it. There are no other
 * names in it, so the linker sees to it that nothing else is wanted of Node.
 * @returns {string[]} what the linker is given
 */
function importLibraries(folder) {
  const definitions = path.join(folder, 'node.def');
  const library = path.join(folder, 'libnode.a');
  fs.writeFileSync(definitions, ['NAME node.exe', 'EXPORTS', ...NODE_API, ...LIBUV, ''].join('\n'));
  execFileSync('x86_64-w64-mingw32-dlltool', ['-d', definitions, '--output-delaylib', library]);
  return [library, '-ldelayimp'];
}

/** @throws {Error} the file wants more than it may */
function checkImports(file, names) {
  const unknown = names.filter((name) => !ALLOWED.has(name));
  if (unknown.length > 0) throw new Error(`${file} wants ${unknown.join(', ')}`);
}

function checkEntry(file, names) {
  if (!names.includes(ENTRY)) throw new Error(`${file} has no ${ENTRY}`);
  const more = names.filter((name) => !/^(napi|node_api)_/.test(name));
  if (more.length > 0) throw new Error(`${file} shows ${more.join(', ')}`);
}

/** Symbols that an ELF file wants and has, as {name, version, isDefined, isWeak}. */
function elfSymbols(file) {
  const lines = execFileSync('readelf', ['-W', '--dyn-syms', file], { encoding: 'utf8' }).split('\n');
  const global = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , , bind]) => bind === 'GLOBAL' || bind === 'WEAK');
  return global.map(([, , , , bind, , section, text]) => {
    const [name, version = ''] = text.split(/@+/);
    return { name, version, isDefined: section !== 'UND', isWeak: bind === 'WEAK' };
  });
}

function checkElf(file) {
  const symbols = elfSymbols(file);
  checkEntry(file, symbols.filter((symbol) => symbol.isDefined).map((symbol) => symbol.name));
  const wanted = symbols.filter((symbol) => !symbol.isDefined);
  checkImports(file, wanted.map((symbol) => symbol.name));
  for (const { name, version, isWeak } of wanted) {
    if (LIBUV.includes(name) && !isWeak) throw new Error(`${file} does not load without ${name}`);
    const [, major, minor] = /^GLIBC_(\d+)\.(\d+)/.exec(version) ?? [];
    if (major > GLIBC[0] || (Number(major) === GLIBC[0] && minor > GLIBC[1])) throw new Error(`${file} wants ${name} of ${version}`);
  }
}

/** Windows: what it wants beside Node is part of the system. */
function checkPe(file) {
  const text = execFileSync('x86_64-w64-mingw32-objdump', ['-p', file], { encoding: 'utf8' });
  const wanted = [...text.matchAll(/DLL Name: (\S+)/g)].map(([, name]) => name.toLowerCase());
  const more = wanted.filter((name) => name !== 'kernel32.dll' && name !== 'msvcrt.dll');
  if (more.length > 0) throw new Error(`${file} wants ${more.join(', ')}`);
  const [, table] = /\[Ordinal\/Name Pointer\] Table\n([^]*?)\n\n/.exec(text) ?? [];
  checkEntry(file, [...`${table}`.matchAll(/\] (\w+)$/gm)].map(([, name]) => name));
}

function build(target) {
  const { cc, flags, libraries, check } = TARGETS[target];
  const file = fileOf(target);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    const uv = findUvHeaders();
    if (uv === undefined) throw new Error('uv.h is nowhere: it is to be beside this Node');
    const includes = [nodeApi.include_dir, uv].flatMap((directory) => ['-isystem', directory]);
    const last = libraries === undefined ? [] : libraries(folder);
    execFileSync(cc, [...FLAGS, ...flags, ...includes, ...sources(), ...last, '-o', file], { cwd: root, stdio: 'inherit' });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  check(file);
  console.log(`prebuild: ${target}: ${fs.statSync(file).size} bytes`);
}

/** The addon that node-gyp makes. */
function buildHere() {
  const musl = process.platform === 'linux' && fs.existsSync('/etc/alpine-release') ? '-musl' : '';
  const target = `${process.platform}-${process.arch}${musl}`;
  execFileSync(process.execPath, [path.join(__dirname, 'build.js')], { stdio: 'inherit' });
  fs.mkdirSync(path.dirname(fileOf(target)), { recursive: true });
  fs.copyFileSync(path.join(root, 'build', 'Release', 'cpromise.node'), fileOf(target));
  console.log(`prebuild: ${target}: ${fs.statSync(fileOf(target)).size} bytes`);
}

const ALL = [...Object.keys(TARGETS), ...OTHERS];

/** The targets whose binaries are not there. */
const missing = () => ALL.filter((target) => !fs.existsSync(fileOf(target)));

/** Whether all are there, for a release. */
function checkAll() {
  if (missing().length > 0) {
    console.error(`prebuild: missing: ${missing().join(', ')}`);
    process.exitCode = 1;
  }
}

/** Warns whoever makes a package that will run on WebAssembly in places. */
function tell() {
  const without = missing();
  if (without.length === 0) return;
  const where = without.length === ALL.length ? 'no binary: it runs on WebAssembly alone' : `no binary for ${without.join(', ')}: there it runs on WebAssembly`;
  console.error(`cpromise: WARNING: this package will have ${where}.`);
  console.error('cpromise: npm run build:prebuilds makes those that this machine has compilers for.');
}

function main(args) {
  if (args[0] === '--here') return buildHere();
  if (args[0] === '--check') return checkAll();
  if (args[0] === '--tell') return tell();
  const unknown = args.filter((target) => !Object.hasOwn(TARGETS, target));
  if (unknown.length > 0) {
    console.error(`prebuild: no such target: ${unknown.join(', ')}; there are ${Object.keys(TARGETS).join(', ')}`);
    process.exitCode = 2;
    return undefined;
  }
  for (const target of args.length > 0 ? args : Object.keys(TARGETS)) {
    if (args.length > 0 || isThere(TARGETS[target].cc)) build(target);
    else console.log(`prebuild: ${target}: ${TARGETS[target].cc} is not installed: skipped`);
  }
  return undefined;
}

if (require.main === module) main(process.argv.slice(2));

module.exports = { TARGETS, LIBUV, build, fileOf, isThere };

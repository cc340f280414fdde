'use strict';
/**
 * The package as a user gets it: packed, installed in an empty folder without
 * scripts, and used where there is no compiler.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const counts = require('./counts');
const { fetched } = require('./fetched');
const { fileOf } = require('./prebuild');

const root = path.join(__dirname, '..');
const LIMIT = 400 * 1024; // bytes of the tarball

/** The files in it: the code, the binaries and what they are made from, the documents. */
const BELONGS = [
  /^lib\/[\w-]+\.(js|mjs|d\.ts|d\.mts)$/,
  /^prebuilds\/[\w-]+\/cpromise\.node$/,
  /^src\/(wasm\/)?\w+\.[ch]$/,
  /^docs\/[\w-]+\.(md|svg|png)$/,
  /^(package\.json|binding\.gyp|scripts\/build\.js|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$/,
];
const NEEDED = ['lib/index.js', 'lib/index.mjs', 'lib/index.d.ts', 'lib/index.d.mts', 'lib/wasm-module.js', 'README.md', 'LICENSE', 'package.json'];

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
const home = path.join(scratch, 'home');
const empty = path.join(scratch, 'bin');

/** @throws {Error} it ends otherwise than well; what it printed */
function run(program, args, { cwd = home, env = process.env } = {}) {
  const result = spawnSync(program, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' && program === 'npm' });
  if (result.status === 0) return result.stdout.trim();
  throw new Error(`${program} ${args.join(' ')}: ${result.status ?? result.error}\n${result.stdout}${result.stderr}`);
}

function check(ok, message) {
  if (!ok) throw new Error(message);
}

/** Runs a program of the user: no compiler, nor anything else, is to be found. */
function use(code, { flags = [], env = {} } = {}) {
  const { CPROMISE_HOST, CPROMISE_ADDON, ...rest } = process.env;
  return run(process.execPath, [...flags, ...code], { env: { ...rest, PATH: empty, ...env } });
}

const SAY = 'P.map([1, P.resolve(2)], (x) => 2 * x).then((v) => console.log(P.host, v.join()))';
const REQUIRE = ['-e', `const P = require("cpromise"); ${SAY}`];
const IMPORT = ['--input-type=module', '-e', `import P, { map } from "cpromise"; if (map !== P.map) throw 1; ${SAY}`];

let tarball;

const tests = {
  'it is packed'() {
    const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], { cwd: root }));
    tarball = path.join(scratch, filename);
    const { size } = fs.statSync(tarball);
    check(size <= LIMIT, `the tarball has ${size} bytes`);
    console.log(`    ${filename}: ${size} bytes`);
  },

  'it holds what belongs there, and no more'() {
    const [{ files }] = JSON.parse(run('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], { cwd: root }));
    const names = files.map(({ path: name }) => name);
    const more = names.filter((name) => !BELONGS.some((pattern) => pattern.test(name)));
    check(more.length === 0, `it has ${more.join(', ')}`);
    const missing = NEEDED.filter((name) => !names.includes(name));
    check(missing.length === 0, `it lacks ${missing.join(', ')}`);
  },

  async 'its types are found and are right, however they are looked for'() {
    const file = path.join(fetched('attw').folder, 'node_modules', '@arethetypeswrong', 'core', 'dist', 'index.js');
    const { checkPackage, createPackageFromTarballData } = await import(pathToFileURL(file));
    const { types, problems } = await checkPackage(createPackageFromTarballData(fs.readFileSync(tarball)));
    check(types && problems.length === 0, `types ${JSON.stringify(types)}, problems ${JSON.stringify(problems, null, 2)}`);
  },

  'it is installed in an empty folder, and brings nothing else'() {
    fs.mkdirSync(home);
    fs.mkdirSync(empty);
    fs.writeFileSync(path.join(home, 'package.json'), '{"private": true}');
    run('npm', ['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', tarball]);
    const installed = fs.readdirSync(path.join(home, 'node_modules')).filter((name) => !name.startsWith('.'));
    check(installed.join() === 'cpromise', `it brings ${installed}`);
  },

  'it has no install script'() {
    const { scripts, gypfile } = JSON.parse(fs.readFileSync(path.join(home, 'node_modules', 'cpromise', 'package.json'), 'utf8'));
    const hooks = ['preinstall', 'install', 'postinstall'].filter((name) => scripts[name] !== undefined);
    check(hooks.length === 0 && gypfile === false, `it has ${hooks}, gypfile ${gypfile}`);
  },

  'require: natively'() {
    check(use(REQUIRE) === 'native 2,4', use(REQUIRE));
  },

  'import: natively'() {
    check(use(IMPORT) === 'native 2,4', use(IMPORT));
  },

  'without addons: on WebAssembly'() {
    for (const options of [{ flags: ['--no-addons'] }, { env: { CPROMISE_HOST: 'wasm' } }]) {
      check(use(REQUIRE, options) === 'wasm 2,4', use(REQUIRE, options));
    }
  },
};

/** Without the binary for this machine the package cannot be what it is to be. */
const target = `${process.platform}-${process.arch}`;
const isBuilt = fs.existsSync(fileOf(target));

async function main() {
  let all = counts.none;
  try {
    if (!isBuilt) console.log(`test-tarball: prebuilds/${target} is missing: skipped`);
    for (const [name, test] of isBuilt ? Object.entries(tests) : []) {
      let problem;
      try {
        await test();
      } catch (e) {
        problem = e;
      }
      console.log(`${problem === undefined ? 'ok' : 'FAILED'}  ${name}${problem === undefined ? '' : `\n${problem.stack}`}`);
      all = counts.sum(all, { ...counts.none, [problem === undefined ? 'passed' : 'failed']: 1 });
    }
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
  if (!isBuilt) all = { ...all, skipped: 1 };
  console.log(counts.format(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
}

main();

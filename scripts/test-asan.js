'use strict';
/**
 * Runs the mocha suite over an addon built with AddressSanitizer and
 * UndefinedBehaviorSanitizer.
 *
 *   node scripts/test-asan.js [file...]      all test files when none is named
 *
 * Node itself is not built with the sanitizers, so their runtime is loaded
 * before it. Reports go to files, because tests look at what their child
 * processes print; any report fails the run, also one of a child process.
 *
 * Leaks: Node leaves memory behind when it exits, by design, also of what it
 * keeps for each function and reference of an addon. LeakSanitizer runs all the
 * same, but only memory that the addon itself allocated counts. (The unit tests
 * of the core, in test/c, run without Node and allow no leak.)
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { findUvHeaders } = require('./uv-headers');

const root = path.join(__dirname, '..');
const out = path.join(root, 'build', 'asan');
const addon = path.join(out, 'cpromise.node');
const reports = path.join(out, 'report');
const compiler = process.env.CC || 'cc';

/** Test files that say nothing about the addon here, and why. */
const EXCLUDED = {
  'test/bench.test.js':
    'runs the benchmarks, each in processes of its own: slow here, and no new path through the addon',
  'test/bundled.test.js': 'the programs in it run on the addon without the sanitizers',
  'test/flags.test.js': 'likewise',
};

const FLAGS = [
  '-std=c11', '-O1', '-g', '-fPIC', '-shared', '-fvisibility=hidden', '-fno-omit-frame-pointer',
  '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-DCP_DEBUG', '-DCP_INITIAL_PAGES=2', '-DCP_INITIAL_TIMERS=2',
];

function fail(message) {
  console.error(`test-asan: ${message}`);
  process.exit(1);
}

function output(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.error || result.status !== 0) fail(`${command} ${args.join(' ')}: ${result.error || result.stderr}`);
  return result.stdout.trim();
}

/** Path of the sanitizer's shared runtime, and the flag that links to it. */
function findRuntime() {
  const isClang = output(compiler, ['--version']).includes('clang');
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] || process.arch;
  const name = isClang ? `libclang_rt.asan-${machine}.so` : 'libasan.so';
  const file = output(compiler, [`-print-file-name=${name}`]);
  // A compiler that does not know the file prints the bare name.
  if (!path.isAbsolute(file)) fail(`${compiler} has no runtime for AddressSanitizer (${name}): NOT RUN`);
  return { file: fs.realpathSync(file), flags: isClang ? ['-shared-libasan'] : [] };
}

function build(runtime) {
  const gyp = fs.readFileSync(path.join(root, 'binding.gyp'), 'utf8');
  const sources = gyp.match(/(?<=')src\/[^']+\.c(?=')/g);
  const uv = findUvHeaders();
  if (uv === undefined) fail('uv.h is nowhere: NOT RUN');
  const includes = [require('node-api-headers').include_dir, uv].flatMap((folder) => ['-isystem', folder]);
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const result = spawnSync(compiler, [...FLAGS, ...runtime.flags, ...includes, ...sources, '-o', addon], {
    cwd: root,
    stdio: 'inherit',
  });
  if (result.status !== 0) fail('the addon does not compile');
}

function environment(runtime) {
  return {
    ...process.env,
    LD_PRELOAD: runtime.file,
    CPROMISE_ADDON: addon,
    ASAN_OPTIONS: [
      'detect_leaks=1',
      `log_path=${reports}`,
      // %m, the module of a frame, is what tells our leaks from Node's.
      'stack_trace_format="    #%n %p in %f %S (%m)"',
      // Freed memory is kept back for a while; tests that watch the RSS must not see much of it.
      'quarantine_size_mb=8',
      'thread_local_quarantine_size_kb=64',
    ].join(':'),
    LSAN_OPTIONS: 'exitcode=0', // for all reports: the files decide, not the exit code
    UBSAN_OPTIONS: 'print_stacktrace=1',
  };
}

/** That the sanitized addon is what gets loaded, and that it works. */
function probe(env) {
  const code = `
    const P = require(${JSON.stringify(root)});
    if (!Object.keys(require.cache).includes(${JSON.stringify(addon)})) throw new Error('another addon was loaded');
    P.resolve(1).then((x) => console.log('works', x));`;
  const result = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
  if (result.stdout !== 'works 1\n') {
    fail(`the addon does not work: ${[result.stdout, result.stderr, ...findings()].join('\n')}`);
  }
}

function mocha(env, files) {
  const config = JSON.parse(fs.readFileSync(path.join(root, '.mocharc.json'), 'utf8'));
  const named = ['--no-config', ...[config.require || []].flat().flatMap((file) => ['--require', file]), ...files];
  const all = Object.keys(EXCLUDED).flatMap((file) => ['--ignore', file]);
  const args = [require.resolve('mocha/bin/mocha.js'), '--timeout', '600000', ...(files.length > 0 ? named : all)];
  const result = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return result.status === 0;
}

/** Whether the leak that this part of a report tells of was allocated by the addon itself. */
function isOwnLeak(part) {
  if (!/^(Direct|Indirect) leak/m.test(part)) return false;
  const frames = part.split('\n').filter((line) => /^ *#\d/.test(line));
  const caller = frames.find((line) => !/\/lib(asan|clang_rt\.asan)[^/]*\)$/.test(line));
  return caller !== undefined && caller.includes(`(${addon})`);
}

/** What the sanitizers have found, as text. */
function findings() {
  const found = [];
  for (const name of fs.readdirSync(out)) {
    if (!name.startsWith('report.')) continue;
    const report = fs.readFileSync(path.join(out, name), 'utf8');
    if (/ERROR: AddressSanitizer|runtime error:|DEADLYSIGNAL/.test(report)) {
      found.push(report);
    } else {
      found.push(...report.split(/\n\n+/).filter(isOwnLeak));
    }
  }
  return found;
}

function main(files) {
  if (process.platform !== 'linux') fail('needs Linux: NOT RUN');
  const runtime = findRuntime();
  build(runtime);
  const env = environment(runtime);
  probe(env);
  if (files.length === 0) {
    for (const [file, reason] of Object.entries(EXCLUDED)) console.log(`test-asan: without ${file}: ${reason}`);
  }
  const passed = mocha(env, files);
  const found = findings();
  for (const text of found) console.error(text);
  console.log(`test-asan: suite ${passed ? 'passed' : 'FAILED'}, ${found.length} findings of the sanitizers`);
  process.exit(passed && found.length === 0 ? 0 : 1);
}

main(process.argv.slice(2));

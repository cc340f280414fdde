'use strict';

const assert = require('node:assert/strict');
const childProcess = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { P, isNative, root } = require('./helpers/subject');
const { run } = require('./helpers/child');
const { check, compile } = require('../scripts/build-wasm');

const major = Number.parseInt(process.versions.node, 10);
const PERMISSION = major < 23 ? '--experimental-permission' : '--permission';

/** Says on which host it runs, and that it does. */
const CODE = 'P.all([1, P.resolve(2).then((x) => x + 1)]).then((v) => console.log(P.host, v.join()));';

async function told(options) {
  const r = await run(CODE, options);
  assert.deepEqual([r.status, r.stdout.replace(/\n$/, '')], [0, r.stdout.trim()], r.stderr);
  return r.stdout.trim();
}

(isNative ? describe.skip : describe)('the host', () => {
  it('is one of two', () => {
    assert.ok(P.host === 'native' || P.host === 'wasm', P.host);
    if (process.env.CPROMISE_HOST) assert.equal(P.host, process.env.CPROMISE_HOST);
  });

  it('is the addon, unless told otherwise', async () => {
    assert.equal(await told({ env: { CPROMISE_HOST: '' } }), 'native 1,3');
    assert.equal(await told({ env: { CPROMISE_HOST: 'native' } }), 'native 1,3');
    assert.equal(await told({ env: { CPROMISE_HOST: 'wasm' } }), 'wasm 1,3');
  });

  it('is WebAssembly where addons are forbidden', async () => {
    const env = { CPROMISE_HOST: '', CPROMISE_ADDON: '' };
    assert.equal(await told({ env, flags: ['--no-addons'] }), 'wasm 1,3');
    assert.equal(await told({ env, flags: [PERMISSION, '--allow-fs-read=*'] }), 'wasm 1,3');
  });

  it('an unknown one is an error', async () => {
    const r = await run(CODE, { env: { CPROMISE_HOST: 'quantum' } });
    assert.equal(r.status, 1);
    assert.match(r.stderr, /CPROMISE_HOST is to be native or wasm but is quantum/);
  });

  it('the error for a missing addon says for what, and what was tried', async () => {
    const r = await run(CODE, { env: { CPROMISE_HOST: 'native', CPROMISE_ADDON: '' }, flags: ['--no-addons'] });
    assert.equal(r.status, 1);
    const place = `${process.platform}-${process.arch}`;
    assert.match(r.stderr, new RegExp(`no addon for ${place}\\S*, Node ${process.versions.node}, Node-API \\d+`));
    assert.match(r.stderr, /tried: build\/Release: .*addons is disabled/);
  });

  it('an addon that was named and cannot be loaded is an error', async () => {
    for (const [name, flags, why] of [['/nowhere/addon.node', [], "Cannot find module '/nowhere/addon.node'"], ['./x.node', ['--no-addons'], '.+']]) {
      const r = await run(CODE, { env: { CPROMISE_HOST: '', CPROMISE_ADDON: name }, flags });
      assert.equal(r.status, 1);
      assert.match(r.stderr, new RegExp(`Error: cpromise: CPROMISE_ADDON is ${name}, which cannot be loaded: ${why}\\n`));
    }
    assert.equal(await told({ env: { CPROMISE_HOST: 'wasm', CPROMISE_ADDON: '/nowhere/addon.node' } }), 'wasm 1,3');
  });

  const linux = process.platform === 'linux' ? it : it.skip;

  linux('it says for which C library, that of the program', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
    const program = path.join(folder, 'program');
    fs.writeFileSync(program, `\x7fELF${'\0'.repeat(700)}/lib/ld-musl-x86_64.so.1\0`);
    const env = { CPROMISE_HOST: 'native', CPROMISE_ADDON: '' };
    for (const [file, libc] of [[program, 'musl'], [`${program}2`, 'glibc']]) {
      const r = await run(CODE, { env, flags: ['--no-addons'], before: `process.execPath = ${JSON.stringify(file)};` });
      assert.match(r.stderr, new RegExp(`no addon for linux-${process.arch}-${libc},`));
    }
    fs.rmSync(folder, { recursive: true });
  });

  it('where there is neither, the error tells of both', async () => {
    const r = await run(CODE, { env: { CPROMISE_HOST: '', CPROMISE_ADDON: '' }, flags: ['--no-addons'], before: 'delete globalThis.WebAssembly;' });
    assert.equal(r.status, 1);
    assert.match(r.stderr, /no addon for .*; nor can WebAssembly be used: WebAssembly is not defined/);
  });

  it('needs no code generation', async () => {
    assert.equal(await told({ env: { CPROMISE_HOST: 'wasm' }, flags: ['--disallow-code-generation-from-strings'] }), 'wasm 1,3');
  });

  it('the module is what the sources give', function () {
    const { problem, note } = check();
    assert.equal(problem, undefined);
    if (note !== undefined) this.test.title += ` [${note}]`;
  });

  it('the module takes nothing from outside', function () {
    if (childProcess.spawnSync('clang', ['--version']).status !== 0) this.skip();
    const module = new WebAssembly.Module(compile());
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    assert.ok(compile().length < 20000);
  });
});

(isNative ? describe.skip : describe)('the host in WebAssembly', () => {
  const PAIRS = 4096;
  const THEN = 1;
  const SETTLE = 4;
  const { create } = require('../lib/wasm-host');

  it('keeps its arrays when its memory grows', () => {
    const host = create();
    const { commands, window, header } = host;
    const lengths = [commands.length, window.length, header.length];
    const { bytes } = host.stats();
    const root = host.open() * 256;
    let slot = root;
    let count = 0;
    for (let page = 0; page < 1000; page++) {
      commands[0] = (slot << 4) | THEN;
      commands[1] = host.open() * 256;
      header[0] = 1;
      host.flush();
      slot = commands[1];
    }
    assert.ok(host.stats().bytes > bytes + 1000 * 256 * 40);
    assert.deepEqual([commands.length, window.length, header.length], lengths);
    for (slot = root; ; slot = window[0]) {
      commands[0] = (slot << 4) | SETTLE;
      commands[1] = 1;
      header[0] = 1;
      host.turn();
      if (header[1] === 0) break;
      count++;
      assert.deepEqual([header[0], header[1], header[2]], [0, 1, 0]);
    }
    assert.equal(count, 1000);
    assert.equal(host.check(), null);
  });

  it('moves full arrays', () => {
    const host = create();
    const { commands, window, header } = host;
    const parent = host.open() * 256;
    const children = [];
    while (children.length < PAIRS) {
      const first = host.open() * 256;
      for (let i = 0; i < 256; i++) children.push(first + i);
    }
    children.forEach((child, i) => {
      commands[2 * i] = (parent << 4) | THEN;
      commands[2 * i + 1] = child;
    });
    header[0] = PAIRS;
    host.flush();
    assert.equal(header[0], 0);
    commands[0] = (parent << 4) | SETTLE;
    commands[1] = 2;
    header[0] = 1;
    host.turn();
    // A window keeps a word free for the second one of a job.
    assert.deepEqual([header[1], header[2]], [PAIRS - 1, 1]);
    assert.deepEqual(Array.from(window.subarray(0, PAIRS - 1)), children.slice(0, -1));
    host.turn();
    assert.deepEqual([header[1], header[2], window[0]], [1, 0, children.at(-1)]);
  });

  it('says no to what makes no sense, and goes on', () => {
    const host = create();
    host.commands.set([(99999 << 4) | SETTLE, 1, (host.open() * 256 << 4) | SETTLE, 1]);
    for (const call of [host.turn, host.flush]) {
      host.header[0] = 2;
      assert.throws(call, { code: 'CPROMISE_COMMAND', message: 'cpromise: a command made no sense' });
    }
    assert.equal(host.check(), null);
    assert.equal(host.stats().commands, 4);
  });

  it('out of memory: an error that says so, and nothing has changed', () => {
    const { Instance } = WebAssembly;
    const instances = [];
    WebAssembly.Instance = class extends Instance {
      constructor(module) {
        super(module);
        instances.push(this);
        return { exports: { ...this.exports } };
      }
    };
    let host;
    try {
      host = create();
    } finally {
      WebAssembly.Instance = Instance;
    }
    assert.equal(host.open(), 1);
    // All that is left is taken away, as far as this machine gives it.
    const [{ exports: { memory } }] = instances;
    for (let pages = 1 << 15; pages > 0; pages >>= 1) {
      try {
        for (;;) memory.grow(pages);
      } catch {
        // Less, then.
      }
    }
    let pages = 1; // there is room for some more
    let error;
    while (error === undefined) {
      try {
        assert.equal(host.open(), pages + 1);
        pages++;
      } catch (e) {
        error = e;
      }
    }
    assert.equal(host.stats().pages, pages);
    assert.ok(error instanceof RangeError);
    assert.equal(error.code, 'CPROMISE_MEMORY');
    assert.match(error.message, /^cpromise: out of memory: cannot open a page of 256 more promises \(\d+ slots live in \d+ pages, \d+ bytes held\)$/);
    assert.equal(host.check(), null);
  });

  it('is decoded right', () => {
    const text = require('../lib/wasm-module');
    const source = fs.readFileSync(path.join(root, 'lib', 'wasm-module.js'), 'utf8');
    const size = Number(/(\d+) bytes/.exec(source)[1]);
    assert.equal(Buffer.from(text, 'base64').length, size);
    assert.equal(Buffer.from(text, 'base64').toString('base64'), text);
  });
});

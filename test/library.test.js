'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { P, root } = require('./helpers/subject');
const { later, rejection } = require('./helpers/util');
const { run } = require('./helpers/child');
const { collectionTests } = require('./helpers/collections');

collectionTests('the library', (C) => {
  it('Promise is the class itself', () => {
    assert.equal(C.Promise, C);
  });

  it('version is three numbers', () => {
    assert.match(C.version, /^\d+\.\d+\.\d+/);
  });

  it('noConflict gives the class', () => {
    const before = globalThis.Promise;
    assert.equal(C.noConflict(), C);
    assert.equal(globalThis.Promise, before);
  });

  it('a new copy is another class, and the two work together', async () => {
    const D = C.getNewLibraryCopy();
    assert.notEqual(D, C);
    assert.equal(D.Promise, D);
    assert.notEqual(D.prototype, C.prototype);
    assert.equal(D.is(C.resolve(1)), false);
    assert.ok(D.resolve(C.resolve(1)) instanceof D);
    assert.equal(await D.resolve(C.resolve(1)), 1);
    assert.equal(await C.resolve(D.resolve(2)), 2);
    assert.deepEqual(await D.all([later(C, 'fulfilled', 1), later(D, 'fulfilled', 2), 3]), [1, 2, 3]);
    assert.equal(await rejection(C.resolve().then(() => later(D, 'rejected', 4))), 4);
    assert.notEqual(D.getNewLibraryCopy(), D);
  });

  it('what is put on a copy stays there', () => {
    const D = C.getNewLibraryCopy();
    D.prototype.extra = () => {};
    assert.equal(C.prototype.extra, undefined);
  });
}, () => {
  it('version is that of the package', () => {
    assert.equal(P.version, JSON.parse(fs.readFileSync(path.join(root, 'package.json'))).version);
  });

  it('noConflict gives the global name back', () => {
    const before = globalThis.Promise;
    try {
      globalThis.Promise = P;
      assert.equal(P.noConflict(), P);
      assert.equal(globalThis.Promise, before);
    } finally {
      globalThis.Promise = before;
    }
  });

  it('a new copy leaves the modules as they were', () => {
    const before = { ...require.cache };
    P.getNewLibraryCopy();
    assert.deepEqual(Object.keys(require.cache).sort(), Object.keys(before).sort());
    for (const key of Object.keys(before)) assert.equal(require.cache[key], before[key]);
    assert.equal(require(root), P);
  });

  it('no module is loaded after its copy', () => {
    const { length } = Object.keys(require.cache);
    const elsewhere = ['runtime-web.js', ...(P.host === 'wasm' ? [] : ['wasm-host.js', 'wasm-module.js'])];
    const files = fs.readdirSync(path.join(root, 'lib')).filter((file) => file.endsWith('.js') && !elsewhere.includes(file));
    assert.deepEqual(files.filter((file) => !require.cache[path.join(root, 'lib', file)]), []);
    assert.equal(Object.keys(require.cache).length, length);
  });

  it('each copy has a scheduler of its own', async () => {
    const D = P.getNewLibraryCopy();
    let calls = 0;
    D.setScheduler((f) => {
      calls++;
      setImmediate(f);
    });
    await P.resolve(1).then(() => {});
    assert.equal(calls, 0);
    await D.resolve(1).then(() => {});
    assert.ok(calls > 0);
  });

  it('is the same copy where modules cannot be loaded twice', async () => {
    const { stdout, stderr } = await run(`
      const Module = require('module');
      const loaded = new Map();
      const { require: original } = Module.prototype;
      // Jest hands out what it has, whatever is done to require.cache.
      const load = Module._load;
      Module._load = function (request, parent) {
        const file = Module._resolveFilename(request, parent);
        return require.cache[file]?.exports ?? loaded.get(file) ?? load.apply(this, arguments);
      };
      for (const [file, module] of Object.entries(require.cache)) loaded.set(file, module.exports);
      const copy = P.getNewLibraryCopy();
      console.log(copy === P);
      copy.resolve(1).then(console.log);
    `);
    assert.equal(stdout, 'true\n1\n', stderr);
  });

  it('100 copies', async () => {
    const { stdout, stderr } = await run(`
      let p = 0;
      for (let i = 0; i < 100; i++) p = P.getNewLibraryCopy().resolve(p).then((x) => x + 1);
      p.then(console.log);
    `);
    assert.equal(stdout, '100\n', stderr);
  });
});

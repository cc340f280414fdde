'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { P, isNative } = require('./helpers/subject');

/** Statics whose names cannot be those of variables, and what every class has. */
const UNNAMED = new Set(['length', 'name', 'prototype', 'try']);

(isNative ? describe.skip : describe)('import', () => {
  const statics = Object.getOwnPropertyNames(P).filter((name) => !UNNAMED.has(name));

  for (const [title, specifier] of [['the package', 'cpromise'], ['the file that require loads', '../lib/index.js']]) {
    it(`${title}: the class by default, its statics by name`, async () => {
      const module = await import(specifier);
      assert.equal(module.default, P);
      for (const name of statics) assert.equal(module[name], P[name], name);
    });
  }

  it('statics work without their class', async () => {
    const { map, all, resolve, delay } = await import('cpromise');
    assert.deepEqual(await map([1, 2], (x) => x * 2), [2, 4]);
    assert.deepEqual(await all([resolve(1), delay === undefined ? 2 : delay(1, 2)]), [1, 2]);
  });

  it('the types name the same', () => {
    const types = fs.readFileSync(path.join(__dirname, '..', 'lib', 'index.d.mts'), 'utf8');
    const named = [...types.matchAll(/^export const (\w+): typeof CPromise\.(\w+);$/gm)].map(([, name, of]) => {
      assert.equal(name, of);
      return name;
    });
    assert.deepEqual([...named, 'Promise'].sort(), [...statics].sort());
  });
});

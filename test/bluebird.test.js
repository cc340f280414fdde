'use strict';

// The migration page tells of all of Bluebird's API, and tells the truth.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { P, isNative } = require('./helpers/subject');
const { Bluebird } = require('./helpers/util');

const page = fs.readFileSync(path.join(__dirname, '..', 'docs', 'bluebird.md'), 'utf8');

/** The rows of the table under a heading: {names, verdict, tests}. */
function rows(heading) {
  const [, section] = page.split(`## ${heading}\n`);
  return section.split('\n## ')[0].split('\n').filter((line) => line.startsWith('| `')).map((line) => {
    const [, names, verdict, how, tests] = line.replaceAll('\\|', '/').split('|').map((cell) => cell.trim());
    return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name), verdict, how, tests: tests.split(', ') };
  });
}

const isPublic = (name) => !name.startsWith('_') && !['length', 'name', 'prototype', 'arguments', 'caller', 'constructor'].includes(name);

(isNative ? describe.skip : describe)('docs/bluebird.md', () => {
  for (const [heading, theirs, ours] of [['Statics', Bluebird, P], ['Methods', Bluebird.prototype, P.prototype]]) {
    const table = rows(heading);
    const named = table.flatMap(({ names }) => names);

    it(`${heading}: has a row for each`, () => {
      const known = Object.getOwnPropertyNames(theirs).filter(isPublic);
      assert.deepEqual(known.filter((name) => !named.includes(name)), []);
    });

    it(`${heading}: each is there, of the same kind`, () => {
      for (const name of named) {
        if (name === 'new Promise' || name.includes('.')) continue;
        assert.equal(typeof ours[name], typeof theirs[name], name);
      }
    });

    it(`${heading}: each row says how it differs, and where that is tested`, () => {
      for (const { names, verdict, how, tests } of table) {
        assert.match(verdict, /^(same|differs)$/, names[0]);
        if (verdict === 'differs') assert.notEqual(how, '', names[0]);
        const texts = tests.map((test) => fs.readFileSync(path.join(__dirname, `${test}.test.js`), 'utf8')).join('\n');
        for (const name of names) {
          const word = name.split('.').at(-1).replace('new ', '');
          assert.ok(new RegExp(`\\b${word}\\b`).test(texts), `${name} in ${tests}`);
        }
      }
    });
  }
});

'use strict';

// Every ```js block of the README and of docs/ runs, in a process of its own, comes to
// each of its assertions, and prints what its comments say.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { P, root, isNative } = require('./helpers/subject');

const files = ['README.md', ...fs.readdirSync(path.join(root, 'docs')).map((name) => path.join('docs', name))];

function blocksOf(file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
}

const PASSED = 'assertion passed';

/** Has every method of assert tell that it did not throw. */
const COUNTING = `new Proxy(require('node:assert'), {
  get: (assert, name) => (...args) => { assert[name](...args); console.log('${PASSED}'); }
})`;

/** What a block says that it prints: the comments behind console.log, or the lines at its end that are comments. */
function printed(code) {
  const behind = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map((match) => match[1]);
  const atEnd = /(?:^\/\/ .*\n)+$(?![^])/m.exec(code);
  return atEnd === null ? behind : atEnd[0].trim().split('\n').map((line) => line.slice(3));
}

/** The block as it stands, but for where the package is found and assertions that are counted. */
function run(code) {
  const local = code
    .replaceAll("require('cpromise')", `require(${JSON.stringify(root)})`)
    .replaceAll("require('node:assert')", COUNTING);
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', local], { encoding: 'utf8', timeout: 20000 });
}

describe('documentation', () => {
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    blocksOf(file).forEach((code, i) => {
      (isNative ? it.skip : it)(`${file}, example ${i + 1}`, () => {
        const { status, stdout, stderr } = run(code);
        assert.deepEqual([status, stderr], [0, '']);
        const lines = stdout.split('\n').slice(0, -1);
        assert.equal(lines.filter((line) => line === PASSED).length, code.split('assert.').length - 1, 'assertions that ran');
        assert.deepEqual(lines.filter((line) => line !== PASSED), printed(code), 'lines that it printed');
      });
    });
  }

  it('links lead to files, and to headings in them', () => {
    const headings = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'));
    const texts = [...files, 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].filter((name) => name.endsWith('.md'));
    let links = 0;
    for (const file of texts) {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      for (const [, link, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
        const target = link === '' ? path.join(root, file) : path.join(root, path.dirname(file), link);
        assert.ok(fs.existsSync(target), `${file}: ${link}`);
        if (anchor !== undefined) assert.ok(headings(fs.readFileSync(target, 'utf8')).includes(anchor), `${file}: ${link}#${anchor}`);
        links++;
      }
    }
    assert.ok(links > 10);
  });

  (isNative ? it.skip : it)('every method is described somewhere', () => {
    const text = files.filter((name) => name.endsWith('.md')).map((file) => fs.readFileSync(path.join(root, file), 'utf8')).join('\n');
    const names = [P, P.prototype].flatMap((object) => Object.getOwnPropertyNames(object)).filter((name) => /^[a-z]\w{2,}$/i.test(name));
    assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)), []);
  });

  it('there are examples', () => {
    assert.ok(files.filter((name) => name.endsWith('.md')).flatMap(blocksOf).length >= 10);
  });
});

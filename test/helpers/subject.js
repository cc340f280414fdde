'use strict';

// The class under test. With CPROMISE_SUBJECT=native the same suite runs against
// the promises Node brings: what fails there is not what ECMAScript says.

const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const Native = (async () => {})().constructor;

const name = process.env.CPROMISE_SUBJECT || 'cpromise';
if (name !== 'cpromise' && name !== 'native') {
  throw new Error(`unknown CPROMISE_SUBJECT ${name}`);
}
const isNative = name === 'native';
const P = isNative ? Native : require(root);

/** Code that defines P in a child process or worker; `of` chooses another subject. */
function prelude(of = name) {
  return of === 'native'
    ? 'const P = globalThis.Promise;\n'
    : `const P = require(${JSON.stringify(root)});\n`;
}

/** `it` for what native promises do otherwise, and why. */
function unlessNative(reason) {
  if (!isNative) return it;
  return (title) => it.skip(`${title} [native: ${reason}]`);
}

/** `it` that is left out on a Node version whose own promises lack the method. */
function withMethod(method) {
  if (!isNative || typeof P[method] === 'function') return it;
  return (title) => it.skip(`${title} [native: no Promise.${method} in this Node]`);
}

/** `it` for what we do otherwise than ES, and why; ours stands in differences.test.js. */
function unlessOurs(reason) {
  if (isNative) return it;
  return (title) => it.skip(`${title} [differs: ${reason}]`);
}

module.exports = { P, name, isNative, Native, root, prelude, unlessNative, unlessOurs, withMethod };

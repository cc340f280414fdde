'use strict';
/** As much of Node's assert as promises-aplus-tests uses. */

function assert(value, message) {
  if (!value) throw new Error(message ?? `${value} is not true`);
}

assert.strictEqual = (actual, expected) => assert(Object.is(actual, expected), `${String(actual)} is not ${String(expected)}`);
assert.notStrictEqual = (actual, other) => assert(!Object.is(actual, other), `it is ${String(other)}`);

module.exports = assert;

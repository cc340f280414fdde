'use strict';
/**
 * Finds the folder with uv.h, of the Node that runs or of the one that the addon
 * was built for last. As a program, prints it; exit code 1 when there is none.
 */
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');

/** Where node-gyp took its headers from. */
function builtWith() {
  try {
    const gypi = fs.readFileSync(path.join(root, 'build', 'config.gypi'), 'utf8');
    return /"nodedir": "(.*)"/.exec(gypi)?.[1];
  } catch {
    return undefined;
  }
}

/** @returns {string | undefined} */
function findUvHeaders() {
  const prefixes = [path.resolve(process.execPath, '..', '..'), builtWith()];
  return prefixes
    .filter((prefix) => prefix !== undefined)
    .map((prefix) => path.join(prefix, 'include', 'node'))
    .find((folder) => fs.existsSync(path.join(folder, 'uv.h')));
}

if (require.main === module) {
  const folder = findUvHeaders();
  if (folder === undefined) process.exit(1);
  console.log(folder);
}

module.exports = { findUvHeaders };

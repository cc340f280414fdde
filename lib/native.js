'use strict';
/**
 * Finds the addon: what was built here, else what came with the package. The paths
 * are literal, for bundlers. CPROMISE_ADDON names another build and no other.
 */
const fs = require('node:fs');

const { platform, arch, versions, execPath, env } = process;

/** The version of Node-API that the addon wants. */
const NODE_API = 8;

const PREBUILT = {
  'linux-x64-glibc': () => require('../prebuilds/linux-x64/cpromise.node'),
  'linux-x64-musl': () => require('../prebuilds/linux-x64-musl/cpromise.node'),
  'linux-arm64-glibc': () => require('../prebuilds/linux-arm64/cpromise.node'),
  'linux-arm64-musl': () => require('../prebuilds/linux-arm64-musl/cpromise.node'),
  'darwin-x64': () => require('../prebuilds/darwin-x64/cpromise.node'),
  'darwin-arm64': () => require('../prebuilds/darwin-arm64/cpromise.node'),
  'win32-x64': () => require('../prebuilds/win32-x64/cpromise.node'),
  'win32-arm64': () => require('../prebuilds/win32-arm64/cpromise.node'),
};

/** The C library that the running program is linked against: a program names its loader at its beginning. */
function libc() {
  const head = Buffer.alloc(4096);
  try {
    const file = fs.openSync(execPath);
    fs.readSync(file, head);
    fs.closeSync(file);
  } catch {
    // Not to be read: the more frequent one.
  }
  return head.includes('ld-musl') ? 'musl' : 'glibc';
}

/** @returns {{create: () => object}} @throws {Error} there is none; what was tried */
function loadAddon() {
  if (env.CPROMISE_ADDON) return require(env.CPROMISE_ADDON);
  const target = platform === 'linux' ? `${platform}-${arch}-${libc()}` : `${platform}-${arch}`;
  const places = [['build/Release', () => require('../build/Release/cpromise.node')]];
  if (Object.hasOwn(PREBUILT, target)) places.push(['prebuilds', PREBUILT[target]]);
  const tried = [];
  for (const [name, load] of versions.napi >= NODE_API ? places : []) {
    try {
      return load();
    } catch (e) {
      tried.push(`${name}: ${e.message.split('\n', 1)[0]}`);
    }
  }
  throw new Error(
    `cpromise: no addon for ${target}, Node ${versions.node}, Node-API ${versions.napi} (needs ${NODE_API}); ` +
      `tried: ${tried.join('; ') || 'none'}`,
  );
}

module.exports = { loadAddon };

'use strict';
/**
 * Finds the addon: what was built here, else what came with the package. For bundlers the
 * paths are literal and in try blocks. CPROMISE_ADDON names another build, not for them.
 */
const fs = require('node:fs');
const { platform, arch, versions, execPath, env } = process;
const NODE_API = 8; // the version that the addon wants
const reason = (error) => error.message.split('\n', 1)[0];

/** The C library that the running program is linked against: a program names its loader at its beginning. */
function libc() {
  const head = Buffer.alloc(4096);
  try {
    const file = fs.openSync(execPath);
    fs.readSync(file, head);
    fs.closeSync(file);
  } catch {} // not to be read: the more frequent one
  return head.includes('ld-musl') ? 'musl' : 'glibc';
}

function loadNamed(file) {
  try {
    return require('node:module').createRequire(execPath)(file);
  } catch (cause) {
    throw new Error(`cpromise: CPROMISE_ADDON is ${file}, which cannot be loaded: ${reason(cause)}`, { cause });
  }
}

/** @returns {{create: () => object}} @throws {Error} there is none; what was tried */
function loadAddon() {
  if (env.CPROMISE_ADDON) return loadNamed(env.CPROMISE_ADDON);
  const target = platform === 'linux' ? `${platform}-${arch}-${libc()}` : `${platform}-${arch}`;
  const tried = [];
  if (versions.napi >= NODE_API) {
    try {
      return require('../build/Release/cpromise.node');
    } catch (e) {
      tried.push(`build/Release: ${reason(e)}`);
    }
    try {
      switch (target) {
        case 'linux-x64-glibc': return require('../prebuilds/linux-x64/cpromise.node');
        case 'linux-x64-musl': return require('../prebuilds/linux-x64-musl/cpromise.node');
        case 'linux-arm64-glibc': return require('../prebuilds/linux-arm64/cpromise.node');
        case 'linux-arm64-musl': return require('../prebuilds/linux-arm64-musl/cpromise.node');
        case 'darwin-x64': return require('../prebuilds/darwin-x64/cpromise.node');
        case 'darwin-arm64': return require('../prebuilds/darwin-arm64/cpromise.node');
        case 'win32-x64': return require('../prebuilds/win32-x64/cpromise.node');
        case 'win32-arm64': return require('../prebuilds/win32-arm64/cpromise.node');
      }
    } catch (e) {
      tried.push(`prebuilds: ${reason(e)}`);
    }
  }
  const needs = `Node ${versions.node}, Node-API ${versions.napi} (needs ${NODE_API})`;
  throw new Error(`cpromise: no addon for ${target}, ${needs}; tried: ${tried.join('; ') || 'none'}`);
}

module.exports = { loadAddon };

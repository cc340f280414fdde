'use strict';
/**
 * Finds the host of the engine and makes one engine of it. The objects that it
 * returns are described in src/host_node.c.
 *
 * CPROMISE_ADDON names another build of the addon (a debug or sanitizer build).
 */

/** @returns {{create: () => object}} */
function load() {
  const named = process.env.CPROMISE_ADDON;
  if (named) return require(named);
  try {
    return require('../build/Release/cpromise.node');
  } catch (cause) {
    throw new Error(
      `cpromise: cannot load the addon for ${process.platform}-${process.arch}, ` +
        `Node ${process.versions.node}, Node-API ${process.versions.napi} ` +
        `(tried build/Release/cpromise.node: ${cause.message}). Run "npm run build" in the package.`,
      { cause },
    );
  }
}

module.exports = load().create();

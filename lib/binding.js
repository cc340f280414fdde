'use strict';
/**
 * Finds the host of the engine and makes one engine of it: the addon where it can
 * be loaded, else WebAssembly. The engine is described in src/host_node.c; its
 * `host` is the name of what was found. Where libuv must not be called, a timer of
 * the runtime takes the place of the clock in C.
 *
 * CPROMISE_HOST=native or wasm asks for one of them and no other, CPROMISE_ADDON for
 * an addon.
 */
const { environment, loadAddon, hasLibuv } = require('#runtime');
const { withTimer } = require('./loop-timer');

const forced = environment('CPROMISE_HOST') || (environment('CPROMISE_ADDON') && 'native');

function createNative(addon) {
  const engine = { host: 'native', ...addon.create() };
  return hasLibuv ? engine : withTimer(engine);
}

function createWasm() {
  return withTimer({ host: 'wasm', ...require('./wasm-host').create() });
}

function create() {
  if (forced === 'native') return createNative(loadAddon());
  if (forced === 'wasm') return createWasm();
  if (forced) throw new Error(`cpromise: CPROMISE_HOST is to be native or wasm but is ${forced}`);
  let addon;
  try {
    addon = loadAddon();
  } catch (cause) {
    return createInstead(cause);
  }
  return createNative(addon);
}

/** There is no addon, for this reason. */
function createInstead(cause) {
  try {
    return createWasm();
  } catch (e) {
    throw new Error(`${cause.message}; nor can WebAssembly be used: ${e.message}`, { cause });
  }
}

module.exports = create();

'use strict';
/**
 * What the library needs to know and have of the runtime that it was loaded into:
 * Node, or one that does as Node. Everywhere else runtime-web.js takes the place
 * of this file (`imports` in package.json).
 */
const asyncHooks = require('node:async_hooks');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { isMap, isNativeError, isProxy } = require('node:util/types');
const vm = require('node:vm');
const { loadAddon } = require('./native');

/**
 * The process itself: it has an active domain, a list of modules that grows, and
 * listeners that Node tells of rejections. In Jest the global one is a copy.
 */
const process = isCopy(globalThis.process) ? vm.runInThisContext('process') : globalThis.process;

/** A copy shows the domain but cannot change it. */
function isCopy(object) {
  const { get, set } = Object.getOwnPropertyDescriptor(object, 'domain') ?? {};
  return get !== undefined && set === undefined;
}

/** Major version of Node (or of the Node that the runtime claims to be). */
const major = Number.parseInt(process.versions.node, 10);

const { AsyncResource } = asyncHooks;

const isNode = process.versions.bun === undefined && process.versions.deno === undefined;

/**
 * Not read in Node 22 and later, where the module behind it is loaded when it is
 * first read, which context.js takes as the sign that somebody uses contexts.
 */
const AsyncLocalStorage = isNode && major >= 22 ? undefined : asyncHooks.AsyncLocalStorage;

/** The methods by which contexts come into use, where the list of modules does not tell. */
const contextMethods = isNode ? ['_enable'] : ['run', 'enterWith'];

/** Kept from load on: tests replace the global. A vm context may have none. */
const microtask = globalThis.queueMicrotask ?? process.nextTick;

/** The promises of the language, whoever has put what in their global place. */
const NativePromise = (async () => {})().constructor;
const nativeThen = NativePromise.prototype.then;

/** Milliseconds on a clock that only goes forward, whoever replaces it later. */
const now = performance.now.bind(performance);

/** Those of the runtime, whoever has put what in their global place. */
const { setTimeout, clearTimeout } = require('node:timers');

/**
 * Whether the addon may call libuv. Others that do as Node have an event loop of
 * another kind; Bun ends the process.
 */
const hasLibuv = isNode;

/** Node asks the domain, and nobody else does. */
const onUnhandled = undefined;
const asksStandIn = isNode;

/** A variable of the environment, for which a copy will do; undefined where we may not see it. */
function environment(name) {
  try {
    return globalThis.process.env[name];
  } catch {
    return undefined;
  }
}

/** A bundler has put the library into one file with others, which may be a module of ES. */
const isBundled = typeof __filename !== 'string' || path.basename(__filename) !== 'runtime.js';

/** The folder of the library, and the cache that its modules are in. In a bundle it has neither. */
const library = isBundled ? { directory: '\0', cache: {} } : { directory: `${__dirname}${path.sep}`, cache: require.cache };

module.exports = {
  process, microtask, now, setTimeout, clearTimeout, hasLibuv, sharesTimers: true, environment, library, loadAddon,
  onUnhandled, asksStandIn, NativePromise, nativeThen,
  AsyncLocalStorage, contextMethods, AsyncResource, isMap, isNativeError, isProxy,
};

'use strict';
/** What the library needs to know and have of the runtime it was loaded into. */
const { performance } = require('node:perf_hooks');

/** Major version of Node (or of the Node that the runtime claims to be). */
const major = Number.parseInt(process.versions.node, 10);

/** Kept from load on: tests replace the global. A vm context may have none. */
const microtask = globalThis.queueMicrotask ?? process.nextTick;

/** The promises of the language, whoever has put what in their global place. */
const NativePromise = (async () => {})().constructor;
const nativeThen = NativePromise.prototype.then;

/** Milliseconds on a clock that only goes forward. */
const now = () => performance.now();

module.exports = { major, microtask, now, NativePromise, nativeThen };

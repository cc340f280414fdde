'use strict';
/**
 * As runtime.js, where the language and WebAssembly are all there is: in browsers
 * and edge runtimes. What they lack is stood for by something that does nothing,
 * so that nobody else need ask where the library runs.
 */

const microtask = globalThis.queueMicrotask;

const NativePromise = (async () => {})().constructor;
const nativeThen = NativePromise.prototype.then;

/** A clock may be missing; what is asked of it then comes a little later. */
const clock = globalThis.performance ?? Date;
const now = clock.now.bind(clock);

const { setTimeout, clearTimeout } = globalThis;

/** In Cloudflare Workers a timer goes with the request in which it was made. */
const sharesTimers = globalThis.navigator?.userAgent !== 'Cloudflare-Workers';

/** No contexts: a resource runs functions as they are. */
class AsyncResource {
  runInAsyncScope(fn, receiver, ...args) {
    return Reflect.apply(fn, receiver, args);
  }
}

/** Without events, domains and the list of modules. Native stand-ins alone tell of unhandled rejections. */
const process = {
  domain: undefined,
  moduleLoadList: undefined,
  nextTick: microtask,
  emit: () => false,
  emitWarning: (warning) => globalThis.console?.warn(warning),
  listenerCount: () => 0,
};

/** The stand-ins that the runtime may report, by the native promise. @type {WeakMap<Promise, {emit: Function}>} */
const standIns = new WeakMap();

/** When the runtime reports `native`, standIn.emit is asked first: it says whether that is all. */
function onUnhandled(native, standIn) {
  standIns.set(native, standIn);
}

globalThis.addEventListener?.('unhandledrejection', (event) => {
  if (standIns.get(event.promise)?.emit('error', event.reason) === true) event.preventDefault();
});

const environment = () => undefined;

/** Modules have no names that could be recognized, and are loaded once. */
const library = { directory: '\0', cache: {} };

function loadAddon() {
  throw new Error('cpromise: there are no addons here');
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;

function isMap(value) {
  try {
    mapSize.call(value);
    return true;
  } catch {
    return false;
  }
}

const isNativeError = (value) => Object.prototype.toString.call(value) === '[object Error]';

/** It cannot be told. Asked for util.inspect, which is Node's. */
const isProxy = () => false;

module.exports = {
  process, microtask, now, setTimeout, clearTimeout, hasLibuv: false, sharesTimers, environment, library, loadAddon,
  onUnhandled, asksStandIn: true, NativePromise, nativeThen,
  AsyncLocalStorage: undefined, contextMethods: [], AsyncResource, isMap, isNativeError, isProxy,
};

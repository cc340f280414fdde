'use strict';
/**
 * Rejections that nobody handles, reported as Node reports those of native
 * promises.
 *
 * When a drain ends, each promise that is rejected and unhandled gets a native
 * stand-in: a native promise rejected with the same reason. Node judges it when
 * its queues are empty, in the mode it was started with, and prints its own
 * message or ends with its own exit code. While the stand-in is made,
 * process.domain is an adapter of ours: Node asks the domain of a rejection to
 * emit it, so the event goes out with the promise of the user instead of the
 * stand-in. A promise handled in time passes that on to its stand-in. In browsers
 * the stand-in is asked by an event (runtime-web.js). In Bun and Deno nobody asks
 * it; there we tell who listens ourselves, and a stand-in is made when nobody does.
 */
const { wake } = require('./engine');
const context = require('./context');
const { process, onUnhandled, asksStandIn, NativePromise, nativeThen, microtask } = require('#runtime');
const { REJECTED, HANDLED } = require('./state');

const { nextTick } = process;

/** Rejected since the last drain, each followed by the domain it was rejected in, and the context if there are any. */
let candidates = [];
/** The stand-in of each promise that has one. @type {WeakMap<object, StandIn>} */
const standIns = new WeakMap();
let any = false; // whether there has ever been a stand-in
/** Promises whose rejection needs no handler. @type {WeakSet<object>} */
const suppressed = new WeakSet();

/**
 * The domain in which a promise was made, if any: what rejects it may come out of the
 * queue, where none is active. @type {WeakMap<object, object>}
 */
const domains = new WeakMap();

function keepDomain(promise) {
  const { domain } = process;
  if (domain !== null && domain !== undefined) domains.set(promise, domain);
}

/** The context in which a handler threw an error: its promise is rejected outside of it. @type {WeakMap<object, AsyncResource>} */
const contexts = new WeakMap();

function keepContext(error, resource) {
  if (Object(error) === error) contexts.set(error, resource);
}

/** Functions of the user: unhandled(reason, promise), handled(promise). See rejection-hooks.js. */
const hooks = { unhandled: undefined, handled: undefined };

function setHook(name, fn) {
  hooks[name] = fn;
}

/** Calls a hook; what it throws reaches the process, but disturbs nothing here. */
function callHook(hook, ...args) {
  try {
    hook(...args);
  } catch (e) {
    microtask(() => {
      throw e;
    });
  }
}

class StandIn {
  constructor(promise, domain) {
    this.promise = promise;
    this.domain = domain;
    this.native = undefined;
    this.reported = false;
  }

  /** Called by Node in place of a domain's emit('error', reason). */
  emit(event, reason) {
    const { promise, domain } = this;
    this.reported = true;
    this.promise = undefined;
    if (hooks.unhandled !== undefined) {
      callHook(hooks.unhandled, reason, promise);
      process.emit('unhandledRejection', reason, promise);
      return true;
    }
    if (domain !== null && domain !== undefined) return domain.emit(event, reason);
    return process.emit('unhandledRejection', reason, promise);
  }
}

const ignore = () => {};

/** A promise has been rejected and has no reaction so far. */
function track(promise) {
  candidates.push(promise, process.domain, context.inUse() ? context.capture() : undefined);
  wake();
}

/** A drain has ended: gives stand-ins to those that are still unhandled. */
function judge() {
  if (candidates.length === 0) return;
  const list = candidates;
  candidates = [];
  for (let i = 0; i < list.length; i += 3) {
    const promise = list[i];
    if (promise._s !== REJECTED || standIns.has(promise) || suppressed.has(promise)) continue;
    const domain = list[i + 1] ?? domains.get(promise);
    const resource = contexts.get(promise._v) ?? list[i + 2]; // Node emits the event in the context of the stand-in
    if (resource === undefined) report(promise, domain);
    else resource.runInAsyncScope(report, undefined, promise, domain);
  }
}

function report(promise, domain) {
  const standIn = new StandIn(promise, domain);
  standIns.set(promise, standIn);
  any = true;
  if (!asksStandIn) {
    nextTick(() => { // when the microtasks that may still handle it have run
      if (standIns.get(promise) === standIn && !suppressed.has(promise)) tell(promise, standIn);
    });
    return;
  }
  const current = process.domain;
  const isSet = Reflect.set(process, 'domain', standIn); // if not, the event has the stand-in
  try {
    standIn.native = NativePromise.reject(promise._v);
  } finally {
    if (isSet) process.domain = current;
  }
  if (onUnhandled !== undefined) onUnhandled(standIn.native, standIn);
}

/** A promise is still unhandled, and the runtime will not ask its stand-in. */
function tell(promise, standIn) {
  if (hooks.unhandled !== undefined || process.listenerCount('unhandledRejection') > 0) standIn.emit('error', promise._v);
  else standIn.native = NativePromise.reject(promise._v);
}

/** Marks a REJECTED promise as handled. */
function markHandled(promise) {
  promise._s = HANDLED;
  if (any) handledLate(promise);
}

function handledLate(promise) {
  const standIn = standIns.get(promise);
  if (standIn === undefined) return;
  standIns.delete(promise);
  if (standIn.reported && (hooks.handled !== undefined || process.listenerCount('rejectionHandled') > 0)) {
    // Node tells after the ticks that are queued by now.
    nextTick(() => nextTick(() => {
      if (hooks.handled !== undefined) callHook(hooks.handled, promise);
      process.emit('rejectionHandled', promise);
    }));
  } else {
    // Node sees it in time and says nothing, or too late and warns.
    handleNative(standIn);
  }
}

function handleNative({ native }) {
  if (native !== undefined) nativeThen.call(native, undefined, ignore);
}

/** A rejection of `promise` counts as handled, whenever it comes. */
function suppress(promise) {
  suppressed.add(promise);
  const standIn = standIns.get(promise);
  if (standIn !== undefined && !standIn.reported) handleNative(standIn);
}

module.exports = { track, judge, keepDomain, keepContext, markHandled, setHook, suppress };

'use strict';
/**
 * The promise itself: constructor, then, resolution and settlement. All of it
 * is on the hot path; what is rare stands in functions of its own, so that the
 * hot ones stay short enough to be inlined.
 *
 * How the fields are used is drawn in state.js.
 */
const { process } = require('#runtime');
const engine = require('./engine');
const {
  PENDING, FULFILLED, REJECTED, HANDLED, FOLLOWING, ATTACHED, FOLLOWED, FLAGS, LOCKED, Handlers, Continuation, jobOf,
  isPending, target,
} = require('./state');
const { untenure, sweep, isDue, SOON_PAGES } = require('./tenure');
const { track, judge, keepDomain, keepContext, markHandled } = require('./rejections');
const context = require('./context');
const { CANCELLATION, watch, hooks, isOn } = require('./features');
const { isNativeResolver, keepMark, onCancelToo } = require('./cancelled');
const { keepShape } = require('./shapes');

const { THEN, NOW, JOB, SETTLE, MERGE, DUE, window: ready, pages, takeSlot, takePinned, pin, pinned, log, logReady } = engine;
const { loaded } = watch;
const { nextTick } = process;

/** Passed in place of an executor when the library makes a promise. */
const INTERNAL = () => {};

const { getPrototypeOf } = Object;

/** The slot in a state > FOLLOWING, shifted to where a command has it. */
const commandSlot = (s) => (s & ~FLAGS) << 2;

class CPromise {
  /**
   * @param {(resolve: (value?: any) => void, reject: (reason?: any) => void) => void} executor
   *   called at once; what it throws rejects the promise
   * @param {{signal?: AbortSignal}} [options] when the signal is aborted before the
   *   promise is settled, it is rejected with its reason
   * @throws {TypeError} executor is not a function; a wrong option
   * @see https://tc39.es/ecma262/#sec-promise-executor
   */
  constructor(executor, options = undefined) {
    if (typeof executor !== 'function') throwExecutor(executor);
    // One hidden class: always these four, always in this order.
    this._s = PENDING;
    this._v = undefined;
    this._f = undefined;
    this._r = undefined;
    if (executor !== INTERNAL) {
      if (new.target !== CPromise && !isObject(new.target.prototype)) Object.setPrototypeOf(this, prototype);
      if (options !== undefined) hooks.executeWith(this, executor, options);
      else if (watch.features === 0) execute(this, executor);
      else hooks.execute(isOn(CANCELLATION) ? hooks.executeCancellable : execute, this, executor);
    }
  }

  /**
   * @param {(value: any) => any} [onFulfilled]
   * @param {(reason: any) => any} [onRejected]
   * @returns {CPromise} a promise of the species of this one
   * @throws {TypeError} the receiver is not a promise of this library
   * @see https://tc39.es/ecma262/#sec-promise.prototype.then
   */
  then(onFulfilled, onRejected) {
    // The state is read first: then V8 knows the hidden class and need not ask for its prototype.
    let C;
    let s;
    try {
      s = this._s;
    } catch {
      throwReceiver('then', this); // nothing, or a proxy
    }
    if (
      loaded.length !== watch.quiet || s === undefined || getPrototypeOf(this) !== prototype || (C = this.constructor) !== CPromise
    ) {
      return thenSlow(this, onFulfilled, onRejected, C, arguments.length);
    }
    return react(this, onFulfilled, onRejected);
  }
}

const { prototype } = CPromise;
const thenMethod = prototype.then;

/**
 * A promise that is born settled: the same prototype, two fields in place of
 * four. Its state and value are all that anybody reads.
 */
function Settled(state, value) {
  this._s = state;
  this._v = value;
}
Settled.prototype = prototype;

keepShape(new CPromise(INTERNAL));
keepShape(new Settled(FULFILLED, undefined));

/** A pending promise. */
function create() {
  const promise = new CPromise(INTERNAL);
  if (loaded.length !== watch.quiet) created(promise);
  return promise;
}

/** A pending promise has been made while contexts may be in use or a feature is on. */
function created(promise) {
  if (watch.features !== 0) hooks.made(promise);
  keepDomain(promise);
}

/** A pending promise that code of ours will settle, and nothing in the engine will hold. */
function createOpen() {
  const promise = create();
  if (isOn(CANCELLATION)) hooks.open(promise);
  return promise;
}

/** A promise fulfilled with a value that is no thenable. */
function fulfilled(value) {
  const promise = new Settled(FULFILLED, value);
  if (watch.features !== 0) hooks.made(promise);
  return promise;
}

/**
 * A promise of any value.
 * @see https://tc39.es/ecma262/#sec-promise-resolve
 */
function promiseOf(value) {
  if (!isObject(value)) return fulfilled(value);
  if (isPlainPromise(value)) return value;
  return promiseOfObject(value);
}

function promiseOfObject(object) {
  let then;
  if (isPromise(object) && object.constructor === CPromise) return object;
  try {
    then = object.then;
  } catch (e) {
    return rejected(e);
  }
  if (typeof then !== 'function') return fulfilled(object);
  const promise = create();
  resolveWithThen(promise, object, then);
  return promise;
}

/** A rejected promise. */
function rejected(reason) {
  const promise = new Settled(REJECTED, reason);
  if (watch.features !== 0) {
    hooks.made(promise);
    hooks.rejecting(promise, reason);
  }
  track(promise);
  return promise;
}

/** Whether an object is a promise of this copy of the library, of any class. */
function isPromise(object) {
  try {
    return object instanceof CPromise && Object.hasOwn(object, '_s');
  } catch {
    return false; // a revoked proxy
  }
}

/** Whether an object is a promise of this very class. The quick test of the hot path. */
function isPlainPromise(object) {
  try {
    return (
      typeof object._s === 'number' && object instanceof CPromise && object.constructor === CPromise && getPrototypeOf(object) === prototype
    );
  } catch {
    return false; // a revoked proxy
  }
}

function throwExecutor(executor) {
  throw new TypeError(`Promise resolver ${describe(executor)} is not a function`);
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** What came, in words for an error. */
function describe(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isObject(value)) return String(value);
  try {
    if (typeof value === 'function') return value.name ? `function ${value.name}` : 'a function';
    return Object.prototype.toString.call(value);
  } catch {
    return 'an object';
  }
}

// ------------------------------------------------------------------------ then

/**
 * Attaches a reaction to `parent` and returns the promise of its result.
 * `parent` must be of this library; anything else is found out by its state.
 */
function react(parent, onFulfilled, onRejected) {
  return attach(new CPromise(INTERNAL), parent, onFulfilled, onRejected);
}

/** The same for a fresh promise that is to be the result. */
function attach(child, parent, onFulfilled, onRejected) {
  if (typeof onFulfilled === 'function') child._f = onFulfilled;
  if (typeof onRejected === 'function') child._r = onRejected;
  let s = parent._s;
  if (s === FOLLOWING) {
    parent = target(parent);
    s = parent._s;
  }
  child._v = parent;
  if (s > FOLLOWING) {
    const slot = takePinned(child);
    child._s = slot << 2;
    log(commandSlot(s) | THEN, slot);
    if ((s & ATTACHED) === 0) parent._s = s | ATTACHED;
  } else if (s === PENDING) {
    const slot = takePinned(child);
    child._s = slot << 2;
    const parentSlot = takeSlot();
    parent._s = (parentSlot << 2) | ATTACHED;
    log((parentSlot << 4) | THEN, slot);
  } else if (s < 0) {
    const slot = takePinned(child);
    child._s = slot << 2;
    parent._s = -(-s | ATTACHED);
    log(commandSlot(-s) | THEN, slot);
  } else {
    if (s === REJECTED) markHandled(parent);
    else if (s !== FULFILLED && s !== HANDLED) throwReceiver('then', parent);
    const slot = takePinned(child);
    child._s = slot << 2;
    logReady((slot << 4) | NOW, 0);
  }
  return child;
}

function throwReceiver(method, receiver) {
  throw new TypeError(`Method Promise.prototype.${method} called on incompatible receiver ${describe(receiver)}`);
}

/** `then` when contexts may be in use or a feature is on, of a subclass, or of a bound promise. */
function thenSlow(promise, onFulfilled, onRejected, constructor, count) {
  if (!isPromise(promise)) throwReceiver('then', promise);
  const C = speciesOf(constructor === undefined ? promise.constructor : constructor);
  if (isOn(CANCELLATION) && isNativeResolver(onRejected)) onCancelToo(onRejected);
  onFulfilled = withReceiver(promise, onFulfilled);
  onRejected = withReceiver(promise, onRejected);
  if (context.inUse()) {
    const resource = context.capture();
    if (typeof onFulfilled === 'function') onFulfilled = inContext(onFulfilled, resource);
    if (typeof onRejected === 'function') onRejected = inContext(onRejected, resource);
  }
  const child = watch.features === 0
    ? reactAs(C, promise, onFulfilled, onRejected)
    : hooks.then(reactAs, C, promise, onFulfilled, onRejected, count);
  keepDomain(child);
  return child;
}

/** `react` whose result is a promise of class C. */
function reactAs(C, promise, onFulfilled, onRejected) {
  if (C === CPromise) {
    if (isOn(CANCELLATION)) return hooks.react(promise, onFulfilled, onRejected);
    return attach(derive(promise), promise, onFulfilled, onRejected);
  }
  const capability = newCapability(C);
  react(
    promise,
    (value) => passOn(capability, onFulfilled, value, capability.resolve),
    (reason) => passOn(capability, onRejected, reason, capability.reject),
  );
  return capability.promise;
}

/** A handler that runs, and whose result is resolved, in the context of a resource. */
function inContext(handler, resource) {
  return keepMark(handler, (value) => {
    try {
      return resource.runInAsyncScope(callAndResolve, undefined, handler, value);
    } catch (e) {
      keepContext(e, resource);
      throw e;
    }
  });
}

function callAndResolve(handler, value) {
  const result = handler(value);
  if (!isObject(result) || isPromise(result)) return result;
  const promise = createOpen();
  if (isOn(CANCELLATION)) hooks.resolve(promise, result);
  else resolveWithObject(promise, result);
  return promise;
}

/** A reaction of a foreign class: hands the handler's result to the capability. */
function passOn(capability, handler, value, otherwise) {
  let end = otherwise;
  if (typeof handler === 'function') {
    try {
      value = handler(value);
      end = capability.resolve;
    } catch (e) {
      value = e;
      end = capability.reject;
    }
  }
  try {
    end(value);
  } catch (e) {
    throwLater(e);
  }
}

/**
 * Hands an error that nobody here can take to the process, or to the domain that is
 * active (a microtask would leave it before it throws), when the queue has run.
 */
function throwLater(error) {
  nextTick(() => {
    throw error;
  });
}

/**
 * The constructor for promises derived from one whose `constructor` is C.
 * @see https://tc39.es/ecma262/#sec-speciesconstructor
 */
function speciesOf(C) {
  if (C === CPromise || C === undefined) return CPromise;
  if (!isObject(C)) {
    throw new TypeError('The .constructor property of a promise is not an object');
  }
  const S = C[Symbol.species];
  if (S === undefined || S === null) return CPromise;
  if (!isConstructor(S)) throw new TypeError('object.constructor[Symbol.species] is not a constructor');
  return S;
}

const probe = { construct() { return {}; } };

/** Whether `new C` is possible; asks without running C. */
function isConstructor(C) {
  if (typeof C !== 'function') return false;
  try {
    new (new Proxy(C, probe))();
    return true;
  } catch {
    return false;
  }
}

/**
 * A promise of any class with its two functions.
 * @see https://tc39.es/ecma262/#sec-newpromisecapability
 */
function newCapability(C) {
  if (C === CPromise) {
    const promise = create();
    const [resolve, reject] = resolvers(promise);
    return { promise, resolve, reject };
  }
  if (!isConstructor(C)) throw new TypeError(`${describe(C)} is not a constructor`);
  let resolve;
  let reject;
  const promise = new C((a, b) => {
    if (resolve !== undefined || reject !== undefined) {
      throw new TypeError('Promise executor has already been invoked with non-undefined arguments');
    }
    resolve = a;
    reject = b;
  });
  if (typeof resolve !== 'function' || typeof reject !== 'function') {
    throw new TypeError('Promise resolve or reject function is not callable');
  }
  return { promise, resolve, reject };
}

/**
 * The two functions of a pending promise, [resolve, reject]. They let go of it
 * once one was called. Like those of native promises they have no name.
 */
function resolvers(promise) {
  if (isOn(CANCELLATION)) return hooks.resolvers(promise);
  return [
    (value) => {
      const p = promise;
      if (p === undefined) return;
      promise = undefined;
      resolvePromise(p, value);
    },
    (reason) => {
      const p = promise;
      if (p === undefined) return;
      promise = undefined;
      rejectPromise(p, reason);
    },
  ];
}

/** Calls an executor with the two functions; as `resolvers`, without the array. */
function execute(promise, executor) {
  try {
    executor(
      (value) => {
        const p = promise;
        if (p === undefined) return;
        promise = undefined;
        resolvePromise(p, value);
      },
      (reason) => {
        const p = promise;
        if (p === undefined) return;
        promise = undefined;
        rejectPromise(p, reason);
      },
    );
  } catch (e) {
    const p = promise;
    promise = undefined;
    if (p !== undefined) rejectPromise(p, e);
  }
}

// -------------------------------------------------------------- bound promises

/**
 * A promise whose handlers, and those of its descendants, are called with a `this`:
 * the value of the promise `_b`, which is fulfilled before it is itself. For its
 * users it is of our own class.
 */
function BoundPromise(binding) {
  this._s = PENDING;
  this._v = undefined;
  this._f = undefined;
  this._r = undefined;
  this._b = binding;
}

/** Its prototype, made by the first bind: where nobody binds, nothing is looked at. */
let boundPrototype;

function isBound(value) {
  try {
    return isObject(value) && getPrototypeOf(value) === boundPrototype;
  } catch {
    return false; // a revoked proxy
  }
}

/** A pending promise, bound as `promise` is, which may be anything. */
function derive(promise) {
  return isBound(promise) ? new BoundPromise(promise._b) : new CPromise(INTERNAL);
}

/** The same, made for the user. */
function createLike(promise) {
  return boundPrototype !== undefined && isBound(promise) ? createBound(promise._b) : create();
}

function createBound(binding) {
  if (boundPrototype === undefined) boundPrototype = BoundPromise.prototype = Object.create(prototype);
  const promise = new BoundPromise(binding);
  if (loaded.length !== watch.quiet) created(promise);
  return promise;
}

/** `fn`; that of a bound promise as a function that calls it with the `this` of the promise. */
function withReceiver(promise, fn) {
  if (typeof fn !== 'function' || !isBound(promise)) return fn;
  const { _b: binding } = promise;
  return keepMark(fn, (...args) => Reflect.apply(fn, receiverOf(binding), args));
}

function receiverOf(binding) {
  const { _s: state, _v: value } = binding._s === FOLLOWING ? target(binding) : binding;
  return state === FULFILLED ? value : undefined;
}

// ------------------------------------------------------- resolution, settlement

/** Settles a pending promise; state is FULFILLED or REJECTED. */
function settle(promise, value, state) {
  const s = promise._s;
  if (s > FOLLOWING) {
    if ((s & FLAGS) !== 0) {
      logReady(commandSlot(s) | SETTLE, state);
      if (state === REJECTED) state = HANDLED;
      if ((s & FOLLOWED) !== 0) promise._r = undefined;
    } else {
      log(commandSlot(s) | SETTLE, state);
      if (state === REJECTED) track(promise);
    }
  } else if (s < 0) {
    state = settleTenured(promise, state);
  } else if (state === REJECTED) {
    track(promise);
  }
  promise._v = value;
  promise._s = state;
}

function settleTenured(promise, state) {
  const s = -promise._s;
  logReady(commandSlot(s) | SETTLE, state);
  untenure(promise);
  promise._r = undefined;
  if (state !== REJECTED) return state;
  if ((s & FLAGS) !== 0) return HANDLED;
  track(promise);
  return REJECTED;
}

/** Rejects a pending promise for code of the user. */
function rejectPromise(promise, reason) {
  if (watch.features !== 0) hooks.rejecting(promise, reason);
  settle(promise, reason, REJECTED);
}

/**
 * Resolves a pending promise with any value.
 * @see https://tc39.es/ecma262/#sec-promise-resolve-functions
 */
function resolvePromise(promise, value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    settle(promise, value, FULFILLED);
  } else {
    resolveWithObject(promise, value);
  }
}

function resolveWithObject(promise, object) {
  let then;
  if (object === promise) {
    rejectCycle(promise);
    return;
  }
  try {
    then = object.then;
  } catch (e) {
    rejectPromise(promise, e);
    return;
  }
  if (typeof then === 'function') resolveWithThen(promise, object, then);
  else settle(promise, object, FULFILLED);
}

/** Resolves with a thenable whose `then` has been read. */
function resolveWithThen(promise, thenable, then) {
  if (then === thenMethod && isPlainPromise(thenable)) follow(promise, thenable);
  else resolveWithThenable(promise, thenable, then);
}

function rejectCycle(promise) {
  settle(promise, new TypeError('Chaining cycle detected for promise #<Promise>'), REJECTED);
}

/** `then` will be called in a job of its own. */
function resolveWithThenable(promise, thenable, then) {
  if (then === thenMethod && isBound(thenable)) {
    follow(promise, thenable);
    return;
  }
  if (loaded.length !== watch.quiet && context.inUse()) then = context.bind(then);
  try {
    logJob(promise, 0);
  } catch (e) {
    settle(promise, e, REJECTED);
    return;
  }
  setJob(promise, then);
  promise._v = thenable;
}

/** Gives a pending promise a job of its own, which will run in order. */
function logJob(promise, argument) {
  logReady((slotPinned(promise) << 4) | JOB, argument);
}

/**
 * Makes a pending promise wait for another of ours, which may be settled; then
 * `continuation` proceeds with it.
 * @throws {RangeError} no slots left; nothing has changed
 */
function proceedAfter(promise, other, continuation) {
  if (other._s === FOLLOWING) other = target(other);
  if (other === promise) {
    setJob(promise, LOCKED); // it waits for itself, which is no error: it stays pending
    return;
  }
  const s = other._s;
  const slot = slotPinned(promise);
  if (s === FULFILLED || s === REJECTED || s === HANDLED) {
    if (s === REJECTED) markHandled(other);
    logReady((slot << 4) | NOW, 0);
  } else {
    waitFor(slot, other);
  }
  promise._v = other;
  if (promise._s < 0) {
    promise._f.f = continuation;
    promise._f.r = continuation;
  } else {
    promise._f = continuation;
    if ((promise._s & FOLLOWED) === 0) promise._r = continuation;
  }
}

/** Puts the promise with that slot at the end of the reactions of a pending one. */
function waitFor(slot, other) {
  if (other._s === PENDING) other._s = takeSlot() << 2;
  log(commandSlot(Math.abs(other._s)) | THEN, slot);
  addFlags(other, ATTACHED);
}

/** What completes a pending promise instead of a handler: an object with complete(promise, argument). */
function setJob(promise, job) {
  if (promise._s < 0) promise._f.f = job;
  else promise._f = job;
}

/** The slot of a pending promise, which is pinned from now on. */
function slotPinned(promise) {
  const s = promise._s;
  if (s === PENDING) {
    const slot = takePinned(promise);
    promise._s = slot << 2;
    return slot;
  }
  const slot = (s < 0 ? -s : s) >> 2;
  pin(slot, promise);
  return slot;
}

/** Gives a pending promise of ours the state that another one of ours has or will have. */
function follow(promise, other) {
  let s = other._s;
  if (s === FOLLOWING) {
    other = target(other);
    if (other === promise) {
      // A longer circle is no error in ES: all of it stays pending.
      promise._v = undefined;
      setJob(promise, LOCKED);
      return;
    }
    s = other._s;
  }
  if (s === FULFILLED) {
    settle(promise, other._v, FULFILLED);
  } else if (s === REJECTED || s === HANDLED) {
    if (s === REJECTED) markHandled(other);
    settle(promise, other._v, REJECTED);
  } else {
    try {
      followPending(promise, other);
      if (watch.features !== 0) hooks.following(promise);
    } catch (e) {
      settle(promise, e, REJECTED); // no slots left
    }
  }
}

/**
 * A promise that somebody has reacted to hands its reactions over and from then
 * on has the state of the other. One that nobody has reacted to must be settled
 * in its own right, since its rejection may have to be reported: it waits.
 */
function followPending(promise, other) {
  let os = other._s;
  const otherSlot = os === PENDING ? takeSlot() : (os < 0 ? -os : os) >> 2;
  if (os === PENDING) os = other._s = otherSlot << 2;
  const s = promise._s;
  const flags = (s < 0 ? -s : s) & FLAGS;
  if (s !== PENDING && flags !== 0) {
    log(commandSlot(s < 0 ? -s : s) | MERGE, otherSlot);
    merge(promise, flags, other, otherSlot);
  } else {
    const slot = slotPinned(promise);
    log((otherSlot << 4) | THEN, slot);
    promise._v = other;
    addFlags(other, ATTACHED);
  }
}

function addFlags(promise, flags) {
  const s = promise._s;
  promise._s = s < 0 ? -(-s | flags) : s | flags;
}

/**
 * `promise` starts to follow `other`, and its reactions have moved there. They
 * still refer to `promise`, and reach the value through it; when `other` follows
 * a third in turn, the path would grow by one at each step of a recursive
 * `return step().then(loop)`. So `other` remembers one promise that stands for
 * all that came before, and it is this one that is moved on.
 */
function merge(promise, flags, other, otherSlot) {
  const s = promise._s;
  const slot = (s < 0 ? -s : s) >> 2;
  if (s < 0 || pinned(slot) === promise) {
    // A promise with a slot that nothing waits for: as promise, so other.
    pin(otherSlot, other);
    if (s < 0) untenure(promise);
    else pin(slot, undefined);
  }
  let representative = promise;
  if ((flags & ATTACHED) === 0) {
    representative = promise._r;
    representative._v = other;
  }
  promise._v = other;
  promise._s = FOLLOWING;
  promise._f = undefined;
  promise._r = undefined;
  const os = other._s;
  if (((os < 0 ? -os : os) & FLAGS) !== 0) addFlags(other, ATTACHED);
  else represent(other, representative);
}

/** Makes `representative` stand for the promises that follow `other`. */
function represent(other, representative) {
  if (typeof other._r === 'function') {
    other._f = new Handlers(other._f, other._r, representative);
    other._r = undefined;
  } else {
    other._r = representative;
  }
  addFlags(other, FOLLOWED);
}

// -------------------------------------------------------------------- dispatch

/**
 * Runs the first `count` words of the window, in order. Each child is taken
 * apart before its handler runs: the handler may do anything, and what is done
 * with must not be kept alive.
 */
function dispatch(count) {
  at = 0;
  while (at < count) {
    try {
      dispatchFrom(count);
    } catch (e) {
      throwLater(e); // a fault of ours must not stop the others
    }
  }
}

/** The word of the window that comes next. */
let at = 0;

function dispatchFrom(count) {
  while (at < count) {
    const slot = ready[at++];
    if (slot < 0) {
      runJob(-slot, ready[at++]);
      continue;
    }
    const pins = pages[slot >> 8];
    const child = pins[slot & 255];
    pins[slot & 255] = undefined;
    let parent = child._v;
    let state;
    let value;
    try {
      state = parent._s;
      if (state === FOLLOWING) {
        parent = target(parent);
        state = parent._s;
      }
      value = parent._v;
    } catch (e) {
      state = REJECTED; // the parent is a proxy
      value = e;
    }
    let handler = state === FULFILLED ? child._f : child._r;
    const s = child._s;
    if (s < 0 || (s & FOLLOWED) !== 0) {
      handler = takeHandler(child, state);
    } else {
      child._f = undefined;
      child._r = undefined;
    }
    child._v = undefined;
    if (typeof handler !== 'function') {
      if (handler instanceof Continuation) handler.proceed(child, value, state);
      else settle(child, value, state === FULFILLED ? FULFILLED : REJECTED);
      continue;
    }
    let result;
    try {
      result = handler(value);
    } catch (e) {
      settle(child, e, REJECTED);
      continue;
    }
    resolvePromise(child, result);
  }
}

/** The handler of a child that is tenured or followed, out of its record. */
function takeHandler(child, state) {
  const record = child._f;
  let handler;
  if (child._s < 0) {
    handler = state === FULFILLED ? record.f : record.r;
    record.f = undefined;
    record.r = undefined;
  } else if (record instanceof Handlers) {
    handler = state === FULFILLED ? record.f : record.r;
    child._f = undefined;
    child._r = record.representative;
  } else {
    // _r is the representative and stays.
    handler = state === FULFILLED || record instanceof Continuation ? record : undefined;
    child._f = undefined;
  }
  return handler;
}

/**
 * Runs the job of a promise: calls a thenable, completes a combinator or one that
 * is due, or starts work of a windowed one, which goes on and keeps its pin.
 */
function runJob(slot, argument) {
  const isGrant = argument < -1 && argument !== DUE;
  const promise = isGrant ? pinned(slot) : engine.unpin(slot);
  try {
    if (isGrant) jobOf(promise).start(promise, -1 - argument);
    else complete(promise, argument);
  } catch (e) {
    // What code of the user, such as a signal's, throws at us.
    if (isPending(promise)) settle(promise, e, REJECTED);
    else throwLater(e);
  }
}

function complete(promise, argument) {
  const job = jobOf(promise);
  if (typeof job === 'function') {
    const thenable = promise._v;
    promise._v = undefined;
    setJob(promise, LOCKED);
    callThenable(promise, thenable, job);
  } else {
    setJob(promise, undefined);
    job.complete(promise, argument);
  }
}

/** Calls a thenable's `then` with the two functions of a promise. */
function callThenable(promise, thenable, then) {
  const [resolve, reject] = resolvers(promise);
  try {
    Reflect.apply(then, thenable, [resolve, reject]);
  } catch (e) {
    reject(e);
  }
}

/** Whether a promise made by `create` has neither been settled nor resolved. */
function isOpen(promise) {
  const s = promise._s;
  if (s === PENDING || s > FOLLOWING) return promise._v === undefined && promise._f === undefined;
  return s < 0 && promise._v === undefined && promise._f.f === undefined;
}

engine.start({ dispatch, afterDrain: judge, sweep, isDue, soon: SOON_PAGES });

module.exports = {
  CPromise, thenMethod, create, promiseOf, rejected, isObject, isPromise, isPlainPromise, isOpen, describe, throwReceiver,
  throwLater, react, resolvers, newCapability, isConstructor, speciesOf, settle, setJob, resolvePromise, resolveWithThen,
  createBound, createLike, withReceiver, rejectPromise, follow, logJob, slotPinned, addFlags, createOpen, derive, jobOf,
  proceedAfter,
};

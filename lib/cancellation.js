'use strict';
/**
 * Cancellation as Bluebird has it, while config({cancellation: true}) is on.
 *
 * A cancelled promise is one that is rejected with a CancellationError, counts as
 * handled, and is marked. Its handlers are passed over, down the chain, but for those
 * of finally and of whoever must have an answer, such as await.
 *
 * What can be cancelled has a Record and nothing that holds it in the engine: it
 * stands in no list and no job is its own, so it may be settled at any moment. That
 * is why `then` makes two promises here, one for the engine and one for the user, and
 * why the result of a combinator or of a collection is handed out behind another.
 *
 *   cancel()    ↑  parents, as long as all who came of them are cancelled
 *               ↓  from the topmost one: CancellationError
 */
const { CANCELLATION, hooks, isOn, turn } = require('./features');
const { CPromise } = require('./core');
const {
  react: observe, create, createLike, derive, jobOf, promiseOf, settle, resolvePromise, rejectPromise, isObject, isPromise, describe,
  throwLater, throwReceiver,
} = require('./promise');
const { FULFILLED, REJECTED, isPending } = require('./state');
const { markHandled } = require('./rejections');
const { install } = require('./install');
const { CancellationError, operational } = require('./errors');
const { cancelled, runsOnCancel } = require('./cancelled');
const { emit } = require('./monitoring');
const { warn } = require('./warnings');

class Record {
  constructor() {
    this.parent = undefined; // the promise whose `then` has made it
    this.branches = 0; // those who came of it and are not cancelled
    this.onCancel = undefined; // functions of the user
    this.source = undefined; // the thenable it has been resolved with
    this.stop = undefined; // ends the work whose result it is
    this.isProvisional = false; // cancelled unless its handler, which still runs, says otherwise
  }
}

/** @type {WeakMap<object, Record>} */
const records = new WeakMap();

/** Makes a pending promise one that can be cancelled; `stop` ends the work whose result it is. */
function open(promise, stop) {
  const record = new Record();
  record.stop = stop;
  records.set(promise, record);
  return record;
}

/** The reasons of those that have been cancelled. @type {WeakSet<object>} */
const reasons = new WeakSet();

function isCancellable(promise) {
  return isOn(CANCELLATION) && records.has(promise) && isPending(promise) && !cancelled.has(promise);
}

// -------------------------------------------------------------------- the way up

function cancel(promise) {
  let child = promise;
  let p = promise;
  while (isCancellable(p)) {
    if (!releases(p, child)) {
      end(child);
      return;
    }
    const { parent } = records.get(p);
    if (parent === undefined || !isCancellable(parent)) {
      end(p);
      return;
    }
    cancelled.add(p);
    child = p;
    p = parent;
  }
}

/** Whether a promise is cancelled with `child`, one that came of it, or itself. */
function releases(promise, child) {
  const record = records.get(promise);
  record.branches = child === promise ? 0 : record.branches - 1;
  if (record.branches > 0) return false;
  callOnCancel(record);
  return true;
}

function callOnCancel(record) {
  const { onCancel } = record;
  if (onCancel === undefined) return;
  record.onCancel = undefined;
  observe(promiseOf(), () => {
    for (const fn of onCancel) {
      try {
        fn();
      } catch (e) {
        throwLater(e);
      }
    }
  });
}

/** Cancels a promise whose parent goes on, or that has none; and what it waits for. */
function end(promise) {
  const { source, stop } = records.get(promise);
  cancelled.add(promise);
  const reason = operational(new CancellationError('late cancellation observer'));
  reasons.add(reason);
  settleCancelled(promise, reason);
  if (source !== undefined) cancelThenable(source);
  if (stop !== undefined) stop();
}

function settleCancelled(promise, reason) {
  if (!isPending(promise)) return;
  cancelled.add(promise);
  settle(promise, reason, REJECTED);
  if (promise._s === REJECTED) markHandled(promise);
  emit('promiseCancelled', promise);
}

/** Cancels a promise of ours, or of another copy or library that can be cancelled. */
function cancelThenable(thenable) {
  if (isPromise(thenable)) {
    cancel(thenable);
    return;
  }
  try {
    if (typeof thenable.cancel === 'function') thenable.cancel();
  } catch (e) {
    throwLater(e);
  }
}

// ------------------------------------------------------------------ the way down

/** `then`: as reactAs in promise.js, with a result that can be cancelled. */
function react(promise, onFulfilled, onRejected) {
  const child = derive(promise);
  open(child).parent = promise;
  const record = records.get(promise);
  if (record !== undefined) record.branches++;
  const isLate = cancelled.has(promise) && !isPending(promise);
  observe(
    promise,
    (value) => run(child, onFulfilled, value, resolve),
    (reason) => {
      if (isLate) run(child, onRejected, reason, rejectLate);
      else if (!cancelled.has(promise)) run(child, onRejected, reason, reject);
      else if (runsOnCancel.has(onRejected)) runCancelled(child, onRejected, reason);
      else settleCancelled(child, reason);
    },
  );
  return child;
}

function run(child, handler, value, otherwise) {
  if (!isPending(child)) return;
  let outcome = otherwise;
  if (typeof handler === 'function') {
    try {
      value = handler(value);
      outcome = resolve;
    } catch (e) {
      value = e;
      outcome = reject;
    }
  }
  outcome(child, value);
}

/** Runs the handler of a promise that is going to be cancelled, and counts as such already. */
function runCancelled(child, handler, reason) {
  if (!cancelled.has(child)) {
    cancelled.add(child);
    records.get(child).isProvisional = true;
  }
  run(child, handler, reason, reject);
}

/** Settles a promise whose handler has given something else than its cancellation. */
function settleOtherwise(promise, value, state) {
  if (records.get(promise)?.isProvisional) cancelled.delete(promise);
  settle(promise, value, state);
}

/** Rejects, or cancels when that is what the reason comes from. */
function reject(promise, reason) {
  if (!isPending(promise)) return;
  if (isObject(reason) && reasons.has(reason)) settleCancelled(promise, reason);
  else settleOtherwise(promise, reason, REJECTED);
}

/** Rejects a promise made by `then` of one that had been cancelled before. */
function rejectLate(promise, reason) {
  settle(promise, reason, REJECTED);
}

/** Resolves a promise that can be cancelled: it does not follow, but is settled when the other one is. */
function resolve(promise, value) {
  if (!isPending(promise)) return;
  if (!isObject(value)) {
    settleOtherwise(promise, value, FULFILLED);
    return;
  }
  if (value === promise) {
    resolvePromise(promise, value); // which is an error
    return;
  }
  let source = value;
  if (!isPromise(value)) {
    let then;
    try {
      ({ then } = value);
    } catch (e) {
      reject(promise, e);
      return;
    }
    if (typeof then !== 'function') {
      settleOtherwise(promise, value, FULFILLED);
      return;
    }
    source = create();
    resolvePromise(source, { then: (f, r) => Reflect.apply(then, value, [f, r]) });
  }
  const record = records.get(promise) ?? open(promise);
  record.source = value;
  passOn(source, promise, () => { record.source = undefined; });
}

/** Settles `promise` like `source`. */
function passOn(source, promise, ended = () => {}) {
  observe(
    source,
    (value) => {
      ended();
      if (isPending(promise)) settleOtherwise(promise, value, FULFILLED);
    },
    (reason) => {
      ended();
      reject(promise, reason);
    },
  );
}

// ----------------------------------------------------------- where promises are made

/** The two functions of a promise, as in promise.js; they do nothing once it is cancelled. */
function resolvers(promise) {
  open(promise);
  let called = false;
  const once = (settler) => (value) => {
    if (called) return;
    called = true;
    if (isPending(promise)) settler(promise, value);
  };
  return [once(resolve), once(rejectPromise)];
}

/** Runs an executor, which is given a third function. */
function execute(promise, executor) {
  const [resolveOnce, rejectOnce] = resolvers(promise);
  const record = records.get(promise);
  const onCancel = (fn) => {
    if (typeof fn !== 'function') throw new TypeError(`expecting a function for onCancel but got ${describe(fn)}`);
    (record.onCancel ??= []).push(fn);
  };
  try {
    executor(resolveOnce, rejectOnce, onCancel);
  } catch (e) {
    rejectOnce(e);
  }
}

/**
 * What is handed out in place of the result of work: when it is cancelled, so is what
 * the work waits for.
 * @param {any} [input] what the work waits for before it begins
 * @param {() => void} [stop] ends work that has no job
 */
function result(promise, input, stop) {
  const outer = createLike(promise);
  const record = open(outer);
  record.stop = () => {
    if (stop !== undefined) stop();
    else stopWork(promise, input);
  };
  passOn(promise, outer, () => { record.stop = undefined; });
  return outer;
}

function stopWork(promise, input) {
  if (!isPending(promise)) return;
  const job = jobOf(promise);
  if (typeof job !== 'object' || job === null) {
    hooks.cancel(...(Array.isArray(input) ? input : [input]));
    return;
  }
  const inputs = [];
  if (typeof job.eachPending === 'function') job.eachPending((pending) => { inputs.push(pending); });
  if (typeof job.stop === 'function') job.stop(operational(new CancellationError('cancelled')), promise);
  // A result of a collection may wait for its element.
  for (const pending of inputs) cancel(records.has(pending) || !isPromise(pending._v) ? pending : pending._v);
}

Object.assign(hooks, {
  react,
  executeCancellable: execute,
  resolvers,
  resolve,
  result,
  open,
  cancel(...values) {
    for (const value of values) if (isPromise(value)) cancel(value);
  },
});

const methods = {
  /**
   * Cancels a pending promise, and the promises it comes from as far as nobody else
   * has derived something from them. Handlers are not called any more but for those of
   * `finally`; functions given to `onCancel` are. An `await` rejects with a
   * CancellationError. What the promise has been resolved with is cancelled, and so is
   * what a collection waits for. Does nothing unless config({cancellation: true}) is on.
   * @see http://bluebirdjs.com/docs/api/cancellation.html
   */
  cancel() {
    if (!isPromise(this)) throwReceiver('cancel', this);
    if (!isOn(CANCELLATION)) warn('cancellation is disabled');
    cancel(this);
  },

  /** Whether `cancel` would do something. */
  isCancellable() {
    if (!isPromise(this)) throwReceiver('isCancellable', this);
    return isCancellable(this);
  },
};

install(methods, { break: methods.cancel });
install(CPromise.prototype, methods);

/** Turns cancellation on or off for promises that are made from now on. */
const setCancellation = (on) => turn(CANCELLATION, on);

module.exports = { setCancellation };

'use strict';
/** Promises that an AbortSignal rejects: fromSignal, and the option of the constructor. */
const { CPromise } = require('./core');
const { create, react, settle, isObject, describe } = require('./promise');
const { FULFILLED, REJECTED, isPending } = require('./state');
const { CANCELLATION, hooks, isOn } = require('./features');
const { install } = require('./install');
const { checkSignal } = require('./collections');

/** Calls abort(reason) when `signal` is aborted, at once if it is. @returns {() => void} ends that */
function listen(signal, abort) {
  if (signal.aborted) {
    abort(signal.reason);
    return () => {};
  }
  const onAbort = () => abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** Runs an executor for a promise of its own, whose outcome `promise` gets unless the signal comes first. */
function executeWith(promise, executor, options) {
  if (!isObject(options)) throw new TypeError(`expecting options to be an object but got ${describe(options)}`);
  const signal = options.signal === undefined ? undefined : checkSignal(options.signal);
  const inner = new CPromise(executor);
  if (isOn(CANCELLATION)) hooks.open(promise, () => hooks.cancel(inner));
  let end = () => {};
  const finish = (state) => (value) => {
    end();
    if (isPending(promise)) settle(promise, value, state);
  };
  if (signal !== undefined) end = listen(signal, finish(REJECTED));
  react(inner, finish(FULFILLED), finish(REJECTED));
}

hooks.executeWith = executeWith;

const statics = {
  /**
   * A promise that is rejected with the reason of `signal` when that is aborted, and
   * stays pending else.
   * @param {AbortSignal} signal
   * @returns {Promise<never>} rejected with a TypeError for what is no signal
   */
  fromSignal(signal) {
    const promise = create();
    try {
      listen(checkSignal(signal), (reason) => settle(promise, reason, REJECTED));
    } catch (e) {
      settle(promise, e, REJECTED);
    }
    return promise;
  },
};

install(CPromise, statics);

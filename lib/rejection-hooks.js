'use strict';
/** Functions of the user that are told of unhandled rejections, and promises that are none. */
const { CPromise } = require('./core');
const { describe, isPromise, throwReceiver } = require('./promise');
const { FOLLOWING, target } = require('./state');
const { setHook, suppress } = require('./rejections');
const { install } = require('./install');
const context = require('./context');

/** @throws {TypeError} `fn` is neither a function nor left out */
function read(fn) {
  if (fn === undefined || fn === null) return undefined;
  if (typeof fn !== 'function') throw new TypeError(`expecting a function but got ${describe(fn)}`);
  if (!context.inUse()) return fn;
  const resource = context.capture();
  return (...args) => resource.runInAsyncScope(fn, undefined, ...args);
}

const statics = {
  /**
   * From now on `fn(reason, promise)` is called for each promise that is rejected
   * and unhandled, before the process emits `unhandledRejection`, and Node does no
   * more about it. One function at a time; undefined takes it away.
   * @throws {TypeError} `fn` is neither a function nor left out
   * @see http://bluebirdjs.com/docs/api/promise.onpossiblyunhandledrejection.html
   */
  onPossiblyUnhandledRejection(fn) {
    setHook('unhandled', read(fn));
  },

  /**
   * From now on `fn(promise)` is called for each promise that was reported as
   * unhandled and has been handled after all.
   * @throws {TypeError} `fn` is neither a function nor left out
   * @see http://bluebirdjs.com/docs/api/promise.onunhandledrejectionhandled.html
   */
  onUnhandledRejectionHandled(fn) {
    setHook('handled', read(fn));
  },
};

const methods = {
  /**
   * A rejection of this very promise counts as handled, whenever it comes. That of
   * promises derived from it does not.
   * @see http://bluebirdjs.com/docs/api/suppressunhandledrejections.html
   */
  suppressUnhandledRejections() {
    if (!isPromise(this)) throwReceiver('suppressUnhandledRejections', this);
    suppress(this._s === FOLLOWING ? target(this) : this);
  },
};

install(CPromise, statics);
install(CPromise.prototype, methods);

'use strict';
/** What is known of a promise at one moment: the methods that tell it, PromiseInspection, reflect. */
const { CPromise } = require('./core');
const { isPromise, throwReceiver } = require('./promise');
const { FULFILLED, REJECTED, HANDLED } = require('./state');
const { claim, settledBy } = require('./inputs');
const { cancelled, onCancelToo } = require('./cancelled');
const { install } = require('./install');

/** A state for inspections alone. */
const CANCELLED = Symbol('cancelled');

/** @see http://bluebirdjs.com/docs/api/promiseinspection.html */
class PromiseInspection {
  #state;
  #value;

  constructor(state, value) {
    this.#state = state;
    this.#value = value;
  }

  isFulfilled() {
    return this.#state === FULFILLED;
  }

  isRejected() {
    return this.#state === REJECTED;
  }

  isPending() {
    return !this.isResolved() && !this.isCancelled();
  }

  /** Whether it is fulfilled or rejected. */
  isResolved() {
    return this.#state === FULFILLED || this.#state === REJECTED;
  }

  isCancelled() {
    return this.#state === CANCELLED;
  }

  /** @throws {TypeError} it is not fulfilled */
  value() {
    if (!this.isFulfilled()) throw noValue();
    return this.#value;
  }

  /** @throws {TypeError} it is not rejected */
  reason() {
    if (!this.isRejected()) throw noReason();
    return this.#value;
  }
}

install(PromiseInspection.prototype, { error: PromiseInspection.prototype.reason });

const noValue = () => new TypeError('cannot get the value of a promise that is not fulfilled');
const noReason = () => new TypeError('cannot get the reason of a promise that is not rejected');

/** The promise whose state counts for a receiver of `method`. @throws {TypeError} it is no promise */
function settledByThis(receiver, method) {
  if (!isPromise(receiver)) throwReceiver(method, receiver);
  return settledBy(receiver);
}

const isRejectedState = (s) => s === REJECTED || s === HANDLED;

/** @see http://bluebirdjs.com/docs/api/synchronous-inspection.html */
const methods = {
  isFulfilled() {
    return settledByThis(this, 'isFulfilled')._s === FULFILLED;
  },

  isRejected() {
    const promise = settledByThis(this, 'isRejected');
    return isRejectedState(promise._s) && !cancelled.has(promise);
  },

  isPending() {
    const promise = settledByThis(this, 'isPending');
    return promise._s !== FULFILLED && !isRejectedState(promise._s) && !cancelled.has(promise);
  },

  /** Whether it is fulfilled or rejected. */
  isResolved() {
    const promise = settledByThis(this, 'isResolved');
    return promise._s === FULFILLED || (isRejectedState(promise._s) && !cancelled.has(promise));
  },

  /** Whether it has been cancelled; then it is neither pending nor rejected. */
  isCancelled() {
    return cancelled.has(settledByThis(this, 'isCancelled'));
  },

  /** @throws {TypeError} the promise is not fulfilled */
  value() {
    const { _s: s, _v: value } = settledByThis(this, 'value');
    if (s !== FULFILLED) throw noValue();
    return value;
  },

  /**
   * The rejection counts as handled from now on.
   * @throws {TypeError} the promise is not rejected
   */
  reason() {
    const promise = settledByThis(this, 'reason');
    const { _s: s, _v: reason } = promise;
    if (!isRejectedState(s) || cancelled.has(promise)) throw noReason();
    claim(this);
    return reason;
  },

  /**
   * What JSON.stringify shows of a promise. A rejection counts as handled from now on.
   * @returns {{isFulfilled: boolean, isRejected: boolean, fulfillmentValue: any, rejectionReason: any}}
   */
  toJSON() {
    const isFulfilled = this.isFulfilled();
    const isRejected = this.isRejected();
    return {
      isFulfilled,
      isRejected,
      fulfillmentValue: isFulfilled ? this.value() : undefined,
      rejectionReason: isRejected ? this.reason() : undefined,
    };
  },

  /** As the static function, over what this promise will be fulfilled with. */
  settle() {
    return this.allSettled().then((results) => results.map(inspect));
  },

  /**
   * A promise of an inspection, fulfilled in either case.
   * @returns {Promise<PromiseInspection>}
   * @see http://bluebirdjs.com/docs/api/reflect.html
   */
  reflect() {
    return this.then(
      (value) => new PromiseInspection(FULFILLED, value),
      onCancelToo((reason) => new PromiseInspection(cancelled.has(settledBy(this)) ? CANCELLED : REJECTED, reason)),
    );
  },
};

const statics = {
  /**
   * Fulfills with a PromiseInspection for each input once all are settled.
   * @param {Iterable|AsyncIterable|PromiseLike} input
   * @returns {Promise<PromiseInspection[]>}
   * @see http://bluebirdjs.com/docs/api/reflect.html
   */
  settle(input) {
    return CPromise.allSettled(input).then((results) => results.map(inspect));
  },
};

const inspect = ({ status, value, reason }) => (
  status === 'fulfilled' ? new PromiseInspection(FULFILLED, value) : new PromiseInspection(REJECTED, reason)
);

install(CPromise, { PromiseInspection });
install(CPromise, statics);
install(CPromise.prototype, methods);

module.exports = { PromiseInspection };

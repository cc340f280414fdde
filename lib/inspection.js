'use strict';
/** What is known of a promise at one moment, and reflect. */
const { CPromise } = require('./core');
const { FULFILLED, REJECTED } = require('./state');
const { install } = require('./install');

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
    return this.#state !== FULFILLED && this.#state !== REJECTED;
  }

  isCancelled() {
    return false;
  }

  /** @throws {TypeError} it is not fulfilled */
  value() {
    if (!this.isFulfilled()) throw new TypeError('cannot get the value of a promise that is not fulfilled');
    return this.#value;
  }

  /** @throws {TypeError} it is not rejected */
  reason() {
    if (!this.isRejected()) throw new TypeError('cannot get the reason of a promise that is not rejected');
    return this.#value;
  }
}

const methods = {
  /**
   * A promise of an inspection, fulfilled in either case.
   * @returns {Promise<PromiseInspection>}
   * @see http://bluebirdjs.com/docs/api/reflect.html
   */
  reflect() {
    return this.then(
      (value) => new PromiseInspection(FULFILLED, value),
      (reason) => new PromiseInspection(REJECTED, reason),
    );
  },
};

install(CPromise, { PromiseInspection });
install(CPromise.prototype, methods);

module.exports = { PromiseInspection };

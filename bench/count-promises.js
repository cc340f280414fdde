'use strict';

/**
 * Counts the promises that the code of a suite makes for one request, by
 * running one request on a native subclass that counts. Promises that the
 * engine makes for itself, while it follows another promise or waits for the
 * inputs of `all`, are left out: they are born outside of user code.
 *
 * @param {import('./child.js').Suite} suite
 * @param {object} parameters  of the case
 * @returns {Promise<number>}
 */
async function countPromises(suite, parameters) {
  let count = 0;
  let inUserCode = false;

  function asUserCode(fn) {
    if (typeof fn !== 'function') return fn;
    return (...args) => {
      inUserCode = true;
      try {
        return fn(...args);
      } finally {
        inUserCode = false;
      }
    };
  }

  class CountingPromise extends Promise {
    constructor(executor) {
      super(executor);
      if (inUserCode) count += 1;
    }

    static all(inputs) {
      count += 1;
      inUserCode = false;
      try {
        return super.all(inputs);
      } finally {
        inUserCode = true;
      }
    }

    then(onFulfilled, onRejected) {
      return super.then(asUserCode(onFulfilled), asUserCode(onRejected));
    }
  }

  const contender = { Promise: CountingPromise, style: 'promises' };
  const round = suite.create(contender, { ...parameters, n: 1 });
  await new Promise((resolve, reject) => {
    const complete = (error) => (error ? reject(error) : resolve());
    asUserCode(() => round.run(complete))();
  });
  return count;
}

module.exports = { countPromises };

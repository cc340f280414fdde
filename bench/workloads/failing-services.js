'use strict';

/**
 * The immediate services of services.js, of which one call in ten rejects. Which
 * ones do is a matter of the upload and the step alone, so every contender
 * meets the same errors, whatever order it takes the steps in.
 */

const { createImmediateServices } = require('./services.js');

/** The steps of an upload in the order in which they are taken. */
const PUT = 0;
const GET = 1;
const EXECUTE = [2, 4, 5, 6];
const QUERY = 3;
const COMMIT = 7;
const STEPS = 8;

/** One error per step, made once: what is measured is the way of a rejection, not the stack of an error. */
const errors = Array.from({ length: STEPS }, (_, step) => Object.assign(new Error(`step ${step} failed`), { step }));

/** @returns {boolean} true for one in ten, without a pattern: the bits are mixed as in MurmurHash3 */
function fails(stream, step) {
  let bits = stream * STEPS + step + 1;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) % 10 === 0;
}

/** @returns {number | null} the step at which an upload fails; null: it succeeds */
function failsAt(stream) {
  for (let step = 0; step < STEPS; step += 1) {
    if (fails(stream, step)) return step;
  }
  return null;
}

/**
 * @param {PromiseConstructor} P  the contender's promise class
 * @returns {object} the services for uploads whose path is their number;
 *   `restart()` makes the next transaction that of upload 0
 */
function createFailingServices(P) {
  const services = createImmediateServices(P);
  let begun = 0;
  const failure = (step) => P.reject(errors[step]);
  return {
    restart() {
      begun = 0;
    },
    begin(expected) {
      const tx = services.begin(expected);
      tx.stream = begun;
      begun += 1;
      return tx;
    },
    putBlob: (stream) => (fails(stream, PUT) ? failure(PUT) : services.putBlob(stream)),
    getFile: (stream) => (fails(stream, GET) ? failure(GET) : services.getFile(stream)),
    createQuery: (stream, versionId) => (fails(stream, QUERY) ? failure(QUERY) : services.createQuery(stream, versionId)),
    execute(tx, query) {
      const step = EXECUTE[tx.operations];
      return fails(tx.stream, step) ? failure(step) : services.execute(tx, query);
    },
    commit: (tx) => (fails(tx.stream, COMMIT) ? failure(COMMIT) : services.commit(tx)),
  };
}

module.exports = { createFailingServices, failsAt };

'use strict';

/**
 * The fake services that the doxbee and parallel suites talk to: a blob store
 * and a database that keep nothing. Both forms count the work of each
 * transaction, and `commit` refuses one whose work is not complete, so a
 * contender cannot get ahead by leaving steps out.
 *
 * @typedef {object} Transaction
 * @property {number} operations  statements executed inside it
 * @property {number} expected    statements it must have at commit
 */

/**
 * @param {number} expected
 * @returns {Transaction}
 */
function begin(expected) {
  return { operations: 0, expected };
}

/** @param {Transaction} tx */
function isComplete(tx) {
  return tx.operations === tx.expected;
}

/** @param {Transaction} tx */
function incomplete(tx) {
  return new Error(
    `commit after ${tx.operations} of ${tx.expected} operations`,
  );
}

/**
 * Immediate form: every service answers with `Promise.resolve(value)`.
 *
 * @param {PromiseConstructor} P  the contender's promise class
 */
function createImmediateServices(P) {
  return {
    begin,
    putBlob: (stream) => P.resolve(stream + 1),
    getFile: () => P.resolve(null),
    createQuery: (path, versionId) => P.resolve({ path, versionId }),
    execute(tx, query) {
      tx.operations += 1;
      return P.resolve(query);
    },
    commit: (tx) => (isComplete(tx) ? P.resolve(tx) : P.reject(incomplete(tx))),
  };
}

/** One timer of 1 ms stands for the input/output of a service. */
function answer(callback, value) {
  setTimeout(callback, 1, null, value);
}

/** Timer form: node-style functions, answered by a timer. */
function createCallbackServices() {
  return {
    begin,
    putBlob: (stream, callback) => answer(callback, stream + 1),
    getFile: (path, callback) => answer(callback, null),
    createQuery: (path, versionId, callback) =>
      answer(callback, { path, versionId }),
    execute(tx, query, callback) {
      tx.operations += 1;
      answer(callback, query);
    },
    commit(tx, callback) {
      if (isComplete(tx)) answer(callback, tx);
      else setTimeout(callback, 1, incomplete(tx));
    },
  };
}

/**
 * The timer form as a contender sees it: the callbacks themselves for the
 * styles without promises, else lifted by the promisify of the contender.
 *
 * @param {{style: string, promisify?: Function}} contender
 */
function createTimerServices({ style, promisify }) {
  const services = createCallbackServices();
  if (style === 'callbacks' || style === 'waterfall') return services;
  return {
    begin,
    putBlob: promisify(services.putBlob),
    getFile: promisify(services.getFile),
    createQuery: promisify(services.createQuery),
    execute: promisify(services.execute),
    commit: promisify(services.commit),
  };
}

module.exports = { createImmediateServices, createTimerServices };

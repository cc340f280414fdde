'use strict';
/** props, allKeyed, allSettledKeyed: all and allSettled over the values of an object. */
const { CPromise } = require('./core');
const { create, settle } = require('./promise');
const { REJECTED } = require('./state');
const { install } = require('./install');
const { withInput } = require('./source');
const { readEntries, readOwnEntries, writeEntries } = require('./entries');
const { combineOwn, kinds } = require('./combinators');

/** Combines the values that `read` finds in `input` and puts the results under their keys. */
function keyed(input, read, kind, prototype) {
  const promise = create();
  let entries;
  try {
    entries = read(input);
  } catch (e) {
    settle(promise, e, REJECTED);
    return promise;
  }
  if (entries !== undefined) combineEntries(promise, entries, kind, prototype);
  else keyedLater(promise, input, read, kind, prototype);
  return promise;
}

/** The same when `input` is a thenable. */
function keyedLater(promise, input, read, kind, prototype) {
  withInput(
    input,
    read,
    (entries) => combineEntries(promise, entries, kind, prototype),
    (error) => settle(promise, error, REJECTED),
  );
}

function combineEntries(promise, entries, kind, prototype) {
  combineOwn(promise, kind, entries.values, (values) => writeEntries(entries, values, prototype));
}

const statics = {
  /**
   * An object with the same keys and the values of their promises, or a Map for a
   * Map. Getters are read once; the input stays as it is. The first rejection rejects.
   * @param {object|Map|PromiseLike} input its own enumerable string keys
   * @returns {Promise<object|Map>} rejected with a TypeError for what is neither
   * @see http://bluebirdjs.com/docs/api/promise.props.html
   */
  props(input) {
    return keyed(input, readEntries, kinds.all, Object.prototype);
  },

  /**
   * As `props` for objects, symbol keys too; the result has no prototype.
   * @see https://github.com/tc39/proposal-await-dictionary
   */
  allKeyed(input) {
    return keyed(input, readOwnEntries, kinds.all, null);
  },

  /** As `allKeyed`, with `{status, value | reason}` for each key; never rejects for an input. */
  allSettledKeyed(input) {
    return keyed(input, readOwnEntries, kinds.allSettled, null);
  },
};

const methods = {
  props() {
    return statics.props(this);
  },
  allKeyed() {
    return statics.allKeyed(this);
  },
  allSettledKeyed() {
    return statics.allSettledKeyed(this);
  },
};

install(CPromise, statics);
install(CPromise.prototype, methods);

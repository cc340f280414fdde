'use strict';
/** props, allKeyed, allSettledKeyed: all and allSettled over the values of an object. */
const { isMap } = require('#runtime');
const { CPromise } = require('./core');
const { createLike, settle, isObject } = require('./promise');
const { REJECTED } = require('./state');
const { install } = require('./install');
const { resultOf } = require('./features');
const { withInput } = require('./source');
const { readEntries, readOwnEntries, entriesOf, writeEntries, copy } = require('./entries');
const { Combination, combineJob, kinds } = require('./combinators');
const { keepShape } = require('./shapes');

/** The values of keys, of an object or a Map; the result is made anew. */
class KeyedCombination extends Combination {
  constructor(kind, entries, prototype) {
    super(kind, entries.values);
    this.entries = entries;
    this.prototype = prototype;
  }

  give(values) {
    return writeEntries(this.entries, values, this.prototype);
  }
}

/** The values of a copy of the input, which becomes the result: for few keys that is cheaper. */
class CopyCombination extends Combination {
  constructor(kind, copy, keys) {
    super(kind, copyValues(copy, keys));
    this.copy = copy;
    this.keys = keys;
  }

  give(values) {
    const { copy, keys } = this;
    for (let i = 0; i < keys.length; i++) copy[keys[i]] = values[i];
    return copy;
  }
}

function copyValues(copy, keys) {
  const values = new Array(keys.length);
  for (let i = 0; i < keys.length; i++) values[i] = copy[keys[i]];
  return values;
}

keepShape(new CopyCombination(kinds.props, {}, []));
keepShape(new KeyedCombination(kinds.props, entriesOf({}, []), null));

/** So many keys are few. */
const FEW = 32;

/**
 * Readers: the job over the values of `input`; undefined for a thenable.
 * @throws {TypeError} neither object nor Map; whatever a getter throws
 */
function readProps(input) {
  if (!isObject(input) || isMap(input)) return jobOf(readEntries(input));
  if (typeof input.then === 'function') return undefined;
  const keys = Object.keys(input);
  if (keys.length > FEW || Object.getOwnPropertySymbols(input).length > 0) return jobOf(entriesOf(input, keys));
  return new CopyCombination(kinds.props, copy(input), keys);
}

const jobOf = (entries) => entries && new KeyedCombination(kinds.props, entries, Object.prototype);

const readerOf = (kind) => (input) => {
  const entries = readOwnEntries(input);
  return entries && new KeyedCombination(kind, entries, null);
};
const readKeyed = readerOf(kinds.all);
const readKeyedSettled = readerOf(kinds.allSettled);

/** Combines the values that `read` finds in `input`, or in what it will be fulfilled with. */
function keyed(input, read) {
  const promise = createLike(input);
  try {
    const job = read(input);
    if (job !== undefined) combineJob(promise, job);
    else keyedLater(promise, input, read);
  } catch (e) {
    settle(promise, e, REJECTED);
  }
  return resultOf(promise, input);
}

function keyedLater(promise, input, read) {
  withInput(
    input,
    read,
    (job) => combineJob(promise, job),
    (error) => settle(promise, error, REJECTED),
  );
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
    return keyed(input, readProps);
  },

  /**
   * As `props` for objects, symbol keys too; the result has no prototype.
   * @see https://github.com/tc39/proposal-await-dictionary
   */
  allKeyed(input) {
    return keyed(input, readKeyed);
  },

  /** As `allKeyed`, with `{status, value | reason}` for each key; never rejects for an input. */
  allSettledKeyed(input) {
    return keyed(input, readKeyedSettled);
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

'use strict';
/** The keys and values of objects and Maps, taken apart and put together again. */
const { isMap } = require('#runtime');
const { isObject, describe } = require('./promise');
const { toInput } = require('./input');
const { claim } = require('./inputs');

const mapEntries = Map.prototype.entries;

function notAnObject(input) {
  return new TypeError(`expecting an object or a Map but got ${describe(input)}`);
}

/**
 * @returns {{keys: any[], values: any[], isMap: boolean} | undefined} undefined for a thenable
 * @throws {TypeError} neither object nor Map; whatever a getter throws
 */
function readEntries(input) {
  if (!isObject(input)) throw notAnObject(input);
  if (isMap(input)) {
    const keys = [];
    const values = [];
    for (const [key, value] of Reflect.apply(mapEntries, input, [])) {
      keys.push(key);
      values.push(value);
    }
    return { keys, values, isMap: true };
  }
  if (typeof input.then === 'function') return undefined;
  return entriesOf(input, Object.keys(input));
}

/** The entries of an object under these keys. @throws what a getter throws */
function entriesOf(input, keys) {
  return { keys, values: readValues(input, keys), isMap: false };
}

/** @throws what a getter throws; the promises read so far count as handled then */
function readValues(input, keys) {
  const values = [];
  try {
    for (let i = 0; i < keys.length; i++) values.push(input[keys[i]]);
  } catch (e) {
    for (const value of values) claim(toInput(value));
    throw e;
  }
  return values;
}

/**
 * A copy of an object: its own enumerable properties, without a prototype of its own.
 * @throws what a getter throws; the promises that are no getter's count as handled then
 */
function copy(object) {
  try {
    return { ...object };
  } catch (e) {
    claimProperties(object);
    throw e;
  }
}

function claimProperties(object) {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) claim(toInput(value));
}

/** The same for own enumerable string and symbol keys of an object. */
function readOwnEntries(input) {
  if (!isObject(input)) throw new TypeError(`expecting an object but got ${describe(input)}`);
  if (typeof input.then === 'function') return undefined;
  const isEnumerable = (key) => Object.getOwnPropertyDescriptor(input, key)?.enumerable === true;
  const keys = Reflect.ownKeys(input).filter(isEnumerable);
  return { keys, values: readValues(input, keys), isMap: false };
}

/** Puts `values` under the keys; an object gets `prototype`. */
function writeEntries({ keys, isMap: toMap }, values, prototype = Object.prototype) {
  if (toMap) return new Map(keys.map((key, i) => [key, values[i]]));
  const object = prototype === Object.prototype ? {} : Object.create(prototype);
  for (let i = 0; i < keys.length; i++) {
    // Assigning would call a setter of the prototype, such as that of __proto__.
    if (!(keys[i] in object)) object[keys[i]] = values[i];
    else Object.defineProperty(object, keys[i], { value: values[i], writable: true, enumerable: true, configurable: true });
  }
  return object;
}

module.exports = { readEntries, readOwnEntries, entriesOf, writeEntries, copy };

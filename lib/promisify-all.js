'use strict';
/** promisifyAll: a promisified twin beside each method of an object or a class. */
const { CPromise } = require('./core');
const { isObject, describe } = require('./promise');
const { install } = require('./install');
const { callbackFor, makePromisified, isPromisified, mark } = require('./promisify');

/** Prototypes of the language end the search for methods. */
const ROOTS = new Set([Object.prototype, Array.prototype, Function.prototype]);

const getDescriptor = Object.getOwnPropertyDescriptor;

/** The data properties of an object and of what it inherits, nearest first; no getter is called. */
function dataProperties(object) {
  const found = new Map();
  const seen = new Set();
  for (let o = object; o !== null && !ROOTS.has(o); o = Object.getPrototypeOf(o)) {
    for (const key of Object.getOwnPropertyNames(o)) {
      if (seen.has(key)) continue;
      seen.add(key);
      const descriptor = getDescriptor(o, key);
      if (descriptor !== undefined && 'value' in descriptor) found.set(key, descriptor.value);
    }
  }
  return found;
}

/** Whether a function makes instances that have methods, or has methods of its own that its code sets up. */
function isClass(fn) {
  if (typeof fn !== 'function') return false;
  const prototype = getDescriptor(fn, 'prototype');
  if (prototype === undefined || !isObject(prototype.value)) return false;
  if (prototype.writable === false) return true; // that of a class
  const keys = Object.getOwnPropertyNames(prototype.value);
  return keys.length > 1 || (keys.length === 1 && keys[0] !== 'constructor');
}

const defaultFilter = (name) => !name.startsWith('_');

/** @throws {TypeError} a name with the suffix stands beside the same name without */
function checkSuffix(methods, suffix) {
  for (const key of methods.keys()) {
    if (key.endsWith(suffix) && methods.has(key.slice(0, -suffix.length))) {
      throw new TypeError(`cannot promisify an object that has a method ${key} beside ${key.slice(0, -suffix.length)}: choose another suffix`);
    }
  }
}

/** The methods that get a twin. */
function promisifiable(object, { suffix, filter }) {
  const methods = new Map();
  for (const [key, value] of dataProperties(object)) {
    if (typeof value !== 'function' || key === 'constructor' || isPromisified(value) || hasTwin(object, key, suffix)) continue;
    const passes = defaultFilter(key);
    if (filter === undefined ? passes : filter(key, value, object, passes)) methods.set(key, value);
  }
  checkSuffix(methods, suffix);
  return methods;
}

/** Whether an object has a promisified method of that name itself, or a getter, which is left alone. */
function hasTwin(object, key, suffix) {
  const descriptor = getDescriptor(object, key + suffix);
  if (descriptor === undefined) return false;
  return !('value' in descriptor) || (typeof descriptor.value === 'function' && isPromisified(descriptor.value));
}

function promisifyMethods(object, options) {
  const { suffix, promisifier, nodeback } = options;
  for (const [key, fn] of promisifiable(object, options)) {
    const make = () => makePromisified(fn, nodeback, undefined, key);
    object[key + suffix] = promisifier === undefined ? make() : mark(promisifier(fn, make));
  }
}

/** @throws {TypeError} {RangeError} naming the option and its value */
function readOptions(options) {
  const read = isObject(options) ? options : {};
  const suffix = read.suffix ?? 'Async';
  const filter = read.filter ?? undefined;
  const promisifier = read.promisifier ?? undefined;
  if (typeof suffix !== 'string') throw new TypeError(`expecting suffix to be a string but got ${describe(suffix)}`);
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(suffix)) throw new RangeError(`expecting suffix to be an identifier but got ${describe(suffix)}`);
  for (const [name, value] of Object.entries({ filter, promisifier })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`expecting ${name} to be a function but got ${describe(value)}`);
  }
  return { suffix, filter, promisifier, nodeback: callbackFor(read) };
}

const statics = {
  /**
   * Gives each method of `target`, own or inherited, a promisified twin under its name
   * and a suffix. Of the classes among its properties the prototypes and the static
   * methods get theirs too. Getters are not called, symbols are left alone, and what
   * has been promisified stays as it is. The twin calls what the receiver has under
   * the name at that time.
   * @param {object|Function} target it is changed
   * @param {{suffix?: string, multiArgs?: boolean,
   *   filter?: (name: string, fn: Function, target: object, passesDefaultFilter: boolean) => boolean,
   *   promisifier?: (fn: Function, defaultPromisifier: () => Function) => Function}} [options]
   *   suffix: `Async` by default. filter: by default names that do not begin with `_`.
   * @returns {object|Function} target
   * @throws {TypeError} target is no object; there is a name with the suffix already
   * @throws {RangeError} suffix is no identifier
   * @see http://bluebirdjs.com/docs/api/promise.promisifyall.html
   */
  promisifyAll(target, options) {
    if (!isObject(target)) throw new TypeError(`expecting target to be an object or a function but got ${describe(target)}`);
    const read = readOptions(options);
    for (const [key, value] of dataProperties(target)) {
      if (key === 'constructor' || !isClass(value)) continue;
      promisifyMethods(value.prototype, read);
      promisifyMethods(value, read);
    }
    promisifyMethods(target, read);
    return target;
  },
};

install(CPromise, statics);

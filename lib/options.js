'use strict';
/** Checks of options, each error naming the option and its value. */
const { isObject, describe } = require('./promise');

/** The value of an option, or its default. @throws {TypeError} it is not what `test` takes */
function option(options, name, byDefault, test, expected) {
  const value = options[name];
  if (value === undefined) return byDefault;
  if (!test(value)) throw new TypeError(`expecting ${name} to be ${expected} but got ${describe(value)}`);
  return value;
}

/** @throws {TypeError} options is neither undefined nor an object */
function checkOptions(options) {
  if (options === undefined) return {};
  if (!isObject(options)) throw new TypeError(`expecting options to be an object but got ${describe(options)}`);
  return options;
}

const isFunction = (value) => typeof value === 'function';
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isLimit = (value) => value === Infinity || (Number.isSafeInteger(value) && value > 0);
const isTime = (value) => typeof value === 'number' && value >= 0;

const functionOption = (options, name) => option(options, name, undefined, isFunction, 'a function');
const countOption = (options, name, byDefault) => option(options, name, byDefault, (x) => isCount(x) || x === Infinity, 'a non-negative integer or Infinity');
const limitOption = (options, name, byDefault) => option(options, name, byDefault, isLimit, 'a positive integer or Infinity');
const timeOption = (options, name, byDefault) => option(options, name, byDefault, isTime, 'a number of milliseconds, not negative');
const numberOption = (options, name, byDefault) => option(options, name, byDefault, (x) => typeof x === 'number' && !Number.isNaN(x), 'a number');
const booleanOption = (options, name, byDefault) => option(options, name, byDefault, (x) => typeof x === 'boolean', 'a boolean');

module.exports = { checkOptions, option, functionOption, countOption, limitOption, timeOption, numberOption, booleanOption };

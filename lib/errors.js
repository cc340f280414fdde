'use strict';
/** The errors of the library. */

/**
 * The AggregateError of ES, array-like as that of Bluebird: each error stands at
 * its index too, and there is a `length`.
 */
function aggregate(errors, message) {
  const error = new AggregateError(errors, message);
  const { length } = errors;
  for (let i = 0; i < length; i++) {
    Object.defineProperty(error, i, { value: errors[i], writable: true, configurable: true });
  }
  Object.defineProperty(error, 'length', { value: length, writable: true, configurable: true });
  return error;
}

module.exports = { aggregate };

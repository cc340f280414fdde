'use strict';

/** Async functions that await promises of this library. */
module.exports = {
  ...require('./cpromise.js'),
  name: 'cpromise-async',
  style: 'async',
};

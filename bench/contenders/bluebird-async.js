'use strict';

/** Async functions that await promises of Bluebird. */
module.exports = {
  ...require('./bluebird.js'),
  name: 'bluebird-async',
  style: 'async',
};

'use strict';

/** Async functions that await native promises. */
module.exports = {
  ...require('./native.js'),
  name: 'native-async',
  style: 'async',
};

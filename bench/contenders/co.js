'use strict';

/** Generators that yield native promises, run by co. */
module.exports = {
  ...require('./native.js'),
  name: 'co',
  style: 'coroutine',
  load() {
    const { wrap } = require('co');
    return {
      ...require('./native.js').load(),
      coroutine: wrap,
      version: require('co/package.json').version,
    };
  },
};

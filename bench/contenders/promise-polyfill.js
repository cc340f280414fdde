'use strict';

const { promisifyOver } = require('../adapters.js');

/** promise-polyfill: handlers run in setImmediate. */
module.exports = {
  name: 'promise-polyfill',
  style: 'promises',
  load() {
    const P = require('promise-polyfill');
    return {
      Promise: P,
      promisify: promisifyOver(P),
      version: require('promise-polyfill/package.json').version,
    };
  },
};

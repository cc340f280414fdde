'use strict';

const { promisifyOver } = require('../adapters.js');

/** es6-promise: a polyfill of ES2015 that came out of RSVP. */
module.exports = {
  name: 'es6-promise',
  style: 'promises',
  load() {
    const { Promise: P } = require('es6-promise');
    return {
      Promise: P,
      promisify: promisifyOver(P),
      version: require('es6-promise/package.json').version,
    };
  },
};

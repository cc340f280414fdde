'use strict';

const { promisifyOver } = require('../adapters.js');

/** es6-promise-polyfill: its own class, which it exports beside the native one. */
module.exports = {
  name: 'es6-promise-polyfill',
  style: 'promises',
  load() {
    const { Polyfill } = require('es6-promise-polyfill');
    return {
      Promise: Polyfill,
      promisify: promisifyOver(Polyfill),
      version: require('es6-promise-polyfill/package.json').version,
    };
  },
};

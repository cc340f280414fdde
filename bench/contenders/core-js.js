'use strict';

const { loadWithoutNative, promisifyOver } = require('../adapters.js');

/** The polyfill of core-js, which it installs where there is no native promise. */
module.exports = {
  name: 'core-js',
  style: 'promises',
  load() {
    const P = loadWithoutNative(() => require('core-js/es/promise'));
    return {
      Promise: P,
      promisify: promisifyOver(P),
      version: require('core-js/package.json').version,
    };
  },
};

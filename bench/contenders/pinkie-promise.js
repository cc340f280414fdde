'use strict';

const { loadWithoutNative, promisifyOver } = require('../adapters.js');

/** Pinkie, which pinkie-promise gives where there is no native promise. */
module.exports = {
  name: 'pinkie-promise',
  style: 'promises',
  load() {
    const Pinkie = loadWithoutNative(() => require('pinkie-promise'));
    return {
      Promise: Pinkie,
      promisify: promisifyOver(Pinkie),
      version: require('pinkie-promise/package.json').version,
    };
  },
};

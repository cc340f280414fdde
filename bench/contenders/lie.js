'use strict';

const { promisifyOver } = require('../adapters.js');

/** lie: as small as A+ allows. */
module.exports = {
  name: 'lie',
  style: 'promises',
  load() {
    const P = require('lie');
    return {
      Promise: P,
      promisify: promisifyOver(P),
      version: require('lie/package.json').version,
    };
  },
};

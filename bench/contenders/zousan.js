'use strict';

const { promisifyOver } = require('../adapters.js');

/** Zousan: small, batches its handlers. */
module.exports = {
  name: 'zousan',
  style: 'promises',
  load() {
    const Zousan = require('zousan');
    return {
      Promise: Zousan,
      promisify: promisifyOver(Zousan),
      version: require('zousan/package.json').version,
    };
  },
};

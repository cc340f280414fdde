'use strict';

const { promisifyOver } = require('../adapters.js');

/** Vow, with its class of the ES form. */
module.exports = {
  name: 'vow',
  style: 'promises',
  load() {
    const vow = require('vow');
    return {
      Promise: vow.Promise,
      promisify: promisifyOver(vow.Promise),
      version: require('vow/package.json').version,
    };
  },
};

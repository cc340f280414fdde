'use strict';

const { createClass } = require('../adapters.js');

/** Kew: one small class, handlers of a settled promise run at once. */
module.exports = {
  name: 'kew',
  style: 'promises',
  load() {
    const kew = require('kew');
    return {
      Promise: createClass(kew),
      promisify: (fn) => kew.bindPromise(fn, null),
      version: require('kew/package.json').version,
    };
  },
};

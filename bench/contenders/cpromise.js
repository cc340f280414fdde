'use strict';

/** This library, as built in this checkout. */
module.exports = {
  name: 'cpromise',
  style: 'promises',
  load() {
    const CPromise = require('../..');
    return {
      Promise: CPromise,
      promisify: CPromise.promisify,
      coroutine: CPromise.coroutine,
      stats: CPromise.stats && (() => CPromise.stats()),
      version: require('../../package.json').version,
    };
  },
};

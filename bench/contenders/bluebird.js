'use strict';

/** Bluebird as it comes: no warnings, no long stack traces. */
module.exports = {
  name: 'bluebird',
  style: 'promises',
  load() {
    const Bluebird = require('bluebird');
    return {
      Promise: Bluebird,
      promisify: Bluebird.promisify,
      coroutine: Bluebird.coroutine,
      version: require('bluebird/package.json').version,
    };
  },
};

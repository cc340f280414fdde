'use strict';

/** Q, the library of the early years; handlers run in a queue of its own. */
module.exports = {
  name: 'q',
  style: 'promises',
  load() {
    const Q = require('q');
    return {
      Promise: Q.Promise,
      promisify: Q.denodeify,
      version: require('q/package.json').version,
    };
  },
};

'use strict';

/** when.js 3, with its scheduler. */
module.exports = {
  name: 'when',
  style: 'promises',
  load() {
    const when = require('when');
    return {
      Promise: when.Promise,
      promisify: require('when/node').lift,
      version: require('when/package.json').version,
    };
  },
};

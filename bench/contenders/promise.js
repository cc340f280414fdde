'use strict';

/** then/promise, without its ES6 extras. */
module.exports = {
  name: 'promise',
  style: 'promises',
  load() {
    const P = require('promise');
    return {
      Promise: P,
      promisify: P.denodeify,
      version: require('promise/package.json').version,
    };
  },
};

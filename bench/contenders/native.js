'use strict';

/** The promises of the JavaScript engine. */
module.exports = {
  name: 'native',
  style: 'promises',
  load: () => ({
    Promise,
    promisify: require('node:util').promisify,
    version: null, // that of the runtime
  }),
};

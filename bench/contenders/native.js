'use strict';

/** The promises of the JavaScript engine. */
module.exports = {
  name: 'native',
  style: 'promises',
  load: () => ({
    Promise,
    promisify: require('node:util').promisify,
    delay: require('node:timers/promises').setTimeout,
    version: null, // that of the runtime
  }),
};

'use strict';

/** The package delay over native promises; takes part in the suite of delays only. */
module.exports = {
  name: 'delay',
  style: 'time',
  load() {
    const delay = require('delay').default;
    return {
      delay: (ms, value) => delay(ms, { value }),
      version: require('../../node_modules/delay/package.json').version,
    };
  },
};

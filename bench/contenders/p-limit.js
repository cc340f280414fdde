'use strict';

/** p-limit over native promises; takes part in the suite of limits only. */
module.exports = {
  name: 'p-limit',
  style: 'time',
  load() {
    const limit = require('p-limit').default;
    return { limit, version: require('../../node_modules/p-limit/package.json').version };
  },
};

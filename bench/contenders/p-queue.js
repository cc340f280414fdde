'use strict';

/** p-queue over native promises; takes part in the suite of limits only. */
module.exports = {
  name: 'p-queue',
  style: 'time',
  load() {
    const PQueue = require('p-queue').default;
    return {
      queue: (options) => new PQueue(options),
      version: require('../../node_modules/p-queue/package.json').version,
    };
  },
};

'use strict';

/** Callbacks in waterfalls of the async library. */
module.exports = {
  name: 'async',
  style: 'waterfall',
  load() {
    const { waterfall, parallel } = require('async');
    return { waterfall, parallel, version: require('async/package.json').version };
  },
};

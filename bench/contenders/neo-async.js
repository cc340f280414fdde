'use strict';

/** Callbacks in waterfalls of neo-async. */
module.exports = {
  name: 'neo-async',
  style: 'waterfall',
  load() {
    const { waterfall, parallel } = require('neo-async');
    return { waterfall, parallel, version: require('neo-async/package.json').version };
  },
};

'use strict';

/** p-map over native promises; takes part in the suites of map only. */
module.exports = {
  name: 'p-map',
  style: 'collections',
  load() {
    const pMap = require('p-map').default;
    return {
      Promise,
      map: pMap,
      version: require('../../node_modules/p-map/package.json').version,
    };
  },
};

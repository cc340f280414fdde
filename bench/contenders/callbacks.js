'use strict';

/** The floor: node-style callbacks, no promise at all. */
module.exports = {
  name: 'callbacks',
  style: 'callbacks',
  load: () => ({ version: null }), // that of the runtime
};

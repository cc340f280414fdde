'use strict';

/** RSVP, which Ember uses. */
module.exports = {
  name: 'rsvp',
  style: 'promises',
  load() {
    const RSVP = require('rsvp');
    return {
      Promise: RSVP.Promise,
      promisify: RSVP.denodeify,
      version: require('rsvp/package.json').version,
    };
  },
};

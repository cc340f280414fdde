'use strict';

const { createClass } = require('../adapters.js');

/** deferred: handlers run at once, also those of settled promises. */
module.exports = {
  name: 'deferred',
  style: 'promises',
  load() {
    const deferred = require('deferred');
    return {
      Promise: createClass({
        defer: () => deferred(),
        resolve: (value) => deferred.resolve(value),
        reject: (reason) => deferred.reject(reason),
        all: (inputs) => deferred.map(inputs),
      }),
      promisify: deferred.promisify,
      version: require('deferred/package.json').version,
    };
  },
};

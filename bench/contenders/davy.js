'use strict';

const { promisifyOver } = require('../adapters.js');

/** Davy. Its own `resolve` takes functions and thenables only, so `defer` does that part. */
module.exports = {
  name: 'davy',
  style: 'promises',
  load() {
    const Davy = require('davy');
    function create(executor) {
      return new Davy(executor);
    }
    function resolve(value) {
      const deferred = Davy.defer();
      deferred.fulfill(value);
      return deferred.promise;
    }
    return {
      Promise: Object.assign(create, { resolve, reject: Davy.reject, all: Davy.all, race: Davy.race }),
      promisify: promisifyOver(Davy),
      version: require('davy/package.json').version,
    };
  },
};

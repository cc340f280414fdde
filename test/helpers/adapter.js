'use strict';

// The globals promises-aplus-tests and promises-es6-tests look for.

const { P } = require('./subject');
const { deferred } = require('./util');

globalThis.assert = require('node:assert');
globalThis.Promise = P;
globalThis.adapter = {
  deferred: () => deferred(P),
  resolved: (value) => P.resolve(value),
  rejected: (reason) => P.reject(reason),
};

// The suites reject promises nobody handles.
process.on('unhandledRejection', () => {});

'use strict';
/** Runs promises-aplus-tests in mocha's own page; globalThis.ended is what it came to. */

// The suite rejects promises that nobody handles.
globalThis.addEventListener('unhandledrejection', (event) => event.preventDefault());

const P = require('cpromise');

const { mocha } = globalThis;
mocha.setup({ ui: 'bdd', timeout: 10_000, slow: Infinity });

globalThis.adapter = {
  deferred: () => P.withResolvers(),
  resolved: (value) => P.resolve(value),
  rejected: (reason) => P.reject(reason),
};

require('promises-aplus-tests/lib/tests/*.js'); // the bundler takes them all

globalThis.ended = new Promise((resolve) => {
  const failures = [];
  const runner = mocha.run(() => resolve({ host: P.host, passes: runner.stats.passes, failures }));
  runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}: ${error.message}`));
});

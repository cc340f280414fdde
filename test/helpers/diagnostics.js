'use strict';

// What the tests of config, long stack traces, warnings and monitoring share.

const { isNative, P } = require('./subject');
const { Bluebird, macro } = require('./util');

const OFF = { longStackTraces: false, warnings: false, monitoring: false };

/** A class to be configured: ours, which is put back afterwards, or a copy of Bluebird, which is thrown away. */
const libraries = [['cpromise', () => P], ['bluebird', () => Bluebird.getNewLibraryCopy()]];

/**
 * The tests of one file: `shared(name, configured)` for what Bluebird does alike, run on
 * both, `own()` for what is ours. Native promises have none of it.
 */
function diagnosticTests(title, shared, own) {
  (isNative ? describe.skip : describe)(title, () => {
    for (const [name, load] of libraries) {
      describe(`as in Bluebird: ${name}`, () => {
        shared((options, body) => configured(load(), options, body));
      });
    }
    if (own) own((options, body) => configured(P, options, body));
  });
}

/** Runs body(C) on a class with some options, and waits for it. */
async function configured(C, options, body) {
  C.config(options);
  try {
    return await body(C);
  } finally {
    C.config(OFF);
  }
}

/** What the process emits as `events` during body() and shortly after, as [event, ...arguments]; nobody else hears of it. */
async function emitted(events, body) {
  const saved = events.map((event) => process.listeners(event));
  const log = [];
  for (const event of events) {
    process.removeAllListeners(event);
    process.on(event, (...args) => log.push([event, ...args]));
  }
  try {
    await body(log);
    for (let i = 0; i < 6; i++) await macro();
  } finally {
    events.forEach((event, i) => {
      process.removeAllListeners(event);
      for (const listener of saved[i]) process.on(event, listener);
    });
  }
  return log;
}

/** The warnings during body(). */
async function warnings(body) {
  return (await emitted(['warning'], body)).map(([, warning]) => warning);
}

/** The parts of a long stack trace, each as the names of its functions that start with an upper-case letter. */
function partsOf(stack) {
  return stack.split('From previous event:').map((part) => [...part.matchAll(/^\s*at (?:new )?(?:async )?(?:\w+\.)?([A-Z]\w*) \(/gm)].map((m) => m[1]));
}

module.exports = { configured, diagnosticTests, emitted, libraries, partsOf, warnings };

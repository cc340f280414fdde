'use strict';
/** Prints what the library came to, as JSON. */
const { AsyncLocalStorage } = require('node:async_hooks');
const P = require('../../..');
const { broad } = require('../../fixtures/broad');

async function main() {
  const storage = new AsyncLocalStorage();
  const { promise, resolve } = P.withResolvers();
  const store = storage.run('kept', () => promise.then(() => storage.getStore()));
  resolve();

  const events = [];
  process.on('unhandledRejection', (reason, rejected) => events.push('unhandled', reason, rejected instanceof P));
  process.on('rejectionHandled', (rejected) => events.push('handled', rejected instanceof P));
  const rejected = P.reject('r');
  await P.delay(10);
  rejected.catch(() => {});
  await P.delay(10);

  console.log(JSON.stringify({ host: P.host, results: await broad(P), store: await store, events }));
}

main();

/* global test */
'use strict';

// Fails, and is to tell why.

const P = require('cpromise');

test('a rejection that nobody handles', async () => {
  P.reject(new Error('left alone'));
  await P.delay(5);
});

test('another test', async () => {
  await P.delay(5);
});

test('an error in a handler', async () => {
  P.resolve().then(() => { throw new Error('thrown'); });
  await P.delay(5);
});

/* global test */
'use strict';

// Fails, and is to tell why.

const P = require('cpromise');

test('a rejection that nobody handles', async () => {
  P.reject(new Error('left alone'));
  await P.delay(5);
});

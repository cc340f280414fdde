/* global jest, expect, test */
'use strict';

// Timers are faked before the library is loaded.

test('promises do not wait for them', async () => {
  const P = require('cpromise');
  expect(await P.map([1, P.resolve(2)], (x) => P.resolve(2 * x))).toEqual([2, 4]);
});

test('delay and timeout follow', async () => {
  const P = require('cpromise');
  const late = new P(() => {}).timeout(60_000).catch(P.TimeoutError, () => 'late');
  const delayed = P.delay(30_000, 'delayed');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await P.all([late, delayed])).toEqual(['late', 'delayed']);
});

/* global jest, expect, expected, test */
'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const P = require('cpromise');
const { broad, EXPECTED } = require('../../fixtures/broad');

test('the host is the one that there is to be', () => {
  expect(P.host).toBe(expected.host);
});

test('a little of everything', async () => {
  expect(await broad(P)).toEqual(EXPECTED);
});

test('resolves and rejects', async () => {
  await expect(P.delay(1, 'x')).resolves.toBe('x');
  await expect(P.reject(new RangeError('r'))).rejects.toThrow(RangeError);
});

test('a promise that is returned is waited for', () => P.delay(5).then(() => expect(1).toBe(1)));

test('await in the test, errors of its own realm', async () => {
  const error = await P.reject(new TypeError('t')).catch(TypeError, (e) => e);
  expect(error).toBeInstanceOf(TypeError);
  await expect(P.all(5)).rejects.toThrow(TypeError);
});

test('another copy works on its own or is the same', async () => {
  const Q = P.getNewLibraryCopy();
  expect(await Q.resolve(1).then((x) => x + 1)).toBe(2);
});

test('as the global one', async () => {
  const { Promise: previous } = globalThis;
  globalThis.Promise = P;
  try {
    expect(await (async () => Promise.all([Promise.resolve(1), new Promise((resolve) => setTimeout(resolve, 1, 2))]))()).toEqual([1, 2]);
  } finally {
    globalThis.Promise = previous;
  }
});

test('contexts are kept where there are any', async () => {
  const storage = new AsyncLocalStorage();
  const d = P.withResolvers();
  const seen = storage.run('kept', () => d.promise.then(() => storage.getStore()));
  d.resolve();
  expect(await seen).toBe(expected.hasContexts ? 'kept' : undefined);
});

test('modules that are reset, and loaded again', async () => {
  jest.resetModules();
  const Q = require('cpromise');
  expect(Q).not.toBe(P);
  expect(await Q.all([Q.delay(1, 1), P.delay(1, 2)])).toEqual([1, 2]);
});

test('fake timers: delay and timeout follow them', async () => {
  jest.useFakeTimers();
  try {
    const log = [];
    P.delay(60_000, 'delayed').then((x) => log.push(x));
    new P(() => {}).timeout(30_000).catch(P.TimeoutError, () => log.push('timed out'));
    await jest.advanceTimersByTimeAsync(29_999);
    expect(log).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(log).toEqual(['timed out']);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(log).toEqual(['timed out', 'delayed']);

    const limited = P.retry((n) => (n < 2 ? P.reject(new Error('again')) : n), { minTimeout: 1000, randomize: false });
    await jest.runAllTimersAsync();
    expect(await limited).toBe(2);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
  expect(await P.delay(1, 'real again')).toBe('real again');
});

test('fake timers: promises do not wait for them', async () => {
  jest.useFakeTimers();
  try {
    expect(await P.map([1, P.resolve(2)], (x) => P.resolve(2 * x))).toEqual([2, 4]);
  } finally {
    jest.useRealTimers();
  }
});

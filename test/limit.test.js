'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const { collectionTests, numbers } = require('./helpers/collections');

/** A function of tasks that end when told, and what is under way. */
function controlled() {
  const running = [];
  const started = [];
  const task = (name) => {
    const { promise, resolve, reject } = deferred(P);
    started.push(name);
    running.push({ name, resolve, reject });
    return promise;
  };
  return { task, running, started };
}

collectionTests('limit', undefined, () => {
  it('starts so many at a time, in the order of the calls, never during the call', async () => {
    const limit = P.limit(2);
    const { task, running, started } = controlled();
    const results = ['a', 'b', 'c', 'd'].map((name) => limit(task, name));
    assert.deepEqual(started, []);
    await macro();
    assert.deepEqual(started, ['a', 'b']);
    running[1].resolve('B');
    await macro();
    assert.deepEqual(started, ['a', 'b', 'c']);
    running[0].resolve('A');
    running[2].resolve('C');
    await macro();
    running[3].resolve('D');
    assert.deepEqual(await P.all(results), ['A', 'B', 'C', 'D']);
  });

  it('gives the outcome of the call, whatever it is', async () => {
    const limit = P.limit(1);
    assert.equal(await limit((a, b) => a + b, 1, 2), 3);
    assert.equal(await limit(() => later(P, 'fulfilled', 1)), 1);
    assert.equal(await limit(() => Native.resolve(2)), 2);
    assert.equal(await limit(() => ({ then(f) { f(3); } })), 3);
    assert.equal(await rejection(limit(() => { throw 'thrown'; })), 'thrown');
    assert.equal(await rejection(limit(() => P.reject('no'))), 'no');
    assert.equal(await rejection(limit(() => Native.reject('native'))), 'native');
    assert.equal(limit.activeCount, 0);
    assert.ok(limit(() => {}) instanceof P);
  });

  it('counts', async () => {
    const limit = P.limit(2);
    const { task, running } = controlled();
    const results = numbers(5).map((i) => limit(task, i));
    assert.deepEqual([limit.activeCount, limit.pendingCount], [0, 5]);
    await macro();
    assert.deepEqual([limit.activeCount, limit.pendingCount], [2, 3]);
    running[0].resolve();
    await macro();
    assert.deepEqual([limit.activeCount, limit.pendingCount], [2, 2]);
    for (let i = 1; i < 5; i++) {
      running[i].resolve();
      await macro();
    }
    await P.all(results);
    assert.deepEqual([limit.activeCount, limit.pendingCount], [0, 0]);
  });

  it('concurrency may be set', async () => {
    const limit = P.limit(1);
    const { task, running, started } = controlled();
    const results = numbers(6).map((i) => limit(task, i));
    await macro();
    assert.equal(started.length, 1);
    limit.concurrency = 3;
    assert.equal(limit.concurrency, 3);
    await macro();
    assert.equal(started.length, 3);
    limit.concurrency = 1;
    running[0].resolve();
    running[1].resolve();
    await macro();
    assert.equal(started.length, 3);
    running[2].resolve();
    await macro();
    assert.equal(started.length, 4);
    limit.concurrency = Infinity;
    await macro();
    assert.equal(started.length, 6);
    running.forEach(({ resolve }) => resolve());
    await P.all(results);
    for (const bad of [0, -1, 1.5, NaN, '1', null]) assert.throws(() => { limit.concurrency = bad; }, TypeError);
    assert.equal(limit.concurrency, Infinity);
  });

  it('clearQueue rejects what waits', async () => {
    const limit = P.limit(1);
    const { task, running, started } = controlled();
    const first = limit(task, 1);
    const others = [limit(task, 2), limit(task, 3)];
    await macro();
    limit.clearQueue();
    assert.equal(limit.pendingCount, 0);
    for (const p of others) assert.equal((await rejection(p)).name, 'AbortError');
    const next = limit(task, 4);
    running[0].resolve('first');
    assert.equal(await first, 'first');
    await macro();
    running[1].resolve('next');
    assert.equal(await next, 'next');
    assert.deepEqual(started, [1, 4]);
  });

  it('map', async () => {
    const limit = P.limit(2);
    let active = 0;
    let most = 0;
    const result = await limit.map(new Set([1, 2, 3, 4, 5]), async (x, index) => {
      most = Math.max(most, ++active);
      await macro();
      active--;
      return x * 10 + index;
    });
    assert.deepEqual(result, [10, 21, 32, 43, 54]);
    assert.equal(most, 2);
    assert.equal(await rejection(limit.map([1], () => { throw 'no'; })), 'no');
    assert.ok((await rejection(limit.map(1, () => {}))) instanceof TypeError);
    assert.ok((await rejection(limit.map([1], 1))) instanceof TypeError);
  });

  it('a task that makes tasks', async () => {
    const limit = P.limit(2);
    const log = [];
    await limit(() => {
      log.push('outer');
      limit(() => log.push('inner'));
    });
    await macro();
    assert.deepEqual(log, ['outer', 'inner']);
  });

  it('200,000 tasks', async () => {
    const limit = P.limit(3);
    let calls = 0;
    await P.all(Array.from({ length: 200_000 }, () => limit(() => { calls++; })));
    assert.equal(calls, 200_000);
    assert.equal(limit.activeCount, 0);
  });

  it('wrong arguments', async () => {
    for (const bad of [undefined, null, 0, -1, 1.5, NaN, '2', {}]) assert.throws(() => P.limit(bad), TypeError);
    assert.throws(() => P.limit(0), { message: 'expecting concurrency to be a positive integer or Infinity but got 0' });
    const error = await rejection(P.limit(1)(1));
    assert.ok(error instanceof TypeError);
    assert.equal(error.message, 'expecting the function to be a function but got 1');
  });

  it('a task sees the store of its call', async () => {
    const als = new AsyncLocalStorage();
    const limit = P.limit(1);
    const seen = await P.all([1, 2, 3].map((i) => als.run(i, () => limit(() => als.getStore()))));
    assert.deepEqual(seen, [1, 2, 3]);
    als.disable();
  });
});

collectionTests('semaphore and mutex', undefined, () => {
  it('acquire gives the places in order; release gives one back, once', async () => {
    const semaphore = P.semaphore(2);
    const log = [];
    const [a, b] = await P.all([semaphore.acquire(), semaphore.acquire()]);
    assert.ok(semaphore.isLocked());
    semaphore.acquire().then(() => log.push('c'));
    semaphore.acquire().then(() => log.push('d'));
    await macro();
    assert.deepEqual(log, []);
    assert.equal(semaphore.pendingCount, 2);
    a();
    a();
    await macro();
    assert.deepEqual(log, ['c']);
    b();
    await macro();
    assert.deepEqual(log, ['c', 'd']);
  });

  it('available', async () => {
    const semaphore = P.semaphore(2);
    assert.equal(semaphore.available, 2);
    const release = await semaphore.acquire();
    assert.equal(semaphore.available, 1);
    assert.ok(!semaphore.isLocked());
    release();
    await macro();
    assert.equal(semaphore.available, 2);
  });

  it('runExclusive', async () => {
    const mutex = P.mutex();
    const log = [];
    const run = (name, fail) => mutex.runExclusive(async () => {
      log.push(`${name} begins`);
      await macro();
      log.push(`${name} ends`);
      if (fail) throw name;
      return name;
    });
    const settled = await P.allSettled([run('a'), run('b', true), run('c')]);
    assert.deepEqual(settled.map((x) => x.value ?? x.reason), ['a', 'b', 'c']);
    assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    assert.ok(!mutex.isLocked());
    assert.ok((await rejection(mutex.runExclusive(1))) instanceof TypeError);
  });

  if (Symbol.dispose) {
    it('a release can be disposed of', async () => {
      const mutex = P.mutex();
      const release = await mutex.acquire();
      release[Symbol.dispose]();
      await macro();
      assert.ok(!mutex.isLocked());
    });
  }

  it('wrong arguments', () => {
    for (const bad of [undefined, 0, -1, 1.5, '1']) assert.throws(() => P.semaphore(bad), TypeError);
  });
});

'use strict';

// delay and timeout while promises can be cancelled.

const assert = require('node:assert/strict');
const { P, isNative } = require('./helpers/subject');
const { Bluebird, deferred, macro, outcome, rejection, sleep } = require('./helpers/util');
const { withFakeClock } = require('./helpers/clock');
const { run } = require('./helpers/child');

/** Copies that can cancel, so that the other tests see nothing of it. */
const copies = isNative ? {} : { cpromise: P.getNewLibraryCopy(), bluebird: Bluebird.getNewLibraryCopy() };
for (const C of Object.values(copies)) C.config({ cancellation: true });

function cancellable(C, log, name = 'cancelled') {
  return new C((resolve, reject, onCancel) => onCancel(() => { log.push(name); }));
}

async function turns() {
  for (let i = 0; i < 4; i++) await macro();
}

function shared(C) {
  it('without cancelling nothing changes', async () => {
    assert.equal(await C.delay(1, 'x'), 'x');
    assert.equal(await C.delay(1, C.delay(1, 'x')), 'x');
    assert.equal(await C.resolve('x').delay(1), 'x');
    assert.equal(await C.delay(1, 'x').timeout(1000), 'x');
    assert.equal(await rejection(C.reject('x').timeout(1000)), 'x');
    assert.equal(await rejection(C.delay(1, C.reject('x'))), 'x');
    assert.equal((await rejection(new C(() => {}).timeout(1))).name, 'TimeoutError');
  });

  it('a delay that is cancelled calls no handler and leaves no timer', async () => {
    await withFakeClock(async (clock) => {
      const log = [];
      const p = C.delay(10);
      p.then(() => log.push('then'), () => log.push('catch')).finally(() => { log.push('finally'); });
      assert.equal(clock.pending, 1);
      p.cancel();
      await turns();
      assert.deepEqual([log, clock.pending], [['finally'], 0]);
      assert.ok(p.isCancelled());
      clock.tick(20);
      await turns();
      assert.deepEqual(log, ['finally']);
    });
  });

  it('from below', async () => {
    const log = [];
    const p = C.delay(5);
    const child = p.then(() => log.push('then'));
    child.cancel();
    await turns();
    assert.ok(p.isCancelled() && child.isCancelled());
    await sleep(20);
    assert.deepEqual(log, []);
  });

  it('a delay cancels the promise that it waits for', async () => {
    const log = [];
    C.delay(1, cancellable(C, log)).cancel();
    cancellable(C, log).delay(1).cancel();
    await turns();
    assert.deepEqual(log, ['cancelled', 'cancelled']);
  });

  it('a timeout that is cancelled cancels its promise and leaves no timer', async () => {
    await withFakeClock(async (clock) => {
      const log = [];
      const p = cancellable(C, log);
      const q = p.timeout(10);
      assert.equal(clock.pending, 1);
      q.cancel();
      await turns();
      assert.deepEqual([log, clock.pending], [['cancelled'], 0]);
      assert.ok(p.isCancelled() && q.isCancelled());
    });
  });

  it('a promise that takes too long is cancelled', async () => {
    const log = [];
    const p = cancellable(C, log);
    assert.equal((await rejection(p.timeout(1))).name, 'TimeoutError');
    await turns();
    assert.deepEqual(log, ['cancelled']);
    assert.ok(p.isCancelled());
  });

  it('unless somebody else waits for it', async () => {
    const log = [];
    const d = deferred(C);
    const p = d.promise;
    const other = p.then((x) => { log.push(x); });
    assert.equal((await rejection(p.timeout(1))).name, 'TimeoutError');
    await turns();
    assert.ok(!p.isCancelled());
    d.resolve('x');
    await other;
    assert.deepEqual(log, ['x']);
  });

  it('a delay in a race', async () => {
    assert.equal(await C.race([C.delay(1, 'first'), C.delay(1000, 'second')]), 'first');
    const all = C.all([C.delay(1000), C.delay(1000)]);
    all.cancel();
    await turns();
    assert.ok(all.isCancelled());
  });
}

(isNative ? describe.skip : describe)('timers: cancellation', () => {
  for (const [name, C] of Object.entries(copies)) describe(`as in Bluebird: ${name}`, () => shared(C));

  describe('what only ours does', () => {
    const C = copies.cpromise;

    it('an await of one that is cancelled rejects', async () => {
      const p = C.delay(1000);
      const awaited = (async () => { await p; })();
      await macro();
      p.cancel();
      assert.equal((await outcome(awaited)).reason.name, 'CancellationError');
    });

    it('a fallback is not called when it is cancelled', async () => {
      let called = 0;
      const p = new C(() => {}).timeout(5, undefined, { fallback: () => { called++; } });
      p.cancel();
      await sleep(20);
      assert.equal(called, 0);
    });

    it('a signal is let go of', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const { getEventListeners } = require('node:events');
      const all = [C.delay(1000, 1, { signal }), new C(() => {}).timeout(1000, undefined, { signal })];
      for (const p of all) p.cancel();
      await turns();
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });

    it('nothing keeps the process alive', async () => {
      const r = await run(`
        P.config({ cancellation: true });
        const all = [P.delay(100000), P.delay(100000, P.delay(100000)), new P(() => {}).timeout(100000), P.delay(1, 'x').timeout(100000)];
        all[3].then(console.log);
        setTimeout(() => { for (const p of all.slice(0, 3)) p.cancel(); }, 5);`);
      assert.deepEqual([r.stdout, r.stderr, r.status], ['x\n', '', 0]);
    });
  });
});

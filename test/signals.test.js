'use strict';

const assert = require('node:assert/strict');
const { getEventListeners } = require('node:events');
const { P, isNative } = require('./helpers/subject');
const { deferred, macro, rejection } = require('./helpers/util');

const listeners = (signal) => getEventListeners(signal, 'abort').length;

(isNative ? describe.skip : describe)('new Promise(executor, {signal})', () => {
  it('is rejected with the reason', async () => {
    const controller = new AbortController();
    const p = new P(() => {}, { signal: controller.signal });
    assert.equal(listeners(controller.signal), 1);
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
    assert.equal(listeners(controller.signal), 0);
  });

  it('is rejected at once by a signal that is aborted; the executor runs', async () => {
    let ran = false;
    const p = new P(() => { ran = true; }, { signal: AbortSignal.abort('before') });
    assert.equal(await rejection(p), 'before');
    assert.ok(ran);
  });

  it('has the outcome of the executor when that comes first, and lets go of the signal', async () => {
    const { signal } = new AbortController();
    assert.equal(await new P((resolve) => resolve(1), { signal }), 1);
    assert.equal(await rejection(new P((resolve, reject) => reject(2), { signal })), 2);
    assert.equal(await rejection(new P(() => { throw 3; }, { signal })), 3);
    assert.equal(listeners(signal), 0);
  });

  it('is rejected while it waits for what it was resolved with', async () => {
    const controller = new AbortController();
    const { promise, reject } = deferred(P);
    const p = new P((resolve) => resolve(promise), { signal: controller.signal });
    await macro();
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
    reject(new Error('nobody minds'));
    await macro();
  });

  it('a later rejection of the executor is no unhandled one', async () => {
    const controller = new AbortController();
    const p = new P((resolve, reject) => setImmediate(() => reject(new Error('late'))), { signal: controller.signal });
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
    await macro();
    await macro();
  });

  it('subclasses', async () => {
    class Sub extends P {}
    const controller = new AbortController();
    const p = new Sub(() => {}, { signal: controller.signal });
    assert.ok(p instanceof Sub);
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
  });

  it('can be cancelled', async () => {
    const C = P.getNewLibraryCopy().config({ cancellation: true });
    const log = [];
    const { signal } = new AbortController();
    const p = new C((resolve, reject, onCancel) => onCancel(() => log.push('cancelled')), { signal });
    p.cancel();
    await macro();
    assert.ok(p.isCancelled());
    assert.deepEqual(log, ['cancelled']);
    assert.equal(listeners(signal), 0);
  });

  it('wrong options', () => {
    for (const options of [null, 1, 'x', { signal: 1 }, { signal: {} }, { signal: null }]) {
      assert.throws(() => new P(() => {}, options), TypeError);
    }
    assert.equal(P.length, 1);
    assert.ok(new P(() => {}, {}) instanceof P);
  });
});

(isNative ? describe.skip : describe)('fromSignal', () => {
  it('is rejected with the reason', async () => {
    const controller = new AbortController();
    const p = P.fromSignal(controller.signal);
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
    assert.equal(await rejection(P.fromSignal(AbortSignal.abort('before'))), 'before');
    assert.equal(listeners(controller.signal), 0);
  });

  it('wrong arguments', async () => {
    for (const x of [undefined, null, 1, {}]) assert.ok((await rejection(P.fromSignal(x))) instanceof TypeError);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const { collectionTests, numbers } = require('./helpers/collections');

collectionTests('queue', undefined, () => {
  it('runs the tasks and gives their outcomes', async () => {
    const queue = P.queue({ concurrency: 2 });
    let active = 0;
    let most = 0;
    const task = (i) => queue.add(async () => {
      most = Math.max(most, ++active);
      await macro();
      active--;
      return i;
    });
    assert.deepEqual(await P.all(numbers(6).map(task)), numbers(6));
    assert.equal(most, 2);
    assert.equal(await rejection(queue.add(() => { throw 'thrown'; })), 'thrown');
    assert.equal(await rejection(queue.add(() => later(P, 'rejected', 'no'))), 'no');
    assert.ok(queue.add(() => {}) instanceof P);
  });

  it('the highest priority first, of equal ones first come, first served', async () => {
    const queue = P.queue({ concurrency: 1, autoStart: false });
    const log = [];
    const add = (name, priority) => queue.add(() => { log.push(name); }, priority === undefined ? undefined : { priority });
    add('a');
    add('b', 1);
    add('c', -0.5);
    add('d', 1);
    add('e', Infinity);
    add('f', 0);
    add('g', -0.5);
    assert.deepEqual([queue.size, queue.pending, queue.isPaused], [7, 0, true]);
    assert.equal(queue.start(), queue);
    await queue.onIdle();
    assert.equal(log.join(''), 'ebdafcg');
  });

  it('pause and start', async () => {
    const queue = P.queue({ concurrency: 1 });
    const log = [];
    const gate = deferred(P);
    queue.add(() => gate.promise);
    queue.add(() => { log.push('second'); });
    await macro();
    queue.pause();
    gate.resolve();
    await macro();
    assert.deepEqual([queue.size, queue.pending, log.length], [1, 0, 0]);
    queue.start();
    await queue.onIdle();
    assert.deepEqual(log, ['second']);
  });

  it('clear rejects what waits, what runs goes on', async () => {
    const queue = P.queue({ concurrency: 1 });
    const gate = deferred(P);
    const first = queue.add(() => gate.promise);
    const waiting = queue.addAll([() => 1, () => 2]);
    await macro();
    queue.clear();
    assert.equal(queue.size, 0);
    assert.equal((await rejection(waiting)).name, 'AbortError');
    gate.resolve('done');
    assert.equal(await first, 'done');
  });

  it('onEmpty, onIdle, onSizeLessThan', async () => {
    const queue = P.queue({ concurrency: 1 });
    const log = [];
    await queue.onEmpty();
    await queue.onIdle();
    const gates = numbers(3).map(() => deferred(P));
    gates.forEach((gate) => queue.add(() => gate.promise));
    queue.onSizeLessThan(2).then(() => log.push('less'));
    queue.onEmpty().then(() => log.push('empty'));
    queue.onIdle().then(() => log.push('idle'));
    await macro();
    assert.deepEqual(log, []);
    gates[0].resolve();
    await macro();
    assert.deepEqual(log, ['less']);
    gates[1].resolve();
    await macro();
    assert.deepEqual(log, ['less', 'empty']);
    gates[2].resolve();
    await macro();
    assert.deepEqual(log, ['less', 'empty', 'idle']);
  });

  it('a signal takes a task out that waits', async () => {
    const queue = P.queue({ concurrency: 1 });
    const gate = deferred(P);
    queue.add(() => gate.promise);
    const controller = new AbortController();
    let ran = false;
    const aborted = queue.add(() => { ran = true; }, { signal: controller.signal });
    const last = queue.add(() => 'last');
    await macro();
    assert.equal(queue.size, 2);
    controller.abort('enough');
    assert.equal(queue.size, 1);
    assert.equal(await rejection(aborted), 'enough');
    gate.resolve();
    assert.equal(await last, 'last');
    assert.equal(ran, false);
    assert.equal(await rejection(queue.add(() => {}, { signal: AbortSignal.abort('before') })), 'before');
    await queue.onIdle();
  });

  it('a signal rejects a task that runs, which keeps its place until it ends', async () => {
    const queue = P.queue({ concurrency: 1 });
    const gate = deferred(P);
    const controller = new AbortController();
    let given;
    const running = queue.add(({ signal }) => {
      given = signal;
      return gate.promise;
    }, { signal: controller.signal });
    const next = queue.add(() => 'next');
    await macro();
    assert.equal(given, controller.signal);
    controller.abort('enough');
    assert.equal(await rejection(running), 'enough');
    await macro();
    assert.deepEqual([queue.pending, queue.size], [1, 1]);
    gate.resolve();
    assert.equal(await next, 'next');
  });

  it('so many starts in an interval', async () => {
    const queue = P.queue({ interval: 30, intervalCap: 2 });
    const times = [];
    const begin = performance.now();
    await P.all(numbers(5).map(() => queue.add(() => { times.push(performance.now() - begin); })));
    // Two at a time; timers never come early.
    assert.ok(times[2] >= 29 && times[3] >= 29 && times[4] >= 59, times.join());
  });

  it('so many starts in an interval, and at a time', async () => {
    const queue = P.queue({ interval: 20, intervalCap: 3, concurrency: 2 });
    let active = 0;
    let most = 0;
    let calls = 0;
    await P.all(numbers(7).map(() => queue.add(async () => {
      calls++;
      most = Math.max(most, ++active);
      await macro();
      active--;
    })));
    assert.deepEqual([calls, most], [7, 2]);
  });

  it('timeout of the queue and of a task', async () => {
    const queue = P.queue({ concurrency: 1, timeout: 5 });
    assert.ok((await rejection(queue.add(() => new P(() => {})))) instanceof P.TimeoutError);
    assert.equal(await queue.add(() => 'quick'), 'quick');
    const slow = queue.add(() => P.delay(20, 'slow'), { timeout: 1000 });
    assert.equal(await slow, 'slow');
    assert.deepEqual([queue.size, queue.pending], [0, 0]);
  });

  it('concurrency may be set', async () => {
    const queue = P.queue({ concurrency: 1 });
    const gates = numbers(4).map(() => deferred(P));
    gates.forEach((gate) => queue.add(() => gate.promise));
    await macro();
    assert.equal(queue.pending, 1);
    queue.concurrency = 3;
    assert.equal(queue.concurrency, 3);
    await macro();
    assert.equal(queue.pending, 3);
    assert.throws(() => { queue.concurrency = 0; }, TypeError);
    gates.forEach((gate) => gate.resolve());
    await queue.onIdle();
  });

  it('a task sees the store of its call', async () => {
    const als = new AsyncLocalStorage();
    const queue = P.queue({ concurrency: 1 });
    assert.deepEqual(await P.all([1, 2].map((i) => als.run(i, () => queue.add(() => als.getStore())))), [1, 2]);
    als.disable();
  });

  it('wrong arguments', async () => {
    const bad = {
      concurrency: [0, -1, '1', NaN], interval: [-1, '1', NaN], intervalCap: [0, 1.5], timeout: [-1, 'x'], autoStart: [1, 'no'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        assert.throws(() => P.queue({ [name]: value }), (e) => e instanceof TypeError && e.message.startsWith(`expecting ${name} to be`));
      }
    }
    assert.throws(() => P.queue(1), TypeError);
    const queue = P.queue();
    for (const fn of [undefined, 1, 'x']) assert.ok((await rejection(queue.add(fn))) instanceof TypeError);
    assert.ok((await rejection(queue.add(() => {}, { priority: 'x' }))) instanceof TypeError);
    assert.ok((await rejection(queue.add(() => {}, { signal: 1 }))) instanceof TypeError);
    assert.throws(() => queue.addAll(1), TypeError);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, unlessNative } = require('./helpers/subject');
const { macro, rejection, sleep } = require('./helpers/util');

const test = unlessNative('has no setScheduler');

/** Runs `body` with the scheduler `fn`, and waits for it, the old one back in place. */
async function scheduled(fn, body) {
  const previous = P.setScheduler(fn);
  try {
    return await body();
  } finally {
    P.setScheduler(previous);
  }
}

describe('setScheduler', () => {
  test('the scheduler is given a function that runs the handlers', async () => {
    const log = [];
    const queue = [];
    await scheduled((run) => queue.push(run), async () => {
      P.resolve(1).then((x) => log.push(x));
      P.resolve(2).then((x) => log.push(x));
      await macro();
      assert.deepEqual(log, []);
      assert.ok(queue.length >= 1);
      assert.equal(typeof queue[0], 'function');
      while (queue.length > 0) queue.shift()();
      assert.deepEqual(log, [1, 2]);
    });
  });

  for (const [name, fn] of [
    ['setImmediate', (f) => setImmediate(f)], ['setTimeout', (f) => setTimeout(f, 1)],
    ['process.nextTick', (f) => process.nextTick(f)], ['queueMicrotask', queueMicrotask],
    ['a function with this', function (f) { setImmediate(f); }],
  ]) {
    test(`order, values and rejections with ${name}`, async () => {
      const log = [];
      await scheduled(fn, async () => {
        let resolve;
        const late = new P((r) => { resolve = r; });
        late.then(() => log.push('late 1'));
        const chain = P.resolve().then(() => log.push('a1')).then(() => log.push('a2'));
        P.resolve().then(() => log.push('b1')).then(() => { log.push('b2'); resolve(); });
        late.then(() => log.push('late 2'));
        await chain;
        await late;
        assert.equal(await rejection(P.resolve().then(() => { throw 'r'; })), 'r');
        assert.deepEqual(await P.all([late.then(() => 1), P.resolve(2), 3]), [1, 2, 3]);
      });
      assert.deepEqual(log, ['a1', 'b1', 'a2', 'b2', 'late 1', 'late 2']);
    });
  }

  test('is asked once for what is ready together', async () => {
    let calls = 0;
    await scheduled((f) => { calls++; setImmediate(f); }, async () => {
      let done = 0;
      for (let i = 0; i < 1000; i++) P.resolve(i).then(() => { done++; });
      await sleep(5);
      assert.equal(done, 1000);
      assert.ok(calls >= 1 && calls < 100, `${calls} calls`);
    });
  });

  test('the function may be called twice, and late', async () => {
    const runs = [];
    const log = [];
    await scheduled((f) => runs.push(f), async () => {
      P.resolve().then(() => log.push('a'));
      await macro();
      const [run] = runs;
      run();
      run();
      assert.deepEqual(log, ['a']);
      P.resolve().then(() => log.push('b'));
      run();
      runs.forEach((f) => f());
      assert.deepEqual(log, ['a', 'b']);
    });
  });

  test('gives back the scheduler before it, which restores it', async () => {
    const a = (f) => setImmediate(f);
    const b = (f) => setTimeout(f, 1);
    const first = P.setScheduler(a);
    assert.equal(P.setScheduler(b), a);
    assert.equal(P.setScheduler(first), b);
    const log = [];
    setImmediate(() => log.push('immediate'));
    P.resolve().then(() => log.push('handler'));
    await sleep(5);
    assert.deepEqual(log, ['handler', 'immediate']);
  });

  test('work under way when it is changed is not lost', async () => {
    const log = [];
    P.resolve().then(() => log.push('before')).then(() => log.push('before 2'));
    const previous = P.setScheduler((f) => setImmediate(f));
    P.resolve().then(() => log.push('during'));
    P.setScheduler(previous);
    P.resolve().then(() => log.push('after'));
    await sleep(5);
    assert.deepEqual([...log].sort(), ['after', 'before', 'before 2', 'during']);
  });

  test('what is no function is a TypeError and changes nothing', async () => {
    for (const bad of [null, 0, 'x', {}, [], true, Symbol()]) {
      assert.throws(() => P.setScheduler(bad), TypeError);
    }
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
  });
});

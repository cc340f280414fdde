'use strict';

const assert = require('node:assert/strict');
const { isNative } = require('./helpers/subject');
const { macro, sleep } = require('./helpers/util');
const { exhaustible } = isNative ? {} : require('./helpers/exhaustible');

/** What needs a place in the engine; each is given a pending and a settled promise. */
const CALLS = {
  'then of a settled promise': (P, pending, settled) => settled.then(() => {}),
  'then of a pending promise': (P, pending) => pending.then(() => {}),
  catch: (P, pending) => pending.catch(() => {}),
  finally: (P, pending, settled) => settled.finally(() => {}),
  tap: (P, pending, settled) => settled.tap(() => {}),
  reflect: (P, pending) => pending.reflect(),
  asCallback: (P, pending) => pending.asCallback(() => {}),
  'resolve with a thenable': (P) => P.resolve({ then(f) { f(1); } }),
  'following a pending promise': (P, pending) => new P((resolve) => resolve(pending)),
  'the constructor with a thenable': (P) => new P((resolve) => resolve({ then(f) { f(1); } })),
  all: (P, pending, settled) => P.all([settled, pending]),
  'all of settled promises': (P, pending, settled) => P.all([settled]),
  'all of an iterator': (P, pending) => P.all(new Set([pending])),
  allSettled: (P, pending) => P.allSettled([pending]),
  any: (P, pending) => P.any([pending]),
  race: (P, pending) => P.race([pending]),
  some: (P, pending) => P.some([pending], 1),
  join: (P, pending) => P.join(pending, 1, () => {}),
  props: (P, pending) => P.props({ pending }),
  'props of a Map': (P, pending) => P.props(new Map([[1, pending]])),
  map: (P) => P.map([1], (x) => x),
  'map of an iterator': (P, pending) => P.map(new Set([pending]), (x) => x, { concurrency: 1 }),
  filter: (P) => P.filter([1], () => true),
  each: (P, pending) => P.each([pending], () => {}),
  mapSeries: (P) => P.mapSeries([1], (x) => x),
  mapValues: (P) => P.mapValues({ a: 1 }, (x) => x),
  reduce: (P) => P.reduce([1, 2], (a, b) => a + b),
  'reduce with a promise': (P, pending) => P.reduce([1, 2], (a, b) => a + b, pending),
  delay: (P) => P.delay(1),
  'delay of a promise': (P, pending) => P.delay(1, pending),
  timeout: (P, pending) => pending.timeout(1),
  coroutine: (P, pending) => P.coroutine(function* () { yield pending; })(),
  'coroutine over a settled promise': (P, pending, settled) => P.coroutine(function* () { yield settled; })(),
  limit: (P) => P.limit(1)(() => 1),
  queue: (P) => P.queue({ concurrency: 1 }).add(() => 1),
  mutex: (P) => P.mutex().runExclusive(() => 1),
  retry: (P) => P.retry(() => 1),
  waitFor: (P) => P.waitFor(() => true),
  using: (P, pending) => P.using(pending.disposer(() => {}), () => 1),
};

/** The error that a call threw or that its promise is rejected with by now. */
async function errorOf(P, call) {
  let result;
  try {
    result = call();
  } catch (e) {
    return e;
  }
  await macro();
  const inspection = Reflect.apply(P.prototype.isRejected, result, []) ? result.reason() : undefined;
  return inspection;
}

(isNative ? describe.skip : describe)('an engine without memory', () => {
  it('refuses what is new with a RangeError, and nothing else comes of it', async () => {
    const { P, engine, exhaust, refill } = exhaustible();
    for (const [name, call] of Object.entries(CALLS)) {
      const pending = new P(() => {});
      const settled = P.resolve(1);
      exhaust();
      const error = await errorOf(P, () => {
        const result = call(P, pending, settled);
        P.prototype.suppressUnhandledRejections.call(result);
        return result;
      });
      refill();
      assert.ok(error instanceof RangeError, `${name}: ${error}`);
      assert.ok(pending.isPending(), name);
      assert.equal(await settled.then((x) => x + 1), 2, name);
      assert.equal(engine.check(), null, name);
    }
  });

  it('does what was begun before', async () => {
    const { P, engine, exhaust, refill } = exhaustible();
    const log = [];
    const { promise, resolve, reject } = P.withResolvers();
    promise.then((x) => { log.push(x, 1); return x; }).then((x) => log.push(x, 2));
    promise.then((x) => log.push(x, 3));
    P.all([promise, 4]).then((values) => log.push(values.join()));
    P.delay(5, 5).then((x) => log.push(x));
    new P(() => {}).timeout(10).catch((e) => log.push(e.name));
    const work = P.map([6], (x) => promise.then(() => x), { concurrency: 1 });
    await macro();
    exhaust();
    resolve('early');
    reject('late');
    await sleep(40);
    assert.deepEqual(log, ['early', 1, 'early', 3, 'early', 2, 'early,4', 5, 'TimeoutError']);
    refill();
    assert.deepEqual(await work, [6]);
    assert.equal(engine.check(), null);
  });

  it('an unhandled rejection is reported all the same', async () => {
    const { P, exhaust, refill } = exhaustible();
    const seen = [];
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason, promise) => seen.push([reason, promise]));
    try {
      exhaust();
      const p = P.reject('why');
      await macro();
      assert.equal(seen.length, 1);
      assert.equal(seen[0][0], 'why');
      assert.equal(seen[0][1], p);
    } finally {
      refill();
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
  });
});

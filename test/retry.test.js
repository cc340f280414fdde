'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const quick = { minTimeout: 0 };

/** Fails so many times, then gives the number of the attempt. */
function failing(times) {
  return (attempt) => {
    if (attempt <= times) throw new Error(`attempt ${attempt}`);
    return attempt;
  };
}

collectionTests('retry', undefined, () => {
  it('calls until there is no error', async () => {
    assert.equal(await P.retry(failing(0), quick), 1);
    assert.equal(await P.retry(failing(3), quick), 4);
    assert.equal(await P.retry(async (n) => { if (n < 3) throw n; return n; }, quick), 3);
    assert.ok(P.retry(failing(0)) instanceof P);
  });

  it('gives up with the last error', async () => {
    assert.equal((await rejection(P.retry(failing(5), { ...quick, retries: 2 }))).message, 'attempt 3');
    assert.equal((await rejection(P.retry(failing(5), { ...quick, retries: 0 }))).message, 'attempt 1');
  });

  it('onFailedAttempt and shouldRetry', async () => {
    const seen = [];
    await P.retry(failing(2), { ...quick, retries: 5, onFailedAttempt: ({ error, ...rest }) => { seen.push([error.message, rest]); } });
    assert.deepEqual(seen, [
      ['attempt 1', { attemptNumber: 1, retriesLeft: 5 }],
      ['attempt 2', { attemptNumber: 2, retriesLeft: 4 }],
    ]);
    const no = P.retry(failing(5), { ...quick, shouldRetry: async ({ attemptNumber }) => attemptNumber < 2 });
    assert.equal((await rejection(no)).message, 'attempt 2');
    assert.equal(await rejection(P.retry(failing(5), { ...quick, shouldRetry() { throw 'own'; } })), 'own');
    assert.equal(await rejection(P.retry(failing(5), { ...quick, onFailedAttempt: () => P.reject('own') })), 'own');
  });

  it('pauses grow', async () => {
    const times = [];
    const begin = performance.now();
    await rejection(P.retry(() => {
      times.push(performance.now() - begin);
      throw new Error('no');
    }, { retries: 3, minTimeout: 10, factor: 2, maxTimeout: 25 }));
    // Never early: after 10, 20 and 25 ms more.
    assert.ok(times[1] >= 9 && times[2] >= 29 && times[3] >= 54, times.join());
  });

  it('randomize makes pauses up to twice as long, and none longer than maxTimeout', async () => {
    const { random } = Math;
    const pauses = async (value, options) => {
      Math.random = () => value;
      const begin = performance.now();
      try {
        await rejection(P.retry(failing(5), { retries: 1, randomize: true, ...options }));
      } finally {
        Math.random = random;
      }
      return performance.now() - begin;
    };
    assert.ok(await pauses(0.999, { minTimeout: 20 }) >= 39);
    assert.ok(await pauses(0, { minTimeout: 20 }) >= 19);
    assert.ok(await pauses(0.999, { minTimeout: 100_000, maxTimeout: 5 }) >= 4);
  });

  it('a signal that is aborted by the function itself, or while it fails', async () => {
    const throwing = new AbortController();
    assert.equal(await rejection(P.retry(() => { throwing.abort('meanwhile'); throw new Error('no'); }, { signal: throwing.signal })), 'meanwhile');
    const giving = new AbortController();
    assert.equal(await rejection(P.retry(() => { giving.abort('meanwhile'); return 1; }, { signal: giving.signal })), 'meanwhile');
    const told = new AbortController();
    const p = P.retry(failing(5), { minTimeout: 100_000, signal: told.signal, onFailedAttempt: () => told.abort('told') });
    assert.equal(await rejection(p), 'told');
  });

  it('a signal ends it', async () => {
    const controller = new AbortController();
    let calls = 0;
    const p = P.retry(() => {
      calls++;
      throw new Error('no');
    }, { retries: Infinity, minTimeout: 100_000, signal: controller.signal });
    setImmediate(() => controller.abort('enough'));
    assert.equal(await rejection(p), 'enough');
    assert.equal(calls, 1);
    assert.equal(await rejection(P.retry(() => 1, { signal: AbortSignal.abort('before') })), 'before');
    const during = new AbortController();
    const hanging = P.retry(() => new P(() => {}), { signal: during.signal });
    setImmediate(() => during.abort('during'));
    assert.equal(await rejection(hanging), 'during');
  });

  it('wrong arguments', async () => {
    assert.ok((await rejection(P.retry(1))) instanceof TypeError);
    assert.ok((await rejection(P.retry(() => {}, 1))) instanceof TypeError);
    const bad = { retries: [-1, 1.5, 'x'], factor: ['x', NaN], minTimeout: [-1, 'x'], maxTimeout: [-1], randomize: [1], shouldRetry: [1], onFailedAttempt: [{}], signal: [1] };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const error = await rejection(P.retry(() => {}, { [name]: value }));
        assert.ok(error instanceof TypeError && error.message.includes(name), name);
      }
    }
  });
});

collectionTests('waitFor', undefined, () => {
  it('asks until the answer is truthy, and gives it', async () => {
    let calls = 0;
    assert.equal(await P.waitFor(() => (++calls === 3 ? 'there' : false), { interval: 1 }), 'there');
    assert.equal(calls, 3);
    assert.equal(await P.waitFor(async () => 'at once'), 'at once');
  });

  it('an error rejects', async () => {
    assert.equal(await rejection(P.waitFor(() => { throw 'no'; })), 'no');
    assert.equal(await rejection(P.waitFor(() => P.reject('no'))), 'no');
  });

  it('timeout', async () => {
    for (const predicate of [() => false, () => new P(() => {})]) {
      const error = await rejection(P.waitFor(predicate, { interval: 1, timeout: 10 }));
      assert.ok(error instanceof P.TimeoutError);
    }
  });

  it('a signal ends it', async () => {
    for (const predicate of [() => false, () => new P(() => {})]) {
      const controller = new AbortController();
      const p = P.waitFor(predicate, { interval: 100_000, signal: controller.signal });
      setImmediate(() => controller.abort('enough'));
      assert.equal(await rejection(p), 'enough');
    }
  });

  it('wrong arguments', async () => {
    assert.ok((await rejection(P.waitFor(1))) instanceof TypeError);
    for (const options of [1, { interval: -1 }, { timeout: 'x' }, { signal: 1 }]) {
      assert.ok((await rejection(P.waitFor(() => true, options))) instanceof TypeError);
    }
  });
});

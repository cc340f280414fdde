'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later, macro, rejection, rejectionEvents } = require('./helpers/util');
const { run } = require('./helpers/child');
const { collectionTests } = require('./helpers/collections');

/** The arguments a callback is called with; `attach(callback)` hands it over. */
function called(attach) {
  return new Native((resolve) => attach((...args) => resolve(args)));
}

collectionTests('asCallback and nodeify', (C) => {
  for (const name of ['asCallback', 'nodeify']) {
    it(`${name} calls back with null and the value`, async () => {
      for (const value of [1, 0, null, '', 'x', false, [1, 2], {}]) {
        assert.deepEqual(await called((cb) => C.resolve(value)[name](cb)), [null, value]);
        assert.deepEqual(await called((cb) => later(C, 'fulfilled', value)[name](cb)), [null, value]);
      }
    });

    it(`${name} calls back with the reason`, async () => {
      for (const reason of [new Error('x'), 'text', 1, true, {}]) {
        const args = await called((cb) => C.reject(reason)[name](cb));
        assert.equal(args.length, 1);
        assert.equal(args[0], reason);
        assert.equal((await called((cb) => later(C, 'rejected', reason)[name](cb)))[0], reason);
        const p = C.reject(reason);
        p.catch(() => {});
        assert.equal((await called((cb) => p[name](cb)))[0], reason);
      }
    });
  }

  it('undefined is no argument', async () => {
    assert.deepEqual(await called((cb) => C.resolve().asCallback(cb)), [null]);
  });

  it('a falsy reason comes in an error, as its cause', async () => {
    for (const reason of [undefined, null, 0, '', false]) {
      const args = await called((cb) => C.reject(reason).asCallback(cb));
      assert.equal(args.length, 1);
      assert.ok(args[0] instanceof Error);
      assert.equal(args[0].cause, reason);
      assert.equal(args[0].message, String(reason));
    }
  });

  it('spread makes arguments of the elements', async () => {
    const spread = { spread: true };
    assert.deepEqual(await called((cb) => C.resolve([1, 2, 3]).asCallback(cb, spread)), [null, 1, 2, 3]);
    assert.deepEqual(await called((cb) => C.resolve([]).asCallback(cb, spread)), [null]);
    assert.deepEqual(await called((cb) => C.resolve([[1], [2]]).asCallback(cb, spread)), [null, [1], [2]]);
    assert.deepEqual(await called((cb) => C.resolve('ab').asCallback(cb, spread)), [null, 'ab']);
    assert.deepEqual(await called((cb) => C.resolve().asCallback(cb, spread)), [null]);
    assert.deepEqual(await called((cb) => C.reject(1).asCallback(cb, spread)), [1]);
    for (const options of [undefined, null, {}, { spread: false }, 'spread']) {
      assert.deepEqual(await called((cb) => C.resolve([1, 2]).asCallback(cb, options)), [null, [1, 2]]);
    }
  });

  it('gives the promise itself', async () => {
    const p = C.resolve(1);
    assert.equal(p.asCallback(() => {}), p);
    assert.equal(p.asCallback(), p);
  });

  it('is not called at once, and once', async () => {
    let calls = 0;
    C.resolve(1).asCallback(() => calls++);
    assert.equal(calls, 0);
    await macro();
    assert.equal(calls, 1);
  });

  it('with a callback the rejection is handled, without it not', async () => {
    const reasons = [];
    await rejectionEvents(async (events) => {
      C.reject('handled').asCallback(() => {});
      for (const none of [undefined, null, 1, {}]) C.reject('not handled').asCallback(none).catch((e) => reasons.push(e));
      await macro();
      assert.deepEqual(events, []);
    });
    assert.deepEqual(reasons, Array(4).fill('not handled'));
  });

  it('calls with the this of a bound promise', async () => {
    const seen = [];
    function see(...args) { seen.push([this, ...args]); }
    C.bind('this', [1]).asCallback(see);
    C.bind('this', [1, 2]).asCallback(see, { spread: true });
    C.reject('no').bind('this').asCallback(see);
    await macro();
    assert.deepEqual(seen, [['this', null, [1]], ['this', null, 1, 2], ['this', 'no']]);
  });

  it('what the callback gives is nobody\'s business', async () => {
    const events = await rejectionEvents(async () => {
      C.resolve(1).asCallback(async () => 1);
      C.resolve(1).asCallback(() => C.resolve(2));
      await macro();
    });
    assert.deepEqual(events, []);
  });
}, () => {
  it('is reported when nobody calls back', async () => {
    const events = await rejectionEvents(() => {
      P.reject('lost').asCallback();
    });
    assert.deepEqual(events.map((e) => [e.event, e.reason]), [['unhandledRejection', 'lost']]);
  });

  it('what the callback throws is an uncaught exception, and the queue goes on', async () => {
    const { stdout, stderr, status } = await run(`
      process.on('uncaughtException', (e, origin) => console.log('uncaught', e, origin));
      process.on('unhandledRejection', (e) => console.log('unhandled', e));
      P.resolve(1).asCallback(() => { throw 'a'; });
      P.resolve(2).then(() => console.log('then 1'));
      P.reject(3).asCallback(() => { throw 'b'; });
      P.resolve([4]).asCallback(() => { throw 'c'; }, { spread: true });
      P.resolve(5).then(() => console.log('then 2'));
    `);
    assert.equal(stdout, 'then 1\nthen 2\nuncaught a uncaughtException\nuncaught b uncaughtException\nuncaught c uncaughtException\n', stderr);
    assert.equal(status, 0);
  });

  it('which ends the process when nobody listens', async () => {
    const { status, stderr } = await run('P.resolve(1).asCallback(() => { throw new Error("from the callback"); });');
    assert.equal(status, 1);
    assert.match(stderr, /Error: from the callback\n +at \[eval\]/);
    assert.doesNotMatch(stderr, /unhandled|rejection/i);
  });

  it('goes to the domain that the callback was attached in', async () => {
    const { stdout, stderr } = await run(`
      const domain = require('domain').create();
      domain.on('error', (e) => console.log('domain', e.message));
      domain.run(() => {
        P.resolve(1).asCallback(() => { throw new Error('a'); });
        P.resolve(1).then(() => { throw new Error('b'); }).done();
      });
    `);
    assert.equal(stdout, 'domain a\ndomain b\n', stderr);
  });

  it('the then of the user is called', async () => {
    const p = P.resolve(1);
    p.then = (onFulfilled) => {
      onFulfilled('mine');
    };
    const seen = [];
    p.asCallback((...args) => seen.push(args));
    assert.deepEqual(seen, [[null, 'mine']]);
  });

  it('keeps its place among the handlers', async () => {
    const seen = [];
    const [p, d] = [P.resolve('p'), later(P, 'fulfilled', 'd')];
    for (const x of [p, d]) {
      x.then((v) => seen.push(`${v} 1`));
      x.asCallback((_, v) => seen.push(`${v} 2`));
      x.then((v) => seen.push(`${v} 3`));
      x.asCallback((_, v) => seen.push(`${v} 4`));
    }
    await d;
    await macro();
    assert.deepEqual(seen, ['p 1', 'p 2', 'p 3', 'p 4', 'd 1', 'd 2', 'd 3', 'd 4']);
  });

  it('100,000 of them', async () => {
    let sum = 0;
    for (let i = 0; i < 100000; i++) P.resolve(i).asCallback((_, v) => { sum += v; });
    await macro();
    assert.equal(sum, 4999950000);
  });

  it('of a subclass', async () => {
    assert.deepEqual(await called((cb) => Sub.resolve(1).asCallback(cb)), [null, 1]);
    assert.equal(await rejection(Sub.reject(2).asCallback(() => {})), 2);
  });

  it('is a TypeError where there is no then', () => {
    for (const bad of [undefined, null, 1, {}]) assert.throws(() => P.prototype.asCallback.call(bad, () => {}), TypeError);
  });
});

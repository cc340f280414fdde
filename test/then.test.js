'use strict';

const assert = require('node:assert/strict');
const { P, isNative, Native, unlessOurs } = require('./helpers/subject');
const { Bluebird, Sub, deferred, inputs, macro, outcome, rejection } = require('./helpers/util');

const VALUES = [
  undefined, null, true, false, 0, -0, NaN, 1.5, 10n, '', 'text', Symbol('s'), {}, [1, 2],
  () => {}, new Error('a value'), new Date(0), Object.create(null), Object.freeze({ a: 1 }),
  { then: 1 }, { then: null },
];

describe('then', () => {
  it('gives a new promise each time', () => {
    const p = P.resolve(1);
    const q = p.then();
    assert.ok(q instanceof P);
    assert.notEqual(q, p);
    assert.notEqual(p.then(), q);
  });

  it('passes any value and any reason on as it is', async () => {
    for (const v of VALUES) {
      assert.ok(Object.is(await new Native((r) => P.resolve(v).then(r)), v));
      assert.ok(Object.is(await rejection(P.reject(v)), v));
      const through = await outcome(P.resolve().then(() => v).then());
      assert.deepEqual(through, { status: 'fulfilled', value: v });
      assert.ok(Object.is(through.value, v));
    }
  });

  it('calls handlers with one argument and no receiver', async () => {
    const calls = [];
    function strict(...args) { calls.push([this, args]); }
    const sloppy = new Function('calls', 'return function () { calls.push(this === globalThis); }');
    await P.resolve(1).then(strict, assert.fail);
    await P.reject(2).then(assert.fail, strict);
    await P.resolve(3).then(sloppy(calls));
    assert.deepEqual(calls, [[undefined, [1]], [undefined, [2]], true]);
  });

  it('calls exactly one of the two handlers, once', async () => {
    const log = [];
    const d = deferred();
    d.promise.then((v) => log.push(['f', v]), (r) => log.push(['r', r]));
    d.resolve(1);
    d.resolve(2);
    d.reject(3);
    await macro();
    d.reject(4);
    await macro();
    assert.deepEqual(log, [['f', 1]]);
  });

  it('ignores handlers that are not functions', async () => {
    for (const bad of [undefined, null, 0, 1, 'f', {}, [], Symbol.iterator, true]) {
      assert.equal(await P.resolve(1).then(bad, bad), 1);
      assert.equal(await rejection(P.reject(2).then(bad, bad)), 2);
      const d = deferred();
      const p = d.promise.then(bad, bad);
      d.resolve(3);
      assert.equal(await p, 3);
    }
  });

  it('accepts any callable as handler: bound, proxied, async, generator, class', async () => {
    assert.equal(await P.resolve(1).then(((a, b) => a + b).bind(null, 1)), 2);
    assert.equal(await P.resolve(1).then(new Proxy((x) => x + 2, {})), 3);
    assert.equal(await P.resolve(1).then(async (x) => x + 3), 4);
    assert.equal(typeof (await P.resolve(1).then(function* () { yield 1; })).next, 'function');
    class C {}
    assert.ok((await rejection(P.resolve(1).then(C))) instanceof TypeError);
  });

  it('a handler that throws rejects the child with the very reason', async () => {
    for (const v of VALUES) {
      assert.ok(Object.is(await rejection(P.resolve().then(() => { throw v; })), v));
      assert.ok(Object.is(await rejection(P.reject().then(null, () => { throw v; })), v));
    }
    const thenableReason = { then() { throw new Error('must not be called'); } };
    const o = await outcome(P.resolve().then(() => { throw thenableReason; }));
    assert.deepEqual(o, { status: 'rejected', reason: thenableReason });
  });

  it('a rejection handler that returns makes the child fulfilled', async () => {
    assert.equal(await P.reject(1).then(null, (r) => r + 1), 2);
    assert.equal(await P.reject(1).then(null, () => {}), undefined);
  });

  it('branches of one promise do not touch each other', async () => {
    const p = P.resolve(1);
    const results = await Native.all([
      outcome(p.then((x) => x + 1)),
      outcome(p.then(() => { throw new Error('b'); })),
      outcome(p.then()),
    ]);
    assert.deepEqual(results.map((r) => r.status), ['fulfilled', 'rejected', 'fulfilled']);
    assert.equal(results[0].value, 2);
    assert.equal(results[2].value, 1);
  });

  for (const how of ['fulfilled', 'rejected']) {
    describe(`a handler returns what will be ${how}`, () => {
      const value = { the: how };
      const wanted = how === 'fulfilled' ? { status: how, value } : { status: how, reason: value };
      for (const { kind, make } of inputs(how)) {
        it(kind, async () => {
          for (const parent of [P.resolve(), P.resolve().then(), new P((r) => setImmediate(r))]) {
            const after = [];
            const seen = outcome(parent.then(() => make(value, after)));
            await parent;
            await macro();
            after.forEach((f) => f());
            const o = await seen;
            assert.equal(o.status, how);
            assert.ok((o.value || o.reason) === value);
            assert.deepEqual(o, wanted);
          }
        });
        it(`${kind}, from a rejection handler`, async () => {
          const after = [];
          const seen = outcome(P.reject(0).then(null, () => make(value, after)));
          await macro();
          after.forEach((f) => f());
          assert.deepEqual(await seen, wanted);
        });
      }
    });
  }

  it('a handler that returns its own child promise is a TypeError', async () => {
    const p = P.resolve().then(() => p);
    assert.ok((await rejection(p)) instanceof TypeError);
    const q = P.reject().then(null, () => q);
    assert.ok((await rejection(q)) instanceof TypeError);
  });

  it('a handler may add handlers to the promise it handles, and to its child', async () => {
    const log = [];
    const p = P.resolve(1);
    const child = p.then(() => {
      p.then(() => log.push('p'));
      child.then(() => log.push('child'));
    });
    await macro();
    assert.deepEqual(log, ['p', 'child']);
  });

  it('200,000 handlers on one promise all run, in order', async () => {
    const n = 200000;
    for (const settledFirst of [false, true]) {
      const d = deferred();
      let next = 0;
      if (settledFirst) d.resolve();
      for (let i = 0; i < n; i++) d.promise.then(() => { if (next === i) next++; });
      d.resolve();
      await d.promise;
      await macro();
      assert.equal(next, n);
    }
  }).slow(Infinity);

  it('a chain of a million links', async () => {
    const n = 1e6;
    const d = deferred();
    let p = d.promise;
    for (let i = 0; i < n; i++) p = p.then((x) => x + 1);
    d.resolve(0);
    assert.equal(await p, n);
  }).slow(Infinity);

  it('a rejection falls through 100,000 links without handler', async () => {
    const d = deferred();
    let p = d.promise;
    for (let i = 0; i < 100000; i++) p = p.then((x) => x);
    d.reject('reason');
    assert.equal(await rejection(p), 'reason');
  });

  it('is a TypeError on what is no promise', () => {
    const { then } = P.prototype;
    const wrong = [undefined, null, 0, 'x', Symbol(), {}, [], () => {}, Object.create(P.prototype),
      P.prototype, P, { then() {} }, Object.create(P.resolve(1)), Bluebird.resolve(1)];
    if (!isNative) wrong.push(Native.resolve(1));
    for (const receiver of wrong) {
      assert.throws(() => then.call(receiver, () => {}), TypeError);
    }
  });

  unlessOurs('a proxy is not told from what it wraps')('is a TypeError on a proxy of a promise', () => {
    assert.throws(() => new Proxy(P.resolve(1), {}).then(() => {}), TypeError);
  });

  it('works on subclasses and takes what is settled when it is called', async () => {
    const p = Sub.resolve(1);
    assert.ok(p.then() instanceof Sub);
    assert.equal(await P.prototype.then.call(p, (x) => x + 1), 2);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, unlessNative } = require('./helpers/subject');
const { Sub, deferred, inputs, macro, outcome, rejection } = require('./helpers/util');

describe('finally', () => {
  it('calls its callback without arguments and passes the outcome on', async () => {
    const calls = [];
    function f(...args) { calls.push([this, args]); return 'ignored'; }
    const value = {};
    assert.equal(await P.resolve(value).finally(f), value);
    assert.equal(await rejection(P.reject(value).finally(f)), value);
    const d = deferred();
    const p = d.promise.finally(f);
    assert.equal(calls.length, 2);
    d.resolve(value);
    assert.equal(await p, value);
    assert.deepEqual(calls, [[undefined, []], [undefined, []], [undefined, []]]);
  });

  it('passes undefined and thenable reasons on as they are', async () => {
    assert.deepEqual(await outcome(P.resolve().finally(() => 1)),
      { status: 'fulfilled', value: undefined });
    const reason = { then() { assert.fail('called'); } };
    assert.equal((await outcome(P.reject(reason).finally(() => {}))).reason, reason);
    assert.equal((await outcome(P.reject(reason).finally(() => P.resolve()))).reason, reason);
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for what its callback returns: ${kind}`, async () => {
      const after = [];
      const seen = Promise.all([
        outcome(P.resolve('value').finally(() => make('ignored', after))),
        outcome(P.reject('reason').finally(() => make('ignored', after))),
      ]);
      await macro();
      after.forEach((f) => f());
      assert.deepEqual(await seen, [
        { status: 'fulfilled', value: 'value' }, { status: 'rejected', reason: 'reason' },
      ]);
    });
    it(`handles after what is fulfilled: ${kind}`, async () => {
      const after = [];
      let calls = 0;
      const p = new P((r) => r(make('v', after))).finally(() => { calls++; });
      after.forEach((f) => f());
      assert.equal(await p, 'v');
      assert.equal(calls, 1);
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`takes over the rejection its callback returns: ${kind}`, async () => {
      const after = [];
      const seen = Promise.all([
        rejection(P.resolve('value').finally(() => make('new', after))),
        rejection(P.reject('reason').finally(() => make('new', after))),
      ]);
      await macro();
      after.forEach((f) => f());
      assert.deepEqual(await seen, ['new', 'new']);
    });
  }

  it('stays pending while what the callback returned is', async () => {
    const d = deferred();
    let settled = false;
    const p = P.resolve(1).finally(() => d.promise);
    p.then(() => { settled = true; });
    await macro();
    assert.equal(settled, false);
    d.resolve();
    assert.equal(await p, 1);
  });

  it('a callback that throws rejects with what it threw', async () => {
    assert.equal(await rejection(P.resolve(1).finally(() => { throw 2; })), 2);
    assert.equal(await rejection(P.reject(1).finally(() => { throw 2; })), 2);
  });

  it('without a function passes both outcomes on', async () => {
    for (const bad of [undefined, null, 0, 'f', {}]) {
      assert.equal(await P.resolve(1).finally(bad), 1);
      assert.equal(await rejection(P.reject(2).finally(bad)), 2);
    }
    assert.equal(await P.resolve(1).finally(), 1);
  });

  it('a callback that returns the promise it makes does not settle it', async () => {
    const o = await Promise.race([
      outcome((() => {
        const p = P.resolve(1).finally(() => p);
        return p;
      })()),
      new Promise((r) => setTimeout(r, 20, 'pending')),
    ]);
    assert.equal(o, 'pending');
  });

  it('calls then with two functions, or with what it was given', () => {
    const seen = [];
    const self = { constructor: P, then(...args) { seen.push([this, args]); return 'result'; } };
    assert.equal(P.prototype.finally.call(self, () => {}), 'result');
    assert.equal(P.prototype.finally.call(self, 'no function'), 'result');
    assert.equal(seen[0][0], self);
    assert.deepEqual(seen[0][1].map((f) => [typeof f, f.name, f.length]),
      [['function', '', 1], ['function', '', 1]]);
    assert.notEqual(seen[0][1][0], seen[0][1][1]);
    assert.deepEqual(seen[1][1], ['no function', 'no function']);
  });

  it('an own or overridden then is used', async () => {
    const log = [];
    class Own extends P {
      then(f, r) {
        log.push([typeof f, typeof r]);
        return super.then(f, r);
      }
    }
    const p = Own.resolve(1).finally(() => {});
    assert.deepEqual(log[0], ['function', 'function']);
    assert.ok(p instanceof Own);
    assert.equal(await p, 1);
    const q = P.resolve(1);
    q.then = () => 'own';
    assert.equal(q.finally(() => {}), 'own');
  });

  it('wraps what the callback returns with the species of the promise', async () => {
    const resolved = [];
    class Seen extends P {
      static resolve(x) {
        resolved.push(x);
        return super.resolve(x);
      }
    }
    const p = new Seen((r) => r('v'));
    const q = p.finally(() => 'returned');
    assert.ok(q instanceof Seen);
    assert.equal(await q, 'v');
    assert.equal(q.constructor, Seen);
    class Other extends P {
      static get [Symbol.species]() { return Sub; }
    }
    assert.ok(Other.resolve(1).finally(() => {}) instanceof Sub);
  });

  it('is a TypeError on what is no object or has no then', () => {
    for (const receiver of [undefined, null, 0, 'x', Symbol(), {}, { then: 1 },
      Object.create(P.prototype)]) {
      assert.throws(() => P.prototype.finally.call(receiver, () => {}), TypeError);
    }
  });

  it('many in a row, in order', async () => {
    const log = [];
    let p = P.resolve('v');
    for (let i = 0; i < 100; i++) p = p.finally(() => { log.push(i); });
    assert.equal(await p, 'v');
    assert.deepEqual(log, Array.from({ length: 100 }, (_, i) => i));
  });

  unlessNative('no lastly')('lastly is another name of it', () => {
    assert.equal(P.prototype.lastly, P.prototype.finally);
  });
});

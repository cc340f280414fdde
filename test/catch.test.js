'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, inputs, macro, outcome, rejection } = require('./helpers/util');

describe('catch', () => {
  for (const { kind, make } of inputs('rejected')) {
    it(`handles what is rejected: ${kind}`, async () => {
      const reason = { kind };
      const after = [];
      const p = new P((r) => r(make(reason, after))).catch((e) => ['caught', e]);
      after.forEach((f) => f());
      const [word, e] = await p;
      assert.equal(word, 'caught');
      assert.equal(e, reason);
    });
  }

  it('lets values pass', async () => {
    assert.equal(await P.resolve(1).catch(() => 2), 1);
    assert.equal(await P.resolve(1).catch(), 1);
  });

  it('without handler lets the reason pass', async () => {
    for (const bad of [undefined, null]) {
      assert.equal(await rejection(P.reject(1).catch(bad)), 1);
    }
    assert.equal(await rejection(P.reject(1).catch()), 1);
  });

  it('a handler that throws rejects anew', async () => {
    assert.equal(await rejection(P.reject(1).catch((r) => { throw r + 1; })), 2);
  });

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      it(`its handler returns what is ${how}: ${kind}`, async () => {
        const value = { kind };
        const after = [];
        const seen = outcome(P.reject(0).catch(() => make(value, after)));
        await macro();
        after.forEach((f) => f());
        const o = await seen;
        assert.equal(o.status, how);
        assert.equal(how === 'fulfilled' ? o.value : o.reason, value);
      });
    }
  }

  it('calls then with undefined and the handler, and gives what then gives', () => {
    let seen;
    const self = { then(...args) { seen = [this, args]; return 'result'; } };
    const f = () => {};
    assert.equal(P.prototype.catch.call(self, f), 'result');
    assert.equal(seen[0], self);
    assert.deepEqual(seen[1], [undefined, f]);
    const p = P.resolve(1);
    p.then = () => 'own then';
    assert.equal(p.catch(f), 'own then');
    class Own extends P {
      then(f2, r) {
        return super.then(f2, r && ((e) => r(['own', e])));
      }
    }
    return Own.reject(1).catch((e) => assert.deepEqual(e, ['own', 1]));
  });

  it('works on primitives that have a then', () => {
    // eslint-disable-next-line no-extend-native
    Object.defineProperty(Number.prototype, 'then', {
      configurable: true,
      value(f, r) { return [typeof this, f, r]; },
    });
    try {
      assert.deepEqual(P.prototype.catch.call(7, 'r'), ['number', undefined, 'r']);
    } finally {
      delete Number.prototype.then;
    }
  });

  it('is a TypeError where there is no then', () => {
    for (const receiver of [undefined, null, 0, 'x', {}, { then: 1 }, Object.create(P.prototype)]) {
      assert.throws(() => P.prototype.catch.call(receiver, () => {}), TypeError);
    }
  });

  it('gives a promise of the subclass', () => {
    assert.ok(Sub.resolve(1).catch(() => {}) instanceof Sub);
  });
});

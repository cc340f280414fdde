'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, inputs, later, macro, rejection } = require('./helpers/util');
const { collectionTests, numbers, unreported } = require('./helpers/collections');

function shared(C) {
  it('calls the function with the values', async () => {
    const args = await C.join(1, C.resolve(2), later(C, 'fulfilled', 3), Native.resolve(4), { then(f) { f(5); } }, (...a) => a);
    assert.deepEqual(args, [1, 2, 3, 4, 5]);
    assert.equal(await C.join(C.resolve('x'), (x) => x + 1), 'x1');
  });

  it('any number of values', async () => {
    for (const n of [1, 2, 5, 8, 9, 30]) {
      for (const make of [(x) => x, (x) => C.resolve(x), (x) => later(C, 'fulfilled', x)]) {
        assert.deepEqual(await C.join(...numbers(n).map(make), (...a) => a), numbers(n));
      }
    }
  });

  it('adopts what the function gives', async () => {
    assert.equal(await C.join(1, () => later(C, 'fulfilled', 'later')), 'later');
    assert.equal(await C.join(1, () => Native.resolve('native')), 'native');
    assert.equal(await rejection(C.join(1, () => later(C, 'rejected', 'no'))), 'no');
    assert.equal(await rejection(C.join(1, () => { throw 'thrown'; })), 'thrown');
  });

  it('without a function it gives the array', async () => {
    assert.deepEqual(await C.join(1, C.resolve(2), later(C, 'fulfilled', 3)), [1, 2, 3]);
    assert.deepEqual(await C.join(C.resolve(1)), [1]);
    assert.deepEqual(await C.join(), []);
  });

  it('a function that is not the last is a value', async () => {
    const f = () => {};
    assert.deepEqual(await C.join(f, 1, (...a) => a), [f, 1]);
    assert.deepEqual(await C.join(f, 1), [f, 1]);
  });

  it('calls nothing during the call itself', async () => {
    let during = true;
    const p = C.join(1, C.resolve(2), () => during);
    during = false;
    assert.equal(await p, false);
  });

  it('the first rejection decides and the function is not called', async () => {
    await unreported(C, async () => {
      let called = 0;
      const [a, b] = [deferred(C), deferred(C)];
      const p = C.join(a.promise, new C(() => {}), b.promise, () => called++);
      await macro();
      b.reject('b');
      a.reject('a');
      assert.equal(await rejection(p), 'b');
      assert.equal(await rejection(C.join(1, C.reject('now'), () => called++)), 'now');
      assert.equal(await rejection(C.join(1, C.reject('array'))), 'array');
      assert.equal(called, 0);
    });
  });

  it('arrays are values', async () => {
    const list = [C.resolve(1)];
    assert.equal(await C.join(list, (x) => x), list);
  });
}

function own() {
  it('the receiver of the function is undefined', async () => {
    assert.deepEqual(await P.join(1, function () { return [this]; }), [undefined]);
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`waits for a value: ${kind}`, async () => {
      // A function with a then would be the last argument, so it stands before another.
      const after = [];
      const p = P.join(make('v', after), 1, (...a) => a);
      after.forEach((f) => f());
      assert.deepEqual(await p, ['v', 1]);
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`rejects with a value: ${kind}`, async () => {
      const after = [];
      const p = P.join(make('no', after), new P(() => {}), assert.fail);
      after.forEach((f) => f());
      assert.equal(await rejection(p), 'no');
    });
  }

  it('never throws', async () => {
    assert.equal(await rejection(P.join({ get then() { throw 'getter'; } }, () => {})), 'getter');
  });
}

collectionTests('join', shared, own);

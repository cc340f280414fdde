'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, deferred, inputs, later, macro, rejection, rejectionEvents } =
  require('./helpers/util');
const { inputTests } = require('./helpers/combinator');

describe('any', () => {
  inputTests('any', (values) => values[0], async (p) => {
    const e = await rejection(p);
    assert.ok(e instanceof AggregateError);
    assert.deepEqual(e.errors, []);
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`takes what is fulfilled: ${kind}`, async () => {
      const value = { kind };
      const neighbours = [
        () => [], () => [P.reject(1)], () => [later(P, 'rejected', 1)], () => [new P(() => {})],
      ];
      for (const beside of neighbours) {
        const others = beside();
        const after = [];
        const p = P.any([...others, make(value, after), ...others]);
        after.forEach((f) => f());
        assert.equal(await p, value);
      }
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`passes over what is rejected: ${kind}`, async () => {
      const after = [];
      const reason = { kind };
      const p = P.any([make(reason, after)]);
      const q = P.any([make(reason, after), later(P, 'fulfilled', 1)]);
      after.forEach((f) => f());
      assert.deepEqual((await rejection(p)).errors, [reason]);
      assert.equal(await q, 1);
    });
  }

  it('rejects with an AggregateError, reasons in the order of the input', async () => {
    const ds = [deferred(), deferred(), deferred()];
    const p = P.any([...ds.map((d) => d.promise), P.reject('d')]);
    ds[1].reject('b');
    ds[0].reject('a');
    ds[2].reject('c');
    const e = await rejection(p);
    assert.ok(e instanceof AggregateError);
    assert.equal(Object.getPrototypeOf(e), AggregateError.prototype);
    assert.deepEqual(e.errors, ['a', 'b', 'c', 'd']);
    assert.equal(e.message, 'All promises were rejected');
    const { value, ...flags } = Object.getOwnPropertyDescriptor(e, 'errors');
    assert.deepEqual(flags, { writable: true, enumerable: false, configurable: true });
    assert.ok(Array.isArray(value));
  });

  it('the first fulfilment decides, in settling order', async () => {
    const a = deferred();
    const b = deferred();
    const p = P.any([a.promise, b.promise]);
    b.resolve('b');
    a.resolve('a');
    assert.equal(await p, 'b');
    assert.equal(await P.any([P.reject(0), P.resolve(1), P.resolve(2)]), 1);
  });

  it('stays pending while it can still be fulfilled', async () => {
    let settled = false;
    const note = () => { settled = true; };
    P.any([P.reject(1), new P(() => {})]).then(note, note);
    await macro();
    assert.equal(settled, false);
  });

  it('the same promise several times, rejected', async () => {
    const d = deferred();
    const p = P.any([d.promise, d.promise]);
    d.reject('x');
    assert.deepEqual((await rejection(p)).errors, ['x', 'x']);
  });

  it('an element rejected twice counts once', async () => {
    const p = P.resolve('own');
    p.then = (f, r) => { r('first'); r('second'); };
    const d = deferred();
    let settled = false;
    const any = P.any([p, d.promise]);
    any.then(null, () => { settled = true; });
    await macro();
    assert.equal(settled, false);
    d.reject('last');
    assert.deepEqual((await rejection(any)).errors, ['first', 'last']);
  });

  it('losers that reject before or after the winner are not reported', async () => {
    const events = await rejectionEvents(async () => {
      const late = deferred();
      const winner = deferred();
      const p = P.any([P.reject(1), late.promise, winner.promise, Sub.reject(2)]);
      await macro();
      winner.resolve('w');
      assert.equal(await p, 'w');
      await macro();
      late.reject(3);
      await macro();
    });
    assert.deepEqual(events, []);
  });

  it('does not see changes of the array', async () => {
    const d = deferred();
    const a = [P.reject('r'), d.promise];
    const p = P.any(a);
    a[0] = P.resolve('wrong');
    a.push('wrong');
    d.reject('s');
    assert.deepEqual((await rejection(p)).errors, ['r', 's']);
  });

  it('100,000 rejections', async () => {
    const n = 100000;
    const rs = [];
    const p = P.any(Array.from({ length: n }, (_, i) => (
      i % 2 ? P.reject(i) : new P((f, r) => rs.push(() => r(i)))
    )));
    rs.reverse().forEach((f) => f());
    const { errors } = await rejection(p);
    assert.equal(errors.length, n);
    assert.ok(errors.every((x, i) => x === i));
  });
});

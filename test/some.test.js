'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, inputs, later, macro, outcome, rejection } = require('./helpers/util');
const { checkAggregate, collectionTests, forms, numbers, quiet, unreported } = require('./helpers/collections');
const { random } = require('./helpers/program');

function shared(C) {
  for (const { form, call } of forms(C, 'some')) {
    describe(form, () => {
      it('the first n values in order of fulfilment', async () => {
        const ds = numbers(5).map(() => deferred(C));
        const p = call(ds.map((d) => d.promise), 3);
        await quiet();
        for (const i of [4, 0, 2, 1]) {
          ds[i].resolve(i);
          await quiet();
        }
        assert.deepEqual(await p, [4, 0, 2]);
      });

      it('of values and settled promises those that stand first', async () => {
        assert.deepEqual(await call([1, 2, 3], 2), [1, 2]);
        assert.deepEqual(await call([C.resolve(1), C.resolve(2)], 2), [1, 2]);
        assert.deepEqual(await call([1, later(C, 'fulfilled', 2), later(Native, 'fulfilled', 3)], 3), [1, 2, 3]);
      });

      it('n = 0', async () => {
        assert.deepEqual(await call([1, 2], 0), []);
        assert.deepEqual(await call([], 0), []);
        assert.deepEqual(await call([new C(() => {})], 0), []);
      });

      it('does not wait for what is not needed', async () => {
        assert.deepEqual(await call([new C(() => {}), later(C, 'fulfilled', 2), 3], 2), [3, 2]);
      });

      it('bears rejections as long as it is possible', async () => {
        await unreported(C, async () => {
          assert.deepEqual(await call([C.reject(1), later(C, 'rejected', 2), 3, later(C, 'fulfilled', 4)], 2), [3, 4]);
        });
      });

      it('rejects with the errors in order of rejection once it is impossible', async () => {
        await unreported(C, async () => {
          const ds = numbers(4).map(() => deferred(C));
          const p = call(ds.map((d) => d.promise), 3);
          await quiet();
          ds[3].reject('d');
          ds[0].resolve(0);
          await quiet();
          ds[1].reject('b');
          const error = await rejection(p);
          assert.ok(error instanceof (C === P ? AggregateError : C.AggregateError));
          assert.ok(error instanceof Error);
          assert.deepEqual(Array.from(error), ['d', 'b']);
        });
      });

      it('more than there are inputs', async () => {
        for (const [input, n] of [[[1], 2], [[], 1], [[1, new C(() => {})], 3]]) {
          const error = await rejection(call(input, n));
          assert.ok(error instanceof RangeError);
        }
      });

      it('n that is no non-negative integer', async () => {
        for (const bad of [-1, 1.5, NaN, Infinity, '1', undefined, null, {}]) {
          assert.ok((await rejection(call([1, 2], bad))) instanceof TypeError, String(bad));
        }
      });

      it('a rejected promise of the input', async () => {
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), 1)), 'input');
      });
    });
  }
}

/** The order in which a naive reading of the timeline gives values and errors. */
function model(plan, n) {
  const timeline = plan.map((p, i) => ({ ...p, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  const values = [];
  const errors = [];
  if (n > plan.length) return { range: true };
  if (n === 0) return { values };
  for (const { how, value } of timeline) {
    (how === 'fulfilled' ? values : errors).push(value);
    if (values.length === n) return { values };
    if (plan.length - errors.length < n) return { errors };
  }
  return assert.fail();
}

function own() {
  it('the AggregateError', async () => {
    checkAggregate(await rejection(P.some([P.reject(1), later(P, 'rejected', 2), 3], 2)), [1, 2]);
    checkAggregate(await rejection(P.some([later(P, 'rejected', 'a'), P.reject('b')], 1)), ['b', 'a']);
    checkAggregate(await rejection(P.some([1, P.reject('b')], 2)), ['b']);
  });

  it('the errors say what came', async () => {
    assert.match((await rejection(P.some([1], 2))).message, /\b2\b/);
    assert.match((await rejection(P.some([1], -7))).message, /-7/);
    assert.match((await rejection(P.some([1], 'two'))).message, /two|string/i);
  });

  it('one value is an array as well', async () => {
    assert.deepEqual(await P.some(['x', 'y'], 1), ['x']);
  });

  for (const { kind, make } of inputs('fulfilled')) {
    it(`counts what is fulfilled: ${kind}`, async () => {
      const after = [];
      const p = P.some([new P(() => {}), make('v', after), P.reject(0)], 1);
      after.forEach((f) => f());
      assert.deepEqual(await p, ['v']);
    });
  }

  for (const { kind, make } of inputs('rejected')) {
    it(`counts what is rejected: ${kind}`, async () => {
      const after = [];
      const p = P.some([make('no', after), new P(() => {})], 2);
      after.forEach((f) => f());
      checkAggregate(await rejection(p), ['no']);
    });
  }

  it('the same promise several times', async () => {
    const d = deferred();
    const p = P.some([d.promise, d.promise, new P(() => {})], 2);
    d.resolve(1);
    assert.deepEqual(await p, [1, 1]);
  });

  it('agrees with a naive model on random inputs', async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const rnd = random(seed);
      const plan = numbers(rnd(8)).map((i) => ({
        at: rnd(4), how: rnd(3) ? 'fulfilled' : 'rejected', value: `${seed}.${i}`,
      }));
      const n = rnd(plan.length + 2);
      const ds = plan.map(() => deferred());
      const settle = (at) => plan.forEach((p, i) => {
        if (p.at === at) ds[i][p.how === 'fulfilled' ? 'resolve' : 'reject'](p.value);
      });
      settle(0);
      const result = outcome(P.some(ds.map((d) => d.promise), n));
      for (let at = 1; at < 4; at++) {
        await macro();
        settle(at);
      }
      const { value, reason } = await result;
      const expected = model(plan, n);
      if (expected.range) assert.ok(reason instanceof RangeError, `seed ${seed}`);
      else if (expected.values) assert.deepEqual(value, expected.values, `seed ${seed}`);
      else checkAggregate(reason, expected.errors);
    }
  });

  it('100,000 pending inputs', async () => {
    const ds = numbers(100000).map(() => deferred());
    const p = P.some(ds.map((d) => d.promise), 50000);
    for (let i = 99999; i >= 0; i--) ds[i].resolve(i);
    const values = await p;
    assert.equal(values.length, 50000);
    assert.deepEqual(values.slice(0, 3), [99999, 99998, 99997]);
  });
}

collectionTests('some', shared, own);

collectionTests('any, as a collection', (C) => {
  for (const { form, call } of forms(C, 'any')) {
    it(`the first value: ${form}`, async () => {
      await unreported(C, async () => {
        assert.equal(await call([new C(() => {}), C.reject(0), later(C, 'fulfilled', 1)]), 1);
        assert.equal(await call([3, 2, 1]), 3);
      });
    });

    it(`the errors are like an array: ${form}`, async () => {
      await unreported(C, async () => {
        const error = await rejection(call([C.reject(1), C.reject(2)]));
        assert.ok(error instanceof Error);
        assert.deepEqual(Array.from(error), [1, 2]);
      });
    });
  }
}, () => {
  it('of an empty input rejects with no errors', async () => {
    for (const { call } of forms(P, 'any')) {
      for (const input of [[], new Set(), (async function* () {})()]) checkAggregate(await rejection(call(input)), []);
    }
  });

  it('the errors stand in input order', async () => {
    checkAggregate(await rejection(P.any([later(P, 'rejected', 'late'), P.reject('now')])), ['late', 'now']);
  });
});

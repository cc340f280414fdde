'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const {
  collectionTests, counted, countedAsync, failing, forms, numbers, quiet, rejectsNoFunction, unreported,
} = require('./helpers/collections');

function shared(C) {
  for (const { form, call } of forms(C, 'mapSeries')) {
    describe(form, () => {
      it('gives the results in order', async () => {
        const input = [1, C.resolve(2), later(Native, 'fulfilled', 3)];
        assert.deepEqual(await call(input, (x) => x * 2), [2, 4, 6]);
        assert.deepEqual(await call([1, 2], (x) => later(C, 'fulfilled', -x)), [-1, -2]);
        assert.deepEqual(await call([], () => {}), []);
      });

      it('calls the mapper with value, index and length', async () => {
        const seen = [];
        await call(['a', C.resolve('b')], (...args) => { seen.push(args); });
        assert.deepEqual(seen, [['a', 0, 2], ['b', 1, 2]]);
      });

      it('one after another', async () => {
        const log = [];
        await call([3, 1, 2], async (x) => {
          log.push(`start ${x}`);
          for (let i = 0; i < x; i++) await macro();
          log.push(`end ${x}`);
        });
        assert.deepEqual(log, ['start 3', 'end 3', 'start 1', 'end 1', 'start 2', 'end 2']);
      });

      it('waits for a pending element before the next', async () => {
        const d = deferred(C);
        const seen = [];
        const p = call([1, d.promise, 3], (x) => seen.push(x));
        await quiet();
        assert.deepEqual(seen, [1]);
        d.resolve(2);
        assert.deepEqual(await p, [1, 2, 3]);
      });

      it('calls nothing during the call itself', async () => {
        let during = true;
        const inside = [];
        const p = call([1], () => inside.push(during));
        during = false;
        await p;
        assert.deepEqual(inside, [false]);
      });

      it('stops at the first rejection', async () => {
        for (const fail of [() => { throw 'no'; }, () => later(C, 'rejected', 'no')]) {
          const seen = [];
          const p = call([1, 2, 3], (x) => {
            seen.push(x);
            return x === 2 ? fail() : x;
          });
          assert.equal(await rejection(p), 'no');
          await quiet();
          assert.deepEqual(seen, [1, 2]);
        }
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), () => {})), 'input');
        await unreported(C, async () => {
          assert.equal(await rejection(call([1, C.reject('element')], () => {})), 'element');
        });
      });

      rejectsNoFunction((bad) => call([1], bad), C);
    });
  }

  it('100,000 synchronous mappers', async () => {
    const list = await C.mapSeries(numbers(100000), (x) => x * 2);
    assert.equal(list.length, 100000);
    assert.equal(list[99999], 199998);
  });
}

function own() {
  for (const make of [counted, countedAsync]) {
    it(`reads one at a time and closes: ${make.name}`, async () => {
      const source = make(numbers(20));
      let done = 0;
      const list = await P.mapSeries(source.iterable, async (x, i, length) => {
        assert.deepEqual([i, length], [x, undefined]);
        assert.ok(source.pulled - done <= 2, `${source.pulled - done} ahead`);
        await macro();
        done++;
        return x;
      });
      assert.deepEqual(list, numbers(20));
      const other = make(numbers(20));
      assert.equal(await rejection(P.mapSeries(other.iterable, () => { throw 'stop'; })), 'stop');
      await quiet();
      assert.equal(other.closed, 1);
      assert.ok(other.pulled <= 2);
    });
  }

  it('an iterator that throws', async () => {
    const source = failing(3, 'iterator');
    assert.equal(await rejection(P.mapSeries(source.iterable, (x) => x)), 'iterator');
    assert.equal(source.returns, 0);
  });

  it('a concurrency that is not 1 is a TypeError', async () => {
    for (const concurrency of [2, Infinity]) {
      const error = await rejection(P.mapSeries([1], (x) => x, { concurrency }));
      assert.equal(error.name, 'TypeError');
      assert.equal(error.message, `expecting concurrency to be 1 in mapSeries (map takes others) but got ${concurrency}`);
    }
    assert.match((await rejection(P.mapSeries([1], (x) => x, { concurrency: '1' }))).message, /concurrency to be a positive integer/);
    for (const concurrency of [1, undefined]) assert.deepEqual(await P.mapSeries([1], (x) => x, { concurrency }), [1]);
  });

  it('the receiver of the mapper is undefined', async () => {
    assert.deepEqual(await P.mapSeries([1], function () { return [this]; }), [[undefined]]);
  });

  it('100,000 synchronous mappers over a generator', async () => {
    const list = await P.mapSeries(counted(numbers(100000)).iterable, (x) => x * 2);
    assert.equal(list[99999], 199998);
  });
}

collectionTests('mapSeries', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { later, macro, rejection } = require('./helpers/util');
const {
  collectionTests, counted, countedAsync, failing, forms, numbers, quiet, rejectsBadConcurrency, rejectsNoFunction, unreported,
} = require('./helpers/collections');

function shared(C) {
  for (const { form, call } of forms(C, 'filter')) {
    describe(form, () => {
      it('keeps the values whose result is truthy, in order', async () => {
        const input = [1, C.resolve(2), later(C, 'fulfilled', 3), later(Native, 'fulfilled', 4)];
        assert.deepEqual(await call(input, (x) => x % 2 === 0), [2, 4]);
        assert.deepEqual(await call([3, 1, 2], (x) => later(C, 'fulfilled', x !== 1)), [3, 2]);
        assert.deepEqual(await call([1, 2], () => true), [1, 2]);
        assert.deepEqual(await call([1, 2], () => {}), []);
        assert.deepEqual(await call([], () => true), []);
      });

      it('truthy is what JavaScript says', async () => {
        const results = ['', 'x', 0, 1, null, {}, NaN, [], undefined, C.resolve(0), C.resolve(2), -0, 0n, Symbol('s')];
        assert.deepEqual(await call(numbers(results.length), (i) => results[i]), [1, 3, 5, 7, 10, 13]);
      });

      it('calls fn with value, index and length, and no receiver', async () => {
        const seen = [];
        await call(['a', C.resolve('b')], function (...args) {
          seen.push([this, ...args]);
        });
        assert.deepEqual(seen, [[undefined, 'a', 0, 2], [undefined, 'b', 1, 2]]);
      });

      it('the order does not depend on who is first', async () => {
        const list = await call(numbers(10), async (x) => {
          for (let i = x; i < 10; i++) await macro();
          return x % 3 !== 0;
        });
        assert.deepEqual(list, [1, 2, 4, 5, 7, 8]);
      });

      it('has at most `concurrency` in flight', async () => {
        for (const concurrency of [1, 3]) {
          let flying = 0;
          let most = 0;
          const list = await call(numbers(10), async (x) => {
            most = Math.max(most, ++flying);
            await macro();
            flying--;
            return x > 6;
          }, { concurrency });
          assert.deepEqual(list, [7, 8, 9]);
          assert.equal(most, concurrency);
        }
      });

      it('rejections of fn, of elements, of the input', async () => {
        assert.equal(await rejection(call([1], () => { throw 'thrown'; })), 'thrown');
        assert.equal(await rejection(call([1], () => later(C, 'rejected', 'later'))), 'later');
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), () => {})), 'input');
        await unreported(C, async () => {
          assert.equal(await rejection(call([1, C.reject('element')], () => true)), 'element');
        });
      });

      rejectsNoFunction((bad) => call([1], bad), C);
    });
  }

  it('100,000 synchronous calls', async () => {
    assert.equal((await C.filter(numbers(100000), (x) => x % 2)).length, 50000);
  });
}

function own() {
  it('starts in input order with a limit', async () => {
    const seen = [];
    await P.filter(numbers(10), (x) => {
      seen.push(x);
      return macro();
    }, { concurrency: 2 });
    assert.deepEqual(seen, numbers(10));
  });

  for (const make of [counted, countedAsync]) {
    it(`reads lazily and closes: ${make.name}`, async () => {
      const source = make(numbers(30));
      let done = 0;
      const list = await P.filter(source.iterable, async (x, i, length) => {
        assert.deepEqual([i, length], [x, undefined]);
        assert.ok(source.pulled - done <= 3, `${source.pulled - done} ahead`);
        await macro();
        done++;
        return x % 10 === 0;
      }, { concurrency: 2 });
      assert.deepEqual(list, [0, 10, 20]);
      const other = make(numbers(30));
      assert.equal(await rejection(P.filter(other.iterable, () => { throw 'stop'; }, { concurrency: 1 })), 'stop');
      await quiet();
      assert.equal(other.closed, 1);
      assert.ok(other.pulled <= 2);
    });
  }

  it('an iterator that throws', async () => {
    const source = failing(3, 'iterator');
    assert.equal(await rejection(P.filter(source.iterable, () => true)), 'iterator');
    assert.equal(source.returns, 0);
  });

  it('keeps the value the element had, not what became of the array', async () => {
    const input = [1, 2, 3];
    const list = await P.filter(input, () => { input.fill(0); return true; });
    assert.deepEqual(list, [1, 2, 3]);
  });

  rejectsBadConcurrency((options) => P.filter([1], (x) => x, options));
}

collectionTests('filter', shared, own);

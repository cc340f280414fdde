'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const {
  collectionTests, counted, countedAsync, failing, forms, numbers, quiet, rejectsNoFunction, unreported,
} = require('./helpers/collections');

const add = (a, b) => a + b;

function shared(C) {
  for (const { form, call } of forms(C, 'reduce')) {
    describe(form, () => {
      it('folds from the left', async () => {
        assert.equal(await call([1, 2, 3], add), 6);
        assert.equal(await call([1, 2, 3], add, 10), 16);
        assert.equal(await call(['a', C.resolve('b'), later(Native, 'fulfilled', 'c')], add, ''), 'abc');
        assert.equal(await call(['a', 'b', 'c'], (a, b) => later(C, 'fulfilled', `(${a}${b})`)), '((ab)c)');
      });

      it('calls fn with accumulator, value, index and length', async () => {
        const seen = [];
        await call(['a', 'b'], (...args) => {
          seen.push(args);
          return args[2];
        }, 'initial');
        assert.deepEqual(seen, [['initial', 'a', 0, 2], [0, 'b', 1, 2]]);
      });

      it('without an initial value the first element is the accumulator', async () => {
        for (const more of [[], [undefined]]) {
          const seen = [];
          await call([C.resolve('a'), 'b', 'c'], (...args) => {
            seen.push(args);
            return args[2];
          }, ...more);
          assert.deepEqual(seen, [['a', 'b', 1, 3], [1, 'c', 2, 3]]);
        }
      });

      it('nothing to fold', async () => {
        let called = 0;
        const fn = () => called++;
        assert.equal(await call([], fn), undefined);
        assert.equal(await call([], fn, 'initial'), 'initial');
        assert.equal(await call([], fn, later(C, 'fulfilled', 'later')), 'later');
        assert.equal(await call(['one'], fn), 'one');
        assert.equal(await call([later(C, 'fulfilled', 'one')], fn), 'one');
        assert.equal(called, 0);
      });

      it('the initial value may be falsy, a promise or a thenable', async () => {
        for (const initial of [null, 0, '', false]) {
          assert.equal(await call([1], (a) => [a], initial).then(([a]) => a), initial);
        }
        for (const initial of [
          C.resolve('i'), later(C, 'fulfilled', 'i'), Native.resolve('i'), P.resolve('i'), { then(f) { f('i'); } },
        ]) {
          assert.equal(await call(['x', 'y'], add, initial), 'ixy');
        }
      });

      it('a rejected initial value', async () => {
        let called = 0;
        assert.equal(await rejection(call([1], () => called++, later(C, 'rejected', 'initial'))), 'initial');
        assert.equal(called, 0);
      });

      it('strictly one after another', async () => {
        const log = [];
        const p = call([0, 1, 2], async (total, x) => {
          log.push(`s${x}`);
          if (x) await macro();
          log.push(`e${x}`);
          return total + x;
        }, C.resolve(10));
        assert.equal(await p, 13);
        assert.deepEqual(log, ['s0', 'e0', 's1', 'e1', 's2', 'e2']);
      });

      it('waits for a pending element', async () => {
        const d = deferred(C);
        const seen = [];
        const p = call([1, d.promise, 3], (a, x) => {
          seen.push(x);
          return a + x;
        }, 0);
        await quiet();
        assert.deepEqual(seen, [1]);
        d.resolve(2);
        assert.equal(await p, 6);
      });

      it('calls nothing during the call itself', async () => {
        let during = true;
        const inside = [];
        const p = call([1, 2], () => { inside.push(during); }, 0);
        during = false;
        await p;
        assert.deepEqual(inside, [false, false]);
      });

      it('the first rejection ends it', async () => {
        for (const fail of [() => { throw 'no'; }, () => later(C, 'rejected', 'no'), () => Native.reject('no')]) {
          let called = 0;
          const p = call([1, 2, 3], () => {
            called++;
            return called === 2 ? fail() : 0;
          }, 0);
          assert.equal(await rejection(p), 'no');
          await quiet();
          assert.equal(called, 2);
        }
        await unreported(C, async () => {
          let called = 0;
          assert.equal(await rejection(call([C.reject('first'), 1], () => called++)), 'first');
          assert.equal(await rejection(call([later(C, 'rejected', 'element'), 1], () => called++, 0)), 'element');
          assert.equal(called, 0);
        });
      });

      it('a rejected promise of the input', async () => {
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), add)), 'input');
      });

      rejectsNoFunction((bad) => call([1], bad), C);
    });
  }

  it('100,000 synchronous steps', async () => {
    assert.equal(await C.reduce(numbers(100000), add), 4999950000);
    assert.equal(await C.reduce(numbers(100000), add, 1), 4999950001);
  });

  it('an accumulator that is an array of promises is left alone', async () => {
    const p = C.resolve(1);
    const list = await C.reduce([1, 2], (a) => [...a, p], []);
    assert.deepEqual(list.map((x) => x === p), [true, true]);
  });
}

function own() {
  it('the receiver of fn is undefined, length only known of arrays', async () => {
    const seen = [];
    function fn(a, x, i, length) {
      seen.push([this, a, x, i, length]);
      return a;
    }
    await P.reduce([7, 8], fn);
    await P.reduce(counted([1, 2]).iterable, fn);
    await P.reduce(countedAsync([1, 2]).iterable, fn, 0);
    assert.deepEqual(seen, [
      [undefined, 7, 8, 1, 2], [undefined, 1, 2, 1, undefined],
      [undefined, 0, 1, 0, undefined], [undefined, 0, 2, 1, undefined],
    ]);
  });

  for (const make of [counted, countedAsync]) {
    describe(`reads one at a time: ${make.name}`, () => {
      it('and never far ahead', async () => {
        const source = make(numbers(30));
        let done = 0;
        const sum = await P.reduce(source.iterable, async (a, x) => {
          assert.ok(source.pulled - done <= 2, `${source.pulled - done} ahead`);
          await macro();
          done++;
          return a + x;
        }, 0);
        assert.equal(sum, 435);
        assert.equal(source.closed, 1);
        assert.ok(!source.busy);
      });

      it('without an initial value', async () => {
        assert.equal(await P.reduce(make(numbers(30)).iterable, add), 435);
        assert.equal(await P.reduce(make(['one']).iterable, () => assert.fail()), 'one');
        assert.equal(await P.reduce(make([]).iterable, () => assert.fail()), undefined);
      });

      it('closes the source when fn fails', async () => {
        const source = make(numbers(30));
        assert.equal(await rejection(P.reduce(source.iterable, (a, x) => { if (x === 3) throw 'stop'; })), 'stop');
        await quiet();
        assert.ok(source.pulled <= 5);
        assert.equal(source.closed, 1);
      });
    });
  }

  it('an iterator that throws', async () => {
    for (const isAsync of [false, true]) {
      for (const at of [0, 1, 3]) {
        const source = failing(at, 'iterator', isAsync);
        assert.equal(await rejection(P.reduce(source.iterable, add)), 'iterator');
        assert.equal(source.returns, 0);
      }
    }
  });

  it('an array is read at the call', async () => {
    const input = [1, 2, 3];
    const p = P.reduce(input, (a, x) => a + x, 0);
    input.fill(100);
    assert.equal(await p, 6);
  });

  it('100,000 steps of a generator and of an async one', async () => {
    assert.equal(await P.reduce(counted(numbers(100000)).iterable, add), 4999950000);
    async function* g() { yield* numbers(100000); }
    assert.equal(await P.reduce(g(), add, 0), 4999950000);
  });

  it('agrees with a loop on random inputs', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const n = seed % 9;
      const value = (i) => String((seed * 31 + i * 17) % 23);
      const element = (i) => [value(i), P.resolve(value(i)), later(Native, 'fulfilled', value(i))][(seed + i) % 3];
      const step = (a, x, i) => ((seed + i) % 2 ? `${a}${x}${i}` : later(P, 'fulfilled', `${a}-${x}`));
      const initial = seed % 4 === 0 ? undefined : `init${seed}`;
      let expected = initial;
      let i = 0;
      if (initial === undefined && n > 0) expected = value(i++);
      for (; i < n; i++) expected = await step(expected, value(i), i);
      assert.equal(await P.reduce(numbers(n).map(element), step, initial), expected, `seed ${seed}`);
    }
  });
}

collectionTests('reduce', shared, own);

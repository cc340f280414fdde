'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const {
  HEAP, collectionTests, counted, countedAsync, failing, forms, manual, numbers, quiet,
  rejectsBadConcurrency, rejectsNoFunction, unreported,
} = require('./helpers/collections');
const { run: runChild } = require('./helpers/child');

function shared(C) {
  for (const { form, call } of forms(C, 'each')) {
    describe(form, () => {
      it('fulfills with the values of the array, whatever fn gives', async () => {
        const input = [1, C.resolve(2), later(Native, 'fulfilled', 3)];
        assert.deepEqual(await call(input, (x) => x * 100), [1, 2, 3]);
        assert.deepEqual(await call([1, 2], async () => 'ignored'), [1, 2]);
        assert.deepEqual(await call([], () => {}), []);
      });

      it('calls fn with value, index and length', async () => {
        const seen = [];
        await call(['a', C.resolve('b')], (...args) => { seen.push(args); });
        assert.deepEqual(seen, [['a', 0, 2], ['b', 1, 2]]);
      });

      it('is serial: waits for what fn gives', async () => {
        const log = [];
        await call([3, 1, 2], async (x) => {
          log.push(`start ${x}`);
          for (let i = 0; i < x; i++) await macro();
          log.push(`end ${x}`);
        });
        assert.deepEqual(log, ['start 3', 'end 3', 'start 1', 'end 1', 'start 2', 'end 2']);
      });

      it('waits for every kind of promise that fn gives', async () => {
        const log = [];
        const wait = [
          () => later(C, 'fulfilled'), () => later(Native, 'fulfilled'), () => later(P, 'fulfilled'),
          () => ({ then(f) { setImmediate(f); } }),
        ];
        await call(numbers(4), (i) => {
          log.push(i);
          setImmediate(() => log.push('turn'));
          return wait[i]();
        });
        assert.deepEqual(log.slice(0, 7), [0, 'turn', 1, 'turn', 2, 'turn', 3]);
      });

      it('waits for a pending element before the next', async () => {
        const d = deferred(C);
        const seen = [];
        const p = call([1, d.promise, 3], (x) => { seen.push(x); });
        await quiet();
        assert.deepEqual(seen, [1]);
        d.resolve(2);
        await p;
        assert.deepEqual(seen, [1, 2, 3]);
      });

      it('calls nothing during the call itself', async () => {
        let during = true;
        const inside = [];
        const p = call([1, 2], () => { inside.push(during); });
        during = false;
        await p;
        assert.deepEqual(inside, [false, false]);
      });

      it('stops at what fn throws', async () => {
        for (const fail of [() => { throw 'no'; }, () => later(C, 'rejected', 'no'), () => Native.reject('no')]) {
          const seen = [];
          const p = call([1, 2, 3], (x) => {
            seen.push(x);
            return x === 2 ? fail() : x;
          });
          assert.equal(await rejection(p), 'no');
          await quiet();
          assert.deepEqual(seen, [1, 2]);
        }
      });

      it('stops at a rejected element', async () => {
        await unreported(C, async () => {
          const seen = [];
          const p = call([1, C.reject('element'), 3], (x) => { seen.push(x); });
          assert.equal(await rejection(p), 'element');
          await quiet();
          assert.ok(!seen.includes(3));
        });
      });

      it('a rejected promise of the input', async () => {
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), () => {})), 'input');
      });

      rejectsNoFunction((bad) => call([1], bad), C);
    });
  }

  it('100,000 synchronous calls', async () => {
    let sum = 0;
    await C.each(numbers(100000), (x) => { sum += x; });
    assert.equal(sum, 4999950000);
  });

  it('thousands of synchronous calls after one that is not', async () => {
    let n = 0;
    await C.each(numbers(1500), (i) => {
      n++;
      return i === 0 ? later(C, 'fulfilled') : undefined;
    });
    assert.equal(n, 1500);
  });
}

function own() {
  it('gives undefined for an iterable that is no array', async () => {
    for (const input of [
      counted([1, 2]).iterable, countedAsync([1, 2]).iterable, new Set([1, 2]), '12', new Uint8Array(2),
      P.resolve(new Set([1, 2])), later(P, 'fulfilled', counted([1, 2]).iterable), counted([]).iterable,
    ]) {
      assert.equal(await P.each(input, (x) => x), undefined);
    }
    assert.deepEqual(await P.each(later(P, 'fulfilled', [1, 2]), () => {}), [1, 2]);
  });

  it('the receiver of fn is undefined, length is that of an array', async () => {
    const seen = [];
    function fn(x, i, length) {
      seen.push([this, x, i, length]);
    }
    await P.each([7], fn);
    await P.each(counted([8, 9]).iterable, fn);
    await P.each(countedAsync([5]).iterable, fn);
    assert.deepEqual(seen, [
      [undefined, 7, 0, 1], [undefined, 8, 0, undefined], [undefined, 9, 1, undefined], [undefined, 5, 0, undefined],
    ]);
  });

  it('the array is a fresh one, of what the array held at the call', async () => {
    const input = [1, 2, 3];
    const seen = [];
    const list = await P.each(input, (x) => {
      seen.push(x);
      input.fill(0);
    });
    assert.deepEqual(list, [1, 2, 3]);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.notEqual(list, input);
  });

  for (const make of [counted, countedAsync]) {
    it(`reads one at a time: ${make.name}`, async () => {
      const source = make(numbers(20));
      let done = 0;
      await P.each(source.iterable, async () => {
        assert.ok(source.pulled - done <= 2, `${source.pulled - done} ahead`);
        await macro();
        done++;
      });
      assert.equal(done, 20);
      assert.equal(source.closed, 1);
      assert.ok(!source.busy);
    });

    it(`closes the source when fn fails: ${make.name}`, async () => {
      const source = make(numbers(20));
      assert.equal(await rejection(P.each(source.iterable, (x) => { if (x === 3) throw 'stop'; })), 'stop');
      await quiet();
      assert.ok(source.pulled <= 5);
      assert.equal(source.closed, 1);
    });
  }

  it('an iterator that throws', async () => {
    for (const isAsync of [false, true]) {
      const source = failing(2, 'iterator', isAsync);
      const seen = [];
      assert.equal(await rejection(P.each(source.iterable, (x) => { seen.push(x); })), 'iterator');
      assert.ok(seen.length <= 2);
      assert.equal(source.returns, 0);
    }
  });

  it('with a limit it runs in parallel and still ignores results', async () => {
    for (const input of [numbers(10), counted(numbers(10)).iterable]) {
      const m = manual();
      const p = P.each(input, m.fn, { concurrency: 3 });
      for (let i = 0; i < 10; i++) {
        await macro();
        assert.equal(m.calls.length, Math.min(10, i + 3));
        assert.equal(m.calls[i].args[0], i);
        m.calls[i].resolve('ignored');
      }
      assert.deepEqual(await p, Array.isArray(input) ? numbers(10) : undefined);
    }
    const m = manual();
    const p = P.each(numbers(50), m.fn, { concurrency: Infinity });
    await macro();
    assert.equal(m.calls.length, 50);
    m.calls.forEach((c) => c.resolve());
    assert.deepEqual(await p, numbers(50));
  });

  it('with a limit the first rejection decides and nothing more starts', async () => {
    const m = manual();
    const p = P.each(numbers(10), m.fn, { concurrency: 2 });
    await macro();
    m.calls[1].reject('no');
    assert.equal(await rejection(p), 'no');
    m.calls[0].resolve();
    await quiet();
    assert.equal(m.calls.length, 2);
  });

  rejectsBadConcurrency((options) => P.each([1], (x) => x, options));

  it('20,000 items of a generator, some of them waited for', async () => {
    let n = 0;
    await P.each(counted(numbers(20000)).iterable, (i) => {
      n++;
      return i % 1700 === 0 ? later(P, 'fulfilled') : undefined;
    });
    assert.equal(n, 20000);
  });

  for (const [what, options] of [['serial', '{}'], ['with a limit', '{ concurrency: 8 }']]) {
    for (const kind of ['function*', 'async function*']) {
      it(`300,000 items of ${kind} keep the heap flat, ${what}`, async () => {
        const r = await runChild(`${HEAP}
          ${kind} source() { for (let i = 0; i < 300000; i++) yield { i, pad: [i] }; }
          base = heap();
          let seen = 0;
          P.each(source(), (x) => {
            if (x.i !== seen++) throw new Error('order');
            if (x.i % 50000 === 49999) sample();
            return x.i % 1000 === 0 ? new P((resolve) => setImmediate(resolve)) : x;
          }, ${options}).then((result) => {
            sample();
            console.log(JSON.stringify([result === undefined, seen, peak]));
          });`, { flags: ['--expose-gc'] });
        assert.equal(r.stderr, '');
        const [isUndefined, seen, peak] = JSON.parse(r.stdout);
        assert.deepEqual([isUndefined, seen], [true, 300000]);
        assert.ok(peak < 8, `peak of ${peak.toFixed(1)} MB`);
      });
    }
  }
}

collectionTests('each', shared, own);

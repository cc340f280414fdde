'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, outcome, rejection } = require('./helpers/util');
const {
  checkAggregate, collectionTests, counted, countedAsync, failing, forms, manual, numbers, quiet,
  rejectsBadConcurrency, rejectsNoFunction, unreported,
} = require('./helpers/collections');
const { random } = require('./helpers/program');

function shared(C) {
  for (const { form, call } of forms(C, 'map')) {
    describe(form, () => {
      it('gives the results in the order of the input', async () => {
        assert.deepEqual(await call([1, 2, 3], (x) => x * 2), [2, 4, 6]);
        assert.deepEqual(await call([3, 1, 2], (x) => later(Native, 'fulfilled', x)), [3, 1, 2]);
        const m = manual();
        const p = call(['a', 'b', 'c'], m.fn);
        await quiet();
        m.calls[2].resolve('C');
        await macro();
        m.calls[0].resolve('A');
        await macro();
        m.calls[1].resolve('B');
        assert.deepEqual(await p, ['A', 'B', 'C']);
      });

      it('calls the mapper with value, index and length, and no receiver', async () => {
        const seen = [];
        await call(['a', C.resolve('b'), later(C, 'fulfilled', 'c')], function (...args) {
          seen.push([this, ...args]);
        });
        assert.deepEqual(seen, [[undefined, 'a', 0, 3], [undefined, 'b', 1, 3], [undefined, 'c', 2, 3]]);
      });

      it('starts the mappers in input order', async () => {
        const seen = [];
        await call(numbers(20), (x) => {
          seen.push(x);
          return x % 3 ? x : later(Native, 'fulfilled', x);
        });
        assert.deepEqual(seen, numbers(20));
      });

      it('calls no mapper during the call itself', async () => {
        let during = true;
        const inside = [];
        const p = call([1, C.resolve(2)], () => inside.push(during));
        const q = call([1, 2], () => inside.push(during), { concurrency: 1 });
        during = false;
        await p;
        await q;
        assert.deepEqual(inside, [false, false, false, false]);
      });

      it('without a limit a mapper is called when its element is fulfilled', async () => {
        const seen = [];
        const [a, b] = [deferred(C), deferred(C)];
        const p = call([a.promise, b.promise, 3], (x) => {
          seen.push(x);
          return x;
        });
        await quiet();
        b.resolve(2);
        await quiet();
        a.resolve(1);
        assert.deepEqual(await p, [1, 2, 3]);
        assert.deepEqual(seen, [3, 2, 1]);
      });

      it('has at most `concurrency` in flight', async () => {
        for (const concurrency of [1, 2, 5, 30]) {
          let flying = 0;
          let most = 0;
          const list = await call(numbers(20), async (x) => {
            most = Math.max(most, ++flying);
            await macro();
            flying--;
            return x + 1;
          }, { concurrency });
          assert.deepEqual(list, numbers(20).map((x) => x + 1));
          assert.equal(most, Math.min(concurrency, 20));
        }
      });

      it('an empty input', async () => {
        let called = 0;
        for (const input of [[], '', new Set(), (function* () {})()]) {
          assert.deepEqual(await call(input, () => called++), []);
        }
        assert.equal(called, 0);
      });

      it('what the mapper throws rejects', async () => {
        assert.equal(await rejection(call([1, 2], () => { throw 'thrown'; })), 'thrown');
        assert.equal(await rejection(call([1, 2], async (x) => {
          if (x === 2) throw 'async';
        })), 'async');
        assert.equal(await rejection(call([1], () => ({ then(f, r) { r('thenable'); } }))), 'thenable');
        assert.equal(await rejection(call([1], () => later(C, 'rejected', 'later'))), 'later');
      });

      it('a rejected element rejects', async () => {
        let called = 0;
        await unreported(C, async () => {
          assert.equal(await rejection(call([C.reject('now')], () => called++)), 'now');
        });
        assert.equal(await rejection(call([later(C, 'rejected', 'later')], () => called++)), 'later');
        assert.equal(called, 0);
      });

      it('the first rejection decides, at once', async () => {
        const m = manual();
        const p = call([0, 1, 2], m.fn);
        await quiet();
        m.calls[1].reject('first');
        assert.equal(await rejection(p), 'first');
        m.calls[0].reject('second');
        m.calls[2].resolve();
        await quiet();
        assert.equal(await rejection(p), 'first');
      });

      it('starts nothing after a rejection', async () => {
        let started = 0;
        const reason = await rejection(call(numbers(50), async (x) => {
          started++;
          await macro();
          throw x;
        }, { concurrency: 1 }));
        await quiet();
        assert.equal(started, 1);
        assert.ok(reason === 0 || C !== P); // Bluebird takes the others from the end
      });

      it('a rejected promise of the input', async () => {
        assert.equal(await rejection(call(C.reject('input'), () => {})), 'input');
        assert.equal(await rejection(call(later(C, 'rejected', 'input'), () => {})), 'input');
      });

      rejectsNoFunction((bad) => call([1], bad), C);

      it('options that are no object', async () => {
        for (const bad of [5, 'x', true]) {
          assert.ok((await rejection(call([1], (x) => x, bad))) instanceof TypeError);
        }
      });
    });
  }

  it('values the mapper gives are adopted', async () => {
    const results = [1, C.resolve(2), Native.resolve(3), { then(f) { f(4); } }, later(C, 'fulfilled', 5), [C.resolve(6)]];
    const list = await C.map(numbers(results.length), (i) => results[i]);
    assert.deepEqual(list.slice(0, 5), [1, 2, 3, 4, 5]);
    assert.equal(list[5], results[5]);
  });

  it('100,000 synchronous mappers', async () => {
    for (const concurrency of [1, 8, Infinity]) {
      const list = await C.map(numbers(100000), (x) => x + 1, { concurrency });
      assert.equal(list.length, 100000);
      assert.ok(list.every((x, i) => x === i + 1));
    }
  });

  it('a map inside of a map', async () => {
    const rows = await C.map([1, 2, 3], (x) => C.map([1, 2], (y) => x * y, { concurrency: 1 }), { concurrency: 2 });
    assert.deepEqual(rows, [[1, 2], [2, 4], [3, 6]]);
  });
}

const kinds = [
  { kind: 'array', source: (list) => list },
  { kind: 'generator', source: (list) => counted(list).iterable },
  { kind: 'async generator', source: (list) => countedAsync(list).iterable },
  { kind: 'promise of an array', source: (list) => later(P, 'fulfilled', list) },
  { kind: 'promise of a generator', source: (list) => later(P, 'fulfilled', counted(list).iterable) },
];

function own() {
  for (const { kind, source } of kinds) {
    describe(`order and limit, ${kind}`, () => {
      for (const concurrency of [1, 2, 3, 100]) {
        it(`concurrency ${concurrency}`, async () => {
          const started = [];
          let flying = 0;
          let most = 0;
          const list = await P.map(source(numbers(25)), async (x, i) => {
            started.push(i);
            most = Math.max(most, ++flying);
            for (let k = (x * 7) % 4; k >= 0; k--) await macro();
            flying--;
            return -x;
          }, { concurrency });
          assert.deepEqual(started, numbers(25));
          assert.deepEqual(list, numbers(25).map((x) => -x));
          assert.ok(most <= concurrency, `${most} in flight`);
          if (!kind.includes('async')) assert.equal(most, Math.min(concurrency, 25));
        });
      }
    });
  }

  it('a place that becomes free is taken in the same turn', async () => {
    const m = manual();
    const p = P.map(numbers(4), m.fn, { concurrency: 2 });
    await macro();
    assert.deepEqual(m.calls.map((c) => c.args[0]), [0, 1]);
    m.calls[1].resolve();
    await macro();
    assert.deepEqual(m.calls.map((c) => c.args[0]), [0, 1, 2]);
    m.calls[0].resolve();
    m.calls[2].resolve();
    await macro();
    assert.deepEqual(m.calls.map((c) => c.args[0]), [0, 1, 2, 3]);
    m.calls[3].resolve();
    await p;
  });

  it('a source that ends while other calls do, in the same turn', async () => {
    for (const method of ['map', 'filter', 'each']) {
      for (const makeSource of [function* () { yield* [0, 1, 2]; }, async function* () { yield* [0, 1, 2]; }]) {
        const calls = [deferred(), deferred(), deferred()];
        const p = P[method](makeSource(), (i) => calls[i].promise, { concurrency: 3 });
        await quiet();
        P.resolve().then(() => calls[1].resolve(true)); // is called just before the place of the first is taken
        calls[0].resolve(true);
        await macro();
        calls[2].resolve(true);
        assert.deepEqual(await p, { map: [true, true, true], filter: [0, 1, 2], each: undefined }[method]);
      }
    }
    await macro();
  });

  it('a pending element takes its place when its turn comes', async () => {
    const [a, b] = [deferred(), deferred()];
    const m = manual();
    const p = P.map([a.promise, 1, b.promise, 3, 4], m.fn, { concurrency: 2 });
    const args = () => m.calls.map((c) => c.args[0]);
    await quiet();
    assert.deepEqual(args(), [1]); // places: a, 1
    m.calls[0].resolve('one');
    await quiet();
    assert.deepEqual(args(), [1]); // a, b
    b.resolve(2);
    await quiet();
    assert.deepEqual(args(), [1, 2]); // a, 2
    m.calls[1].resolve('two');
    await quiet();
    assert.deepEqual(args(), [1, 2, 3]);
    a.resolve(0);
    await quiet();
    assert.deepEqual(args(), [1, 2, 3, 0]);
    m.calls[2].resolve('three');
    await quiet();
    assert.deepEqual(args(), [1, 2, 3, 0, 4]);
    m.calls[3].resolve('zero');
    m.calls[4].resolve('four');
    assert.deepEqual(await p, ['zero', 'one', 'two', 'three', 'four']);
  });

  it('elements that are settled already start in order with a limit', async () => {
    const seen = [];
    const input = [1, P.resolve(2), Native.resolve(3), { then(f) { f(4); } }, 5];
    await P.map(input, (x) => { seen.push(x); }, { concurrency: 1 });
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  });

  it('length is that of the array, and undefined where it is not known', async () => {
    const lengths = async (input, options) => new Set(await P.map(input, (x, i, length) => length, options));
    for (const options of [undefined, { concurrency: 1 }, { concurrency: 2 }]) {
      assert.deepEqual(await lengths([1, 2, 3], options), new Set([3]));
      assert.deepEqual(await lengths(P.resolve([1, 2]), options), new Set([2]));
      assert.deepEqual(await lengths(counted([1, 2]).iterable, options), new Set([undefined]));
      assert.deepEqual(await lengths(countedAsync([1, 2]).iterable, options), new Set([undefined]));
    }
  });

  for (const make of [counted, countedAsync]) {
    describe(`reads lazily: ${make.name}`, () => {
      for (const concurrency of [1, 2, 7]) {
        it(`at most ${concurrency} + 1 ahead`, async () => {
          const source = make(numbers(60));
          let done = 0;
          let most = 0;
          await P.map(source.iterable, async (x) => {
            most = Math.max(most, source.pulled - done);
            for (let k = x % 3; k >= 0; k--) await macro();
            most = Math.max(most, source.pulled - done);
            done++;
          }, { concurrency });
          assert.equal(source.pulled, 60);
          assert.equal(source.closed, 1);
          assert.ok(most <= concurrency + 1, `${most} ahead`);
          assert.ok(!source.busy);
        });
      }

      it('stops and closes at the first rejection of the mapper', async () => {
        for (const concurrency of [1, 3]) {
          for (const fail of [() => { throw 'stop'; }, async () => { throw 'stop'; }, () => later(P, 'rejected', 'stop')]) {
            const source = make(numbers(1000));
            let started = 0;
            const p = P.map(source.iterable, (x) => {
              started++;
              return x === 5 ? fail() : later(P, 'fulfilled');
            }, { concurrency });
            assert.equal(await rejection(p), 'stop');
            const before = started;
            await quiet();
            assert.equal(started, before);
            assert.ok(started <= 6 + concurrency - 1, `${started} started`);
            assert.ok(source.pulled <= 6 + concurrency, `${source.pulled} pulled`);
            assert.equal(source.closed, 1);
          }
        }
      });

      it('stops and closes at a rejected element', async () => {
        const source = make([1, { then(f, r) { r('element'); } }, 3, 4, 5, 6]);
        const seen = [];
        const p = P.map(source.iterable, (x) => { seen.push(x); }, { concurrency: 1 });
        assert.equal(await rejection(p), 'element');
        await quiet();
        assert.deepEqual(seen, [1]);
        assert.ok(source.pulled <= 3);
        assert.equal(source.closed, 1);
      });

      it('an endless source ends with the mapper', async () => {
        const source = make({ * [Symbol.iterator]() { for (let i = 0; ; i++) yield i; } });
        const p = P.map(source.iterable, (x) => { if (x === 500) throw 'enough'; }, { concurrency: 4 });
        assert.equal(await rejection(p), 'enough');
        await quiet();
        assert.equal(source.closed, 1);
      });
    });
  }

  it('an iterator is not read during the call beyond what may start', async () => {
    const source = counted(numbers(100));
    const p = P.map(source.iterable, () => macro(), { concurrency: 2 });
    assert.ok(source.pulled <= 3, `${source.pulled}`);
    await p;
  });

  it('one next() of an async iterator at a time, also without a limit', async () => {
    const source = countedAsync(numbers(20));
    assert.deepEqual(await P.map(source.iterable, (x) => x), numbers(20));
    assert.ok(!source.busy);
  });

  it('a mapper starts before the async source has ended', async () => {
    const more = deferred();
    const seen = [];
    async function* g() {
      yield 1;
      await more.promise;
      yield 2;
    }
    const p = P.map(g(), (x) => { seen.push(x); });
    await quiet();
    assert.deepEqual(seen, [1]);
    more.resolve();
    await p;
    assert.deepEqual(seen, [1, 2]);
  });

  it('promises in an async iterator that does not wait for them', async () => {
    let i = 0;
    const iterable = {
      [Symbol.asyncIterator]: () => ({
        next: async () => (i < 3 ? { done: false, value: later(P, 'fulfilled', i++) } : { done: true }),
      }),
    };
    assert.deepEqual(await P.map(iterable, (x) => x + 1, { concurrency: 2 }), [1, 2, 3]);
  });

  for (const isAsync of [false, true]) {
    it(`${isAsync ? 'an async' : 'an'} iterator that throws rejects and is not closed`, async () => {
      for (const at of [0, 1, 5]) {
        for (const options of [undefined, { concurrency: 1 }, { concurrency: 2 }]) {
          const error = new Error('iterator');
          const source = failing(at, error, isAsync);
          const seen = [];
          assert.equal(await rejection(P.map(source.iterable, (x) => { seen.push(x); }, options)), error);
          await quiet();
          assert.equal(source.returns, 0);
          assert.deepEqual(seen, numbers(seen.length));
          assert.ok(seen.length <= at);
          assert.equal(await P.resolve(1).then((x) => x + 1), 2);
        }
      }
    });
  }

  it('an iterator that throws after mappers have started', async () => {
    const m = manual();
    const source = failing(3, 'late');
    const p = P.map(source.iterable, m.fn, { concurrency: 2 });
    await quiet();
    assert.equal(m.calls.length, 2);
    m.calls[0].resolve();
    await quiet();
    m.calls[1].resolve();
    assert.equal(await rejection(p), 'late');
    m.calls.slice(2).forEach((c) => c.reject('ignored'));
    await quiet();
    assert.equal(source.returns, 0);
  });

  it('an error of return() is ignored', async () => {
    const sources = [
      { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { throw 'return'; } }) },
      { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), get return() { throw 'return'; } }) },
      { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return() { throw 'return'; } }) },
      { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: async () => { throw 'return'; } }) },
    ];
    for (const source of sources) {
      assert.equal(await rejection(P.map(source, () => { throw 'mapper'; }, { concurrency: 1 })), 'mapper');
      await quiet();
    }
  });

  it('an iterator without return()', async () => {
    const endless = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }) }) };
    assert.equal(await rejection(P.map(endless, () => { throw 'mapper'; }, { concurrency: 1 })), 'mapper');
  });

  it('does not wait for return()', async () => {
    const endless = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: () => new P(() => {}) }),
    };
    assert.equal(await rejection(P.map(endless, () => { throw 'mapper'; }, { concurrency: 1 })), 'mapper');
  });

  it('an array is read at the call', async () => {
    for (const change of [(a) => a.push(9), (a) => { a.length = 0; }, (a) => a.fill(7), (a) => a.reverse()]) {
      for (const options of [undefined, { concurrency: 1 }]) {
        const a = [1, P.resolve(2), 3];
        const p = P.map(a, (x, i, length) => [x, length], options);
        change(a);
        assert.deepEqual(await p, [[1, 3], [2, 3], [3, 3]]);
        const b = [1, 2, 3];
        const seen = await P.map(b, (x) => { change(b); return x; }, options);
        assert.deepEqual(seen, [1, 2, 3]);
      }
    }
  });

  it('the array of a promise is read when the promise is fulfilled', async () => {
    const a = [1, 2];
    const d = deferred();
    const p = P.map(d.promise, (x) => x);
    a.push(3);
    d.resolve(a);
    await macro();
    a.length = 0;
    assert.deepEqual(await p, [1, 2, 3]);
  });

  it('holes are undefined', async () => {
    // eslint-disable-next-line no-sparse-arrays
    assert.deepEqual(await P.map([, 1, , ], (x) => x), [undefined, 1, undefined]);
  });

  rejectsBadConcurrency((options) => P.map([1], (x) => x, options));

  it('a promise of the input is not asked for when an argument is wrong', async () => {
    assert.ok((await rejection(P.map(P.resolve([1]), null))) instanceof TypeError);
    assert.ok((await rejection(P.map([1], (x) => x, { concurrency: 0 }))) instanceof TypeError);
  });

  it('never throws', async () => {
    const bad = {
      get concurrency() { throw 'getter'; },
    };
    const proxy = new Proxy([], { get() { throw 'trap'; } });
    assert.equal(await rejection(P.map([1], (x) => x, bad)), 'getter');
    assert.equal(await rejection(P.map(proxy, (x) => x)), 'trap');
    assert.equal(await rejection(P.map({ get then() { throw 'then'; } }, (x) => x)), 'then');
    assert.equal(await rejection(P.map({ get [Symbol.iterator]() { throw 'it'; } }, (x) => x)), 'it');
    const element = { get then() { throw 'element'; } };
    assert.equal(await rejection(P.map([element], (x) => x)), 'element');
  });

  it('gives a fresh plain array and a promise of ours', async () => {
    class List extends Array {}
    const input = List.of(1, 2);
    const p = P.map(input, (x) => x);
    assert.ok(p instanceof P);
    const list = await p;
    assert.notEqual(list, input);
    assert.equal(Object.getPrototypeOf(list), Array.prototype);
  });

  it('a mapper may abort nothing but itself: others in flight are left alone', async () => {
    const m = manual();
    const p = P.map([0, 1], m.fn);
    await quiet();
    m.calls[0].reject('x');
    assert.equal(await rejection(p), 'x');
    m.calls[1].resolve('unseen');
    await quiet();
  });

  describe('stopOnError: false', () => {
    it('runs everything, then rejects with all errors in input order', async () => {
      for (const concurrency of [1, 2, Infinity]) {
        for (const { source } of kinds) {
          const seen = [];
          const p = P.map(source(numbers(6)), async (x) => {
            seen.push(x);
            for (let i = x; i < 6; i++) await macro(); // the last fails first
            if (x % 2) throw x;
          }, { concurrency, stopOnError: false });
          checkAggregate(await rejection(p), [1, 3, 5]);
          assert.deepEqual(seen, numbers(6));
        }
      }
    });

    it('rejected elements count, and their mapper is not called', async () => {
      const seen = [];
      const p = P.map([P.reject('a'), 1, later(P, 'rejected', 'c'), 3], (x) => {
        seen.push(x);
        if (x === 3) throw 'd';
      }, { stopOnError: false });
      checkAggregate(await rejection(p), ['a', 'c', 'd']);
      assert.deepEqual(seen, [1, 3]);
    });

    it('fulfills when there was no error', async () => {
      assert.deepEqual(await P.map([1, 2], (x) => x, { stopOnError: false }), [1, 2]);
      assert.deepEqual(await P.map([], (x) => x, { stopOnError: false }), []);
    });

    it('one error is an AggregateError as well', async () => {
      checkAggregate(await rejection(P.map([1, 2], (x) => { if (x > 1) throw undefined; }, { stopOnError: false })), [undefined]);
    });

    it('mapSeries, filter, each and mapValues know it too', async () => {
      const odd = (x) => { if (x % 2) throw x; };
      for (const method of ['mapSeries', 'filter', 'each', 'mapValues']) {
        checkAggregate(await rejection(P[method]([1, 2, 3], odd, { stopOnError: false })), [1, 3]);
      }
    });

    it('what is no boolean rejects with a TypeError that names it', async () => {
      for (const [bad, text] of [['no', '"no"'], [0, '0'], [null, 'null'], [{}, '[object Object]']]) {
        for (const method of ['map', 'mapSeries', 'filter', 'each', 'mapValues']) {
          const error = await rejection(P[method]([1], (x) => x, { stopOnError: bad }));
          assert.equal(error.name, 'TypeError');
          assert.equal(error.message, `expecting stopOnError to be a boolean but got ${text}`);
        }
      }
      assert.deepEqual(await P.map([1], (x) => x, { stopOnError: undefined }), [1]);
    });

    it('a rejected input is not wrapped', async () => {
      assert.equal(await rejection(P.map(P.reject('input'), (x) => x, { stopOnError: false })), 'input');
    });
  });

  it('2^21 + 3 elements', async () => {
    const n = 2 ** 21 + 3;
    const list = await P.map(new Array(n).fill(1), (x, i) => i);
    assert.equal(list.length, n);
    assert.ok(list.every((x, i) => x === i));
  }).slow(Infinity);

  it('100,000 mappers that settle later, with a limit', async () => {
    const list = await P.map(numbers(100000), (x) => new P((resolve) => setImmediate(resolve, x)), { concurrency: 1000 });
    assert.ok(list.every((x, i) => x === i));
    assert.equal(list.length, 100000);
  });

  for (const kind of ['array', 'generator', 'async generator']) {
    it(`agrees with a naive model on random programs: ${kind}`, async () => {
      for (let seed = 1; seed <= 80; seed++) await playRandom(seed, kind);
    });
  }
}

/**
 * One random map, checked against what a naive model says. Delays are turns of
 * the loop, so that no two things but synchronous ones happen in one turn of the
 * microtask queue, and "first" has one meaning.
 */
async function playRandom(seed, kind) {
  const rnd = random(seed * 7919 + kind.length);
  const n = rnd(25);
  const concurrency = [1, 2, 3, 8, Infinity][rnd(5)];
  const stopOnError = rnd(4) > 0;
  const failureRate = rnd(3) ? 30 : 1000;
  const pendingElements = rnd(3) === 0;
  const label = `seed ${seed}, ${kind}, ${n} items, concurrency ${concurrency}, stopOnError ${stopOnError}`;

  const tasks = numbers(n).map((i) => ({
    i,
    elementDelay: pendingElements ? rnd(4) : 0, // 0: a plain value
    elementFails: pendingElements && rnd(failureRate) === 0,
    delay: rnd(5), // 0: synchronous
    fails: rnd(failureRate) === 0,
    state: 'new',
  }));
  for (const t of tasks) if (t.elementDelay === 0) t.elementFails = false;

  const errors = [];
  const starts = [];
  let flying = 0;
  let ended = 0;
  let pulled = 0;
  let closed = 0;

  const fail = (t, what) => {
    const error = `${what} ${t.i}`;
    errors.push({ i: t.i, error });
    t.state = 'failed';
    ended++;
    return error;
  };
  // Promises of several classes, which is nothing the result may show.
  const classOf = (i) => [P, Native, P][i % 3];
  const after = (C, turns, act) => new C((resolve, reject) => {
    const step = () => {
      if (--turns >= 0) setImmediate(step);
      else act(resolve, reject);
    };
    setImmediate(step);
  });

  const element = (t) => {
    if (t.elementDelay === 0) return t.i;
    // Its rejection may come before its turn; then it counts when its turn has come.
    return after(classOf(t.i), t.elementDelay - 1, (resolve, reject) => {
      if (t.elementFails) reject(fail(t, 'element'));
      else resolve(t.i);
    });
  };

  const mapper = (i) => {
    const t = tasks[i];
    assert.equal(t.state, 'new', `${label}: ${i} started again`);
    if (stopOnError && !pendingElements) assert.equal(errors.length, 0, `${label}: started after an error`);
    t.state = 'running';
    starts.push(i);
    flying++;
    assert.ok(flying <= concurrency, `${label}: ${flying} in flight`);
    if (kind !== 'array') assert.ok(pulled - ended <= concurrency + 1, `${label}: ${pulled - ended} ahead`);
    const finish = () => {
      flying--;
      if (t.fails) throw fail(t, 'mapper');
      t.state = 'done';
      ended++;
      return -i;
    };
    if (t.delay === 0) return finish();
    return after(classOf(i + 1), t.delay - 1, (resolve, reject) => {
      try {
        resolve(finish());
      } catch (e) {
        reject(e);
      }
    });
  };

  function* generator() {
    try {
      for (const t of tasks) {
        pulled++;
        yield element(t);
      }
    } finally {
      closed++;
    }
  }
  async function* asyncGenerator() {
    try {
      for (const t of tasks) {
        if (rnd(2)) await macro();
        pulled++;
        yield t.i; // a promise would be waited for here
      }
    } finally {
      closed++;
    }
  }
  if (kind === 'async generator') for (const t of tasks) Object.assign(t, { elementDelay: 0, elementFails: false });
  const input = { array: () => tasks.map(element), generator, 'async generator': asyncGenerator }[kind]();

  const result = await outcome(P.map(input, mapper, { concurrency, stopOnError }));
  const startedThen = starts.length;
  if (result.status === 'rejected' && stopOnError) {
    await quiet(25);
    assert.equal(starts.length, startedThen, `${label}: started after the end`);
  }

  const plain = starts.filter((i) => tasks[i].elementDelay === 0);
  assert.deepEqual(plain, [...plain].sort((a, b) => a - b), `${label}: order of starts`);
  if (concurrency === 1 || kind === 'async generator' || !pendingElements) {
    assert.deepEqual(starts, [...starts].sort((a, b) => a - b), `${label}: order of starts`);
    if (stopOnError) assert.deepEqual(starts, numbers(starts.length), `${label}: no gaps`);
  }

  if (kind !== 'array' && (kind !== 'generator' || n > 0 || closed > 0)) {
    assert.equal(closed, 1, `${label}: closed`);
  }
  if (errors.length === 0) {
    assert.deepEqual(result, { status: 'fulfilled', value: numbers(n).map((i) => (i === 0 ? -0 : -i)) }, label);
  } else if (!stopOnError) {
    assert.equal(result.status, 'rejected', label);
    checkAggregate(result.reason, errors.sort((a, b) => a.i - b.i).map((e) => e.error));
    assert.equal(starts.length, tasks.filter((t) => !t.elementFails).length, label);
  } else if (!pendingElements) {
    assert.deepEqual(result, { status: 'rejected', reason: errors[0].error }, label);
  } else if (result.status === 'fulfilled') {
    assert.fail(`${label}: fulfilled in spite of ${errors[0].error}`);
  } else {
    assert.ok(errors.some((e) => e.error === result.reason), `${label}: ${result.reason}`);
  }
}

collectionTests('map', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { getEventListeners } = require('node:events');
const { inspect } = require('node:util');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, outcome, rejection, rejectionEvents } = require('./helpers/util');
const {
  HEAP, collectionTests, counted, countedAsync, failing, manual, notFunction, notIterable, numbers, quiet,
} = require('./helpers/collections');
const { run: runChild } = require('./helpers/child');
const { random } = require('./helpers/program');

async function collect(iterator) {
  const list = [];
  for await (const x of iterator) list.push(x);
  return list;
}

/** Reads to the end: what came, and the error it ended with. */
async function drain(iterator) {
  const list = [];
  try {
    for await (const x of iterator) list.push(x);
  } catch (error) {
    return { list, error };
  }
  return { list };
}

const done = { value: undefined, done: true };

function own() {
  it('gives the results in the order of the input', async () => {
    assert.deepEqual(await collect(P.mapIterator([1, 2, 3], (x) => x * 2)), [2, 4, 6]);
    assert.deepEqual(await collect(P.mapIterator([], assert.fail)), []);
    const slowFirst = P.mapIterator(numbers(6), async (x) => {
      for (let i = x; i < 6; i++) await macro();
      return x;
    });
    assert.deepEqual(await collect(slowFirst), numbers(6));
  });

  it('takes every kind of input and element', async () => {
    const elements = () => [1, P.resolve(2), Native.resolve(3), { then(f) { f(4); } }, later(P, 'fulfilled', 5)];
    for (const input of [
      elements(), new Set(elements()), counted(elements()).iterable, countedAsync(elements()).iterable,
      P.resolve(elements()), later(Native, 'fulfilled', elements()), later(P, 'fulfilled', counted(elements()).iterable),
    ]) {
      for (const options of [undefined, { concurrency: 1 }, { concurrency: 2, backpressure: 3 }]) {
        const fresh = Array.isArray(input) || input instanceof Set ? elements() : input;
        assert.deepEqual(await collect(P.mapIterator(fresh, (x) => x * 10, options)), [10, 20, 30, 40, 50]);
        if (fresh === input) break; // read once
      }
    }
    assert.deepEqual(await collect(P.mapIterator('ab', (x) => x + x)), ['aa', 'bb']);
  });

  it('calls the mapper with value, index and length, and no receiver', async () => {
    const seen = [];
    function fn(...args) {
      seen.push([this, ...args]);
    }
    await collect(P.mapIterator(['a', 'b'], fn));
    await collect(P.mapIterator(counted(['c']).iterable, fn));
    assert.deepEqual(seen, [[undefined, 'a', 0, 2], [undefined, 'b', 1, 2], [undefined, 'c', 0, undefined]]);
  });

  it('is an iterator of itself', async () => {
    const it = P.mapIterator([1], (x) => x);
    assert.equal(it[Symbol.asyncIterator](), it);
    assert.deepEqual(await it.next(), { value: 1, done: false });
    assert.deepEqual(await it.next(), done);
    assert.deepEqual(await it.next(), done);
  });

  it('starts nothing before the first next()', async () => {
    for (const make of [counted, countedAsync]) {
      const source = make(numbers(5));
      let started = 0;
      const it = P.mapIterator(source.iterable, () => { started++; });
      await quiet();
      assert.deepEqual([source.pulled, started], [0, 0]);
      await it.next();
      assert.ok(started > 0);
      await it.return();
    }
  });

  it('calls no mapper during next() itself', async () => {
    let during = true;
    const it = P.mapIterator([1], () => during);
    const p = it.next();
    during = false;
    assert.equal((await p).value, false);
  });

  for (const [concurrency, backpressure] of [[1, 1], [1, 4], [2, 2], [3, 7], [4, undefined]]) {
    for (const make of [(x) => ({ iterable: x }), counted, countedAsync]) {
      it(`concurrency ${concurrency}, backpressure ${backpressure}, ${make.name || 'array'}`, async () => {
        const source = make(numbers(40));
        const limit = backpressure ?? concurrency;
        let flying = 0;
        let started = 0;
        let consumed = 0;
        const it = P.mapIterator(source.iterable, async (x) => {
          started++;
          assert.ok(++flying <= concurrency, `${flying} in flight`);
          // The one that is on its way to the consumer may count as consumed.
          assert.ok(started - consumed <= limit + 1, `${started - consumed} not consumed`);
          for (let i = (x * 7) % 4; i >= 0; i--) await macro();
          flying--;
          return x;
        }, { concurrency, backpressure });
        for await (const x of it) {
          assert.equal(x, consumed++);
          for (let i = (x * 5) % 3; i > 0; i--) await macro();
        }
        assert.equal(consumed, 40);
        assert.equal(started, 40);
      });
    }
  }

  it('waits for the consumer', async () => {
    const source = counted(numbers(100));
    let started = 0;
    const it = P.mapIterator(source.iterable, (x) => { started++; return x; }, { concurrency: 2, backpressure: 5 });
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await it.next(), { value: i, done: false });
      await quiet();
      assert.ok(started >= i + 5 && started <= i + 6, `${started} started after ${i + 1}`);
      assert.ok(source.pulled <= started + 1);
    }
    await it.return();
  });

  it('several next() at once get the results in order', async () => {
    const m = manual();
    const it = P.mapIterator([0, 1], m.fn, { concurrency: 2 });
    const steps = numbers(4).map(() => it.next());
    await quiet();
    m.calls[1].resolve('b');
    await quiet();
    m.calls[0].resolve('a');
    assert.deepEqual(await Native.all(steps), [{ value: 'a', done: false }, { value: 'b', done: false }, done, done]);
  });

  for (const make of [counted, countedAsync]) {
    it(`a break closes the source and starts nothing more: ${make.name}`, async () => {
      const source = make(numbers(100));
      let started = 0;
      for await (const x of P.mapIterator(source.iterable, async (y) => { started++; return y; }, { concurrency: 2 })) {
        if (x === 3) break;
      }
      const then = started;
      await quiet();
      assert.equal(started, then);
      assert.ok(started <= 4 + 3, `${started}`);
      assert.equal(source.closed, 1);
    });

    it(`a rejection comes at its place, ends it and closes the source: ${make.name}`, async () => {
      const source = make(numbers(100));
      let started = 0;
      const it = P.mapIterator(source.iterable, async (x) => {
        started++;
        if (x === 2) throw 'stop'; // long before the others are done
        for (let i = 0; i < 4; i++) await macro();
        return x;
      }, { concurrency: 3, backpressure: 6 });
      assert.deepEqual(await drain(it), { list: [0, 1], error: 'stop' });
      const then = started;
      assert.deepEqual(await it.next(), done);
      await quiet(10);
      assert.equal(started, then);
      assert.ok(started <= 2 + 6 + 1, `${started}`);
      assert.equal(source.closed, 1);
    });
  }

  it('rejected elements, throwing mappers, throwing sources, rejected inputs', async () => {
    assert.deepEqual(await drain(P.mapIterator([1, P.reject('element'), 3], (x) => x)), { list: [1], error: 'element' });
    assert.deepEqual(await drain(P.mapIterator([1, 2], (x) => { if (x === 2) throw 'thrown'; return x; })), { list: [1], error: 'thrown' });
    assert.deepEqual(await drain(P.mapIterator(P.reject('input'), (x) => x)), { list: [], error: 'input' });
    for (const isAsync of [false, true]) {
      const source = failing(2, 'iterator', isAsync);
      assert.deepEqual(await drain(P.mapIterator(source.iterable, (x) => x, { concurrency: 1 })), { list: [0, 1], error: 'iterator' });
      await quiet();
      assert.equal(source.returns, 0);
    }
  });

  it('other rejections after the first are not reported', async () => {
    const events = await rejectionEvents(async () => {
      const it = P.mapIterator(numbers(5), (x) => later(P, 'rejected', x));
      assert.deepEqual(await drain(it), { list: [], error: 0 });
      await quiet();
      // Nobody asks for the second result, which is rejected.
      const left = P.mapIterator([1, 2, P.reject(3)], (x) => { if (x === 2) throw x; return x; });
      assert.equal((await left.next()).value, 1);
      await quiet();
      await left.return();
    });
    assert.deepEqual(events, []);
  });

  it('return()', async () => {
    const fresh = P.mapIterator([1], assert.fail);
    assert.deepEqual(await fresh.return('v'), { value: 'v', done: true });
    assert.deepEqual(await fresh.next(), done);

    const source = counted(numbers(9));
    const it = P.mapIterator(source.iterable, (x) => x, { concurrency: 1 });
    await it.next();
    assert.deepEqual(await it.return(), done);
    assert.deepEqual(await it.return(), done);
    assert.deepEqual(await it.next(), done);
    assert.equal(source.closed, 1);
  });

  it('return() while a next() is waiting', async () => {
    const m = manual();
    const it = P.mapIterator([1, 2, 3], m.fn, { concurrency: 1 });
    const p = outcome(it.next());
    await quiet();
    const r = outcome(it.return());
    await quiet();
    m.calls[0].resolve('late');
    assert.deepEqual((await r).value, done);
    const { status, value } = await p;
    assert.equal(status, 'fulfilled');
    assert.ok(value.done === true || value.value === 'late');
    await quiet();
    assert.equal(m.calls.length, 1);
  });

  it('next() and return() give promises of ours', async () => {
    const it = P.mapIterator([1], (x) => x);
    const [a, b] = [it.next(), it.return()];
    assert.ok(a instanceof P);
    assert.ok(b instanceof P);
    await a;
    await b;
  });

  it('wrong arguments are thrown, for there is no promise', () => {
    for (const [bad, what] of notFunction) {
      assert.throws(() => P.mapIterator([1], bad), (e) => e instanceof TypeError && what.test(e.message));
    }
    const options = [
      { concurrency: 0 }, { concurrency: 1.5 }, { concurrency: '2' }, { concurrency: null },
      { backpressure: 0 }, { concurrency: 2, backpressure: 1 }, { concurrency: 1, backpressure: 1.5 },
      { concurrency: 1, backpressure: '2' }, { concurrency: 1, backpressure: NaN }, { concurrency: 1, backpressure: null },
      { backpressure: 3 }, { signal: {} },
    ];
    for (const o of options) {
      const name = Object.keys(o).at(-1);
      assert.throws(() => P.mapIterator([1], (x) => x, o), (e) => e instanceof TypeError && e.message.includes(name), JSON.stringify(o));
    }
  });

  it('an input that is no iterable is a TypeError, at the latest at next()', async () => {
    for (const [bad] of notIterable) {
      await assert.rejects(async () => {
        await P.mapIterator(bad, (x) => x).next();
      }, TypeError);
    }
  });

  it('shows nothing of its inside', () => {
    const iterator = P.mapIterator([1], (x) => x);
    assert.equal(inspect(iterator), 'MapIterator {}');
    assert.deepEqual(Reflect.ownKeys(iterator), []);
  });

  it('a signal ends it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const source = counted(numbers(100));
    const m = manual();
    const it = P.mapIterator(source.iterable, m.fn, { concurrency: 2, signal });
    const p = it.next();
    await quiet();
    controller.abort('reason');
    assert.equal(await rejection(p), 'reason');
    assert.deepEqual(await it.next(), done);
    await quiet();
    assert.equal(m.calls.length, 2);
    assert.equal(source.closed, 1);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    await collect(P.mapIterator([1, 2], (x) => x, { signal }));
    assert.equal(listeners(), 0);
    await drain(P.mapIterator([1, 2], () => { throw 1; }, { signal }));
    assert.equal(listeners(), 0);
    const it = P.mapIterator([1, 2], (x) => x, { signal });
    await it.next();
    await it.return();
    assert.equal(listeners(), 0);
    const aborted = AbortSignal.abort('early');
    assert.deepEqual(await drain(P.mapIterator([1], assert.fail, { signal: aborted })), { list: [], error: 'early' });
    assert.equal(getEventListeners(aborted, 'abort').length, 0);
  });

  it('agrees with a naive model on random programs', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const rnd = random(seed);
      const n = rnd(20);
      const concurrency = 1 + rnd(4);
      const backpressure = concurrency + rnd(4);
      const delays = numbers(n).map(() => rnd(5));
      const fails = numbers(n).map(() => rnd(25) === 0);
      const first = fails.indexOf(true);
      const make = [(list) => ({ iterable: list }), counted, countedAsync][rnd(3)];
      const started = [];
      let flying = 0;
      const it = P.mapIterator(make(numbers(n)).iterable, async (x) => {
        started.push(x);
        assert.ok(++flying <= concurrency);
        for (let i = delays[x]; i > 0; i--) await macro();
        flying--;
        if (fails[x]) throw x;
        return x;
      }, { concurrency, backpressure });
      const { list, error } = await drain(it);
      const length = first < 0 ? n : first;
      assert.deepEqual(list, numbers(length), `seed ${seed}`);
      assert.equal(error, first < 0 ? undefined : first, `seed ${seed}`);
      assert.deepEqual(started, numbers(started.length), `seed ${seed}`);
      assert.ok(started.length <= length + backpressure + 1, `seed ${seed}`);
      await quiet();
    }
  });

  it('300,000 items keep the heap flat', async () => {
    const r = await runChild(`${HEAP}
      function* source() { for (let i = 0; i < 300000; i++) yield { i, pad: [i] }; }
      base = heap();
      (async () => {
        let seen = 0;
        for await (const x of P.mapIterator(source(), (x) => x, { concurrency: 8 })) {
          if (x.i !== seen++) throw new Error('order');
          if (seen % 50000 === 0) sample();
        }
        console.log(JSON.stringify([seen, peak]));
      })();`, { flags: ['--expose-gc'] });
    assert.equal(r.stderr, '');
    const [seen, peak] = JSON.parse(r.stdout);
    assert.equal(seen, 300000);
    assert.ok(peak < 8, `peak of ${peak.toFixed(1)} MB`);
  });

  it('what fails after the signal has ended it is nobody\'s business', async () => {
    const controller = new AbortController();
    const d = deferred();
    const iterator = P.mapIterator([1], () => d.promise, { signal: controller.signal });
    const events = await rejectionEvents(async () => {
      const first = iterator.next();
      await quiet();
      controller.abort('enough');
      assert.equal(await rejection(first), 'enough');
      d.reject(new Error('late'));
      await quiet();
    });
    assert.deepEqual(events, []);
    assert.deepEqual(await iterator.next(), done);
  });

  it('a signal ends it as long as results are left, though the source has ended', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const iterator = P.mapIterator([1, 2, 3], (x) => x, { signal });
    assert.deepEqual(await iterator.next(), { value: 1, done: false });
    await quiet();
    controller.abort('enough');
    assert.equal(await rejection(iterator.next()), 'enough');
    assert.deepEqual(await iterator.next(), done);
    const rest = new AbortController();
    assert.deepEqual(await collect(P.mapIterator([1, 2], (x) => x, { signal: rest.signal })), [1, 2]);
    assert.equal(getEventListeners(rest.signal, 'abort').length, 0);
  });

  it('a promise of what cannot be iterated rejects the first next()', async () => {
    const iterator = P.mapIterator(P.resolve(5), (x) => x);
    assert.ok((await rejection(iterator.next())) instanceof TypeError);
    assert.deepEqual(await iterator.next(), done);
  });

  it('options that are none', () => {
    for (const options of [null, 5, 'x']) {
      assert.throws(() => P.mapIterator([1], (x) => x, options), (error) => error instanceof TypeError && /options/.test(error.message));
    }
  });

  it('a source that settles late', async () => {
    const d = deferred();
    const p = collect(P.mapIterator(d.promise, (x) => x + 1));
    await quiet();
    d.resolve([1, 2]);
    assert.deepEqual(await p, [2, 3]);
  });
}

collectionTests('mapIterator', null, own);

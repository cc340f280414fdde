'use strict';

// What the four combinators share: how they read their input.

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { P, isNative, unlessNative } = require('./subject');
const { Sub, deferred, macro, outcome, rejection } = require('./util');

/** An iterator over `list` that records how it is used. */
function recording(list, faults = {}) {
  const log = [];
  let i = 0;
  const iterable = {
    log,
    [Symbol.iterator]() {
      log.push('open');
      return {
        get next() {
          log.push('get next');
          return () => {
            log.push('next');
            if (faults.next === i) throw new Error('next');
            if (faults.result === i) return 'no object';
            const at = i++;
            return {
              get done() {
                if (faults.done === at) throw new Error('done');
                return at >= list.length;
              },
              get value() {
                if (faults.value === at) throw new Error('value');
                return list[at];
              },
            };
          };
        },
        return() {
          log.push('return');
          if (faults.return) throw new Error('return');
          return {};
        },
      };
    },
  };
  return iterable;
}

/**
 * `read(values)`: what the combinator gives for fulfilled inputs with these values;
 * `pendingWhenEmpty` for race.
 */
function inputTests(method, read, empty) {
  const combine = (x) => P[method](x);
  const check = async (input, values) => {
    assert.deepEqual(await outcome(combine(input)), { status: 'fulfilled', value: read(values) });
  };

  it('takes every kind of iterable', async () => {
    await check([1, 2, 3], [1, 2, 3]);
    await check(new Set([1, 2]), [1, 2]);
    await check('ab', ['a', 'b']);
    await check(Object('ab'), ['a', 'b']);
    await check('\u{1F600}x', ['\u{1F600}', 'x']);
    await check(new Map([['k', 1]]).values(), [1]);
    await check(new Uint8Array([7, 8]), [7, 8]);
    await check((function* () { yield 1; yield P.resolve(2); })(), [1, 2]);
    await check((function () { return arguments; })(1, 2), [1, 2]);
    await check(recording([1, P.resolve(2)]), [1, 2]);
    await check(vm.runInNewContext('[1, 2]'), [1, 2]);
    await check(vm.runInNewContext('(function* () { yield 1; yield 2; })()'), [1, 2]);
    await check(new Proxy([1, 2], {}), [1, 2]);
    class List extends Array {}
    await check(List.of(1, 2), [1, 2]);
    await check(Object.freeze([1, 2]), [1, 2]);
  });

  it('takes the iterator an array was given', async () => {
    const a = [1, 2];
    a[Symbol.iterator] = function* () { yield 'mine'; };
    await check(a, ['mine']);
    const b = [1, 2];
    Object.setPrototypeOf(b, { [Symbol.iterator]: function* () { yield 'proto'; } });
    await check(b, ['proto']);
  });

  it('takes the iterator of a changed Array.prototype', async () => {
    const saved = Array.prototype[Symbol.iterator];
    let p;
    try {
      // eslint-disable-next-line no-extend-native
      Array.prototype[Symbol.iterator] = function* () { yield 'changed'; };
      p = combine([1, 2]);
    } finally {
      // eslint-disable-next-line no-extend-native
      Array.prototype[Symbol.iterator] = saved;
    }
    assert.deepEqual((await outcome(p)).value, read(['changed']));
  });

  it('reads holes as undefined and getters once', async () => {
    // eslint-disable-next-line no-sparse-arrays
    await check([, 1, , ], [undefined, 1, undefined]);
    let reads = 0;
    const a = [0];
    Object.defineProperty(a, 0, { get() { reads++; return P.resolve('got'); } });
    await check(a, ['got']);
    assert.equal(reads, 1);
  });

  it('a hole shows what the prototype holds', async () => {
    const a = new Array(1);
    Object.setPrototypeOf(a, Object.assign(Object.create(Array.prototype), { 0: 'below' }));
    await check(a, ['below']);
  });

  it('does not see what happens to the array after the call', async () => {
    for (const change of [
      (a) => a.push(P.resolve(9)), (a) => { a.length = 0; }, (a) => a.fill(null), (a) => a.reverse(),
    ]) {
      const d = deferred();
      const a = [P.resolve(1), d.promise, 3];
      const p = combine(a);
      change(a);
      d.resolve(2);
      await macro();
      change(a);
      assert.deepEqual((await outcome(p)).value, read([1, 2, 3]));
    }
  });

  it('sees an array that grows or shrinks while it is read', async () => {
    const a = [1, 0, 3];
    Object.defineProperty(a, 1, { get() { a.push(4); return 2; } });
    await check(a, [1, 2, 3, 4]);
    const b = [1, 0, 3, 4];
    Object.defineProperty(b, 1, { get() { b.length = 2; return 2; }, configurable: true });
    await check(b, [1, 2]);
  });

  it('the same promise several times', async () => {
    const d = deferred();
    const p = combine([d.promise, d.promise, d.promise]);
    d.resolve('same');
    assert.deepEqual((await outcome(p)).value, read(['same', 'same', 'same']));
    const s = P.resolve('s');
    await check([s, s], ['s', 's']);
  });

  it('rejects with a TypeError what is not iterable', async () => {
    for (const bad of [undefined, null, 0, true, Symbol(), 1n, {}, () => {},
      { length: 0 }, { [Symbol.iterator]: 1 }, { [Symbol.iterator]: () => 1 },
      { [Symbol.iterator]: () => undefined }, { [Symbol.iterator]: () => ({}) },
      { [Symbol.iterator]: null },
      // Ours wait for these: see differences.test.js.
      ...(isNative ? [P.resolve([]), (async function* () {})()] : [])]) {
      const p = combine(bad);
      assert.ok(p instanceof P);
      assert.ok((await rejection(p)) instanceof TypeError, `for ${String(bad)}`);
    }
    assert.ok((await rejection(P[method]())) instanceof TypeError);
  });

  it('an iterator that cannot be had rejects with its error', async () => {
    const faulty = [
      { get [Symbol.iterator]() { throw new RangeError('it'); } },
      { [Symbol.iterator]() { throw new RangeError('it'); } },
      { [Symbol.iterator]: () => ({ get next() { throw new RangeError('it'); } }) },
      new Proxy([], { get() { throw new RangeError('it'); } }),
    ];
    for (const x of faulty) assert.ok((await rejection(combine(x))) instanceof RangeError);
  });

  it('an iterator that throws is not closed', async () => {
    for (const fault of ['next', 'done', 'value']) {
      for (const at of [0, 1]) {
        const it = recording([1, 2, 3], { [fault]: at });
        assert.equal((await rejection(combine(it))).message, fault);
        assert.ok(!it.log.includes('return'), fault);
      }
    }
    const it = recording([1], { result: 0 });
    assert.ok((await rejection(combine(it))) instanceof TypeError);
    assert.ok(!it.log.includes('return'));
  });

  it('an iterator that throws harms nobody else', async () => {
    const it = recording([new P(() => {}), P.resolve(1)], { next: 2 });
    assert.equal((await rejection(combine(it))).message, 'next');
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
    await check([1, P.resolve(2)], [1, 2]);
  });

  it('an iterator read to its end is not closed, its next is read once', async () => {
    const it = recording([1, P.resolve(2)]);
    await combine(it);
    assert.deepEqual(it.log, ['open', 'get next', 'next', 'next', 'next']);
    let closed = 0;
    function* g() { try { yield 1; } finally { closed++; } }
    const gen = g();
    await combine(gen);
    assert.equal(closed, 1);
    assert.deepEqual(gen.next(), { value: undefined, done: true });
  });

  it('closes the iterator when resolve throws', async () => {
    class Bad extends P {}
    Bad.resolve = () => { throw new RangeError('resolve'); };
    for (const fault of [{}, { return: true }]) {
      const it = recording([1, 2, 3], fault);
      assert.ok((await rejection(Bad[method](it))) instanceof RangeError);
      assert.deepEqual(it.log, ['open', 'get next', 'next', 'return']);
    }
  });

  it('closes the iterator when then cannot be had or throws', async () => {
    const noThen = Object.defineProperty(P.resolve(1), 'then', { value: undefined });
    const badGet = Object.defineProperty(P.resolve(1), 'then', {
      get() { throw new RangeError('get'); },
    });
    const badCall = Object.defineProperty(P.resolve(1), 'then', {
      value() { throw new SyntaxError('call'); },
    });
    for (const [p, type] of [[noThen, TypeError], [badGet, RangeError], [badCall, SyntaxError]]) {
      const it = recording([1, p, 3]);
      assert.ok((await rejection(combine(it))) instanceof type);
      assert.deepEqual(it.log, ['open', 'get next', 'next', 'next', 'return']);
      assert.ok((await rejection(combine([1, p, 3]))) instanceof type);
    }
  });

  it('does not open the iterator when resolve is no function', async () => {
    class Bad extends P {}
    Bad.resolve = 1;
    const it = recording([1]);
    assert.ok((await rejection(Bad[method](it))) instanceof TypeError);
    assert.deepEqual(it.log, []);
    class Getter extends P {}
    Object.defineProperty(Getter, 'resolve', { get() { throw new RangeError('get'); } });
    assert.ok((await rejection(Getter[method](it))) instanceof RangeError);
    assert.deepEqual(it.log, []);
  });

  it('reads resolve once and calls it for every element', async () => {
    let gets = 0;
    const args = [];
    class Seen extends P {}
    Object.defineProperty(Seen, 'resolve', {
      get() {
        gets++;
        return function (x) {
          assert.equal(this, Seen);
          args.push(x);
          return P.resolve(x);
        };
      },
    });
    await Seen[method]([1, 2, 3]);
    assert.equal(gets, 1);
    assert.deepEqual(args, [1, 2, 3]);
  });

  it('calls the then an input was given, with two functions', async () => {
    const p = P.resolve(1);
    let args;
    p.then = function (...a) {
      args = a;
      return P.prototype.then.apply(this, a);
    };
    await check([p], [1]);
    assert.equal(args.length, 2);
    assert.ok(args.every((f) => typeof f === 'function'));
  });

  it('calls a then put on the prototype', async () => {
    const { then } = P.prototype;
    let calls = 0;
    let p;
    const list = [P.resolve(1), P.resolve(2)];
    try {
      P.prototype.then = function (...a) {
        calls++;
        return then.apply(this, a);
      };
      p = combine(list);
    } finally {
      P.prototype.then = then;
    }
    assert.equal(calls, 2);
    assert.deepEqual((await outcome(p)).value, read([1, 2]));
  });

  it('a subclass makes promises of the subclass', async () => {
    const p = Sub[method]([Sub.resolve(1), P.resolve(1), 1]);
    assert.ok(p instanceof Sub);
    assert.deepEqual(await p, read([1, 1, 1]));
    assert.deepEqual(await P[method]([Sub.resolve(1), Sub.resolve(1)]), read([1, 1]));
  });

  it('is a TypeError on a receiver that is no promise constructor', () => {
    for (const receiver of [0, 'x', {}, () => {}, Symbol(), Date, Object]) {
      assert.throws(() => P[method].call(receiver, []), TypeError);
    }
  });

  unlessNative('statics need a receiver')('works without receiver', async () => {
    const f = P[method];
    const p = f([1]);
    assert.ok(p instanceof P);
    assert.deepEqual(await p, read([1]));
  });

  it('an empty input', async () => {
    for (const input of [[], '', new Set(), (function* () {})()]) {
      await empty(combine(input));
    }
  });
}

module.exports = { inputTests, recording };

'use strict';

const assert = require('node:assert/strict');
const { P, unlessOurs } = require('./helpers/subject');
const { Bluebird, Sub, deferred, macro, outcome, rejection, rejectionEvents } =
  require('./helpers/util');

class Other extends P {}

function withSpecies(species) {
  return class extends P {
    static get [Symbol.species]() { return species; }
  };
}

describe('species and subclasses', () => {
  it('derived promises are of the subclass', async () => {
    class Talking extends P {
      hello() { return 'hello'; }
    }
    const p = new Talking((r) => r(1));
    for (const q of [p, p.then(), p.catch(), p.finally(), p.finally(() => {}),
      Talking.resolve(1), Talking.all([]), Talking.allSettled([]), Talking.any([1]),
      Talking.race([1]), Talking.resolve().then().then()]) {
      assert.ok(q instanceof Talking && q instanceof P);
      assert.equal(q.hello(), 'hello');
      assert.equal(q.constructor, Talking);
    }
    await p;
  });

  it('a subclass may have fields, a constructor of its own and its own subclass', async () => {
    class Field extends P {
      #secret = 42;
      tag = 'tag';
      constructor(executor) {
        super(executor);
        this.made = true;
      }
      get secret() { return this.#secret; }
    }
    class Deeper extends Field {}
    const p = Deeper.resolve(1).then((x) => x + 1);
    assert.ok(p instanceof Deeper);
    assert.deepEqual([p.tag, p.made, p.secret], ['tag', true, 42]);
    assert.equal(await p, 2);
  });

  it('values go through subclass promises as through others', async () => {
    assert.equal(await Sub.resolve(1).then((x) => Sub.resolve(x + 1)).then((x) => x + 1), 3);
    assert.equal(await P.resolve(1).then((x) => Sub.resolve(x + 1)), 2);
    assert.equal(await Sub.resolve(1).then((x) => P.resolve(x + 1)), 2);
    assert.equal(await rejection(Sub.resolve(1).then(() => Sub.reject(2))), 2);
    const d = deferred(Sub);
    const p = P.all([d.promise, d.promise.then((x) => x + 1)]);
    d.resolve(1);
    assert.deepEqual(await p, [1, 2]);
  });

  it('the species decides what then, catch and finally make', () => {
    const C = withSpecies(Other);
    const p = C.resolve(1);
    assert.ok(p instanceof C);
    for (const q of [p.then(), p.catch(), p.finally(() => {})]) {
      assert.ok(q instanceof Other);
      assert.ok(!(q instanceof C));
    }
  });

  it('the species does not decide what statics make', () => {
    const C = withSpecies(Other);
    for (const p of [C.resolve(1), C.all([]), C.race([1]), C.allSettled([]), C.any([1])]) {
      assert.ok(p instanceof C);
    }
  });

  it('without species it is P', () => {
    for (const none of [undefined, null]) {
      const q = withSpecies(none).resolve(1).then();
      assert.equal(Object.getPrototypeOf(q), P.prototype);
      const p = P.resolve(1);
      p.constructor = { [Symbol.species]: none };
      assert.equal(Object.getPrototypeOf(p.then()), P.prototype);
    }
    const p = P.resolve(1);
    p.constructor = undefined;
    assert.equal(Object.getPrototypeOf(p.then()), P.prototype);
  });

  it('a species that is no constructor is a TypeError', () => {
    for (const bad of [1, 'x', {}, () => {}, Symbol()]) {
      assert.throws(() => withSpecies(bad).resolve(1).then(), TypeError);
      const p = P.resolve(1);
      p.constructor = { [Symbol.species]: bad };
      assert.throws(() => p.then(), TypeError);
    }
    for (const bad of [null, 1, 'x', Symbol()]) {
      const p = P.resolve(1);
      p.constructor = bad;
      assert.throws(() => p.then(), TypeError);
    }
  });

  it('the constructor of the promise itself is asked, once', () => {
    const p = P.resolve(1);
    let gets = 0;
    Object.defineProperty(p, 'constructor', { get() { gets++; return Other; } });
    assert.ok(p.then() instanceof Other);
    assert.equal(gets, 1);
    const q = P.resolve(1);
    q.constructor = Other;
    assert.ok(q.then() instanceof Other);
    const thrower = P.resolve(1);
    Object.defineProperty(thrower, 'constructor', { get() { throw new RangeError('c'); } });
    assert.throws(() => thrower.then(), RangeError);
  });

  it('a constructor put on the prototype is asked', async () => {
    const saved = Object.getOwnPropertyDescriptor(P.prototype, 'constructor');
    let q;
    try {
      Object.defineProperty(P.prototype, 'constructor', { ...saved, value: Other });
      q = P.resolve(1).then((x) => x + 1);
    } finally {
      Object.defineProperty(P.prototype, 'constructor', saved);
    }
    assert.ok(q instanceof Other);
    assert.equal(await q, 2);
  });

  unlessOurs('only the species of subclasses is looked up')('the species of P itself may be replaced', async () => {
    const saved = Object.getOwnPropertyDescriptor(P, Symbol.species);
    let q;
    try {
      Object.defineProperty(P, Symbol.species, { configurable: true, value: Other });
      q = P.resolve(1).then((x) => x + 1);
    } finally {
      Object.defineProperty(P, Symbol.species, saved);
    }
    assert.ok(q instanceof Other);
    assert.equal(await q, 2);
  });

  it('a species of another library', async () => {
    const q = withSpecies(Bluebird).resolve(1).then((x) => x + 1);
    assert.ok(q instanceof Bluebird);
    assert.equal(await q, 2);
  });

  it('any function with the shape of a promise constructor may be the species', async () => {
    const log = [];
    function Capability(executor) {
      executor((v) => log.push(['resolve', v]), (r) => log.push(['reject', r]));
      this.mine = true;
    }
    const C = withSpecies(Capability);
    assert.equal(C.resolve(1).then((x) => x + 1).mine, true);
    C.resolve(1).then(() => { throw 'thrown'; });
    C.reject('r').then();
    C.resolve(1).then(() => C.resolve('inner'));
    await macro();
    assert.deepEqual(log.slice(0, 3), [['resolve', 2], ['reject', 'thrown'], ['reject', 'r']]);
    assert.equal(log[3][0], 'resolve');
    assert.ok(log[3][1] instanceof C, 'not adopted by us: that is what its resolve is for');
  });

  it('constructors that do not keep the rules of a capability are a TypeError', () => {
    const wrong = [
      function () {},
      function (e) { e(); },
      function (e) { e(1, 2); },
      function (e) { e(() => {}, undefined); },
      function (e) { e(() => {}, () => {}); e(() => {}, () => {}); },
      function (e) { e(null, null); },
    ];
    for (const C of wrong) {
      assert.throws(() => withSpecies(C).resolve(1).then(), TypeError);
      assert.throws(() => P.resolve.call(C, 1), TypeError);
      assert.throws(() => P.reject.call(C, 1), TypeError);
      for (const m of ['all', 'allSettled', 'any', 'race']) {
        assert.throws(() => P[m].call(C, [1]), TypeError);
      }
    }
  });

  it('a capability may be filled in two calls while it is still undefined', () => {
    function Twice(e) {
      e(undefined, undefined);
      e(() => {}, () => {});
    }
    assert.ok(withSpecies(Twice).resolve(1).then() instanceof Twice);
  });

  it('a subclass constructor that throws throws from then', () => {
    let bad = false;
    class Throws extends P {
      constructor(e) {
        super(e);
        if (bad) throw new RangeError('constructor');
      }
    }
    const p = Throws.resolve(1);
    bad = true;
    assert.throws(() => p.then(), RangeError);
    assert.throws(() => Throws.resolve(2), RangeError);
    assert.throws(() => Throws.all([]), RangeError);
  });

  it('a subclass that resolves before super returns is refused', () => {
    class Never extends P {
      // eslint-disable-next-line constructor-super, no-useless-constructor
      constructor() { Object.create(P.prototype); }
    }
    assert.throws(() => new Never(() => {}), ReferenceError);
  });

  it('a false instance is not a promise', async () => {
    const fake = Object.create(P.prototype);
    assert.ok(fake instanceof P);
    assert.throws(() => fake.then(() => {}), TypeError);
    assert.ok((await rejection(P.resolve().then(() => fake))) instanceof TypeError);
    assert.ok((await rejection(P.all([fake]))) instanceof TypeError);
    assert.ok((await rejection(P.race([fake]))) instanceof TypeError);
    function Old() {}
    Old.prototype = Object.create(P.prototype);
    assert.throws(() => new Old().then(), TypeError);
    class Shaped { then() {} }
    Object.setPrototypeOf(Shaped.prototype, P.prototype);
    let settled = false;
    P.resolve(new Shaped()).then(() => { settled = true; });
    await macro();
    assert.equal(settled, false);
  });

  it('then replaced on one promise is observed where ES observes it', async () => {
    const p = P.resolve('real');
    p.then = function (f) { f('replaced'); };
    assert.equal(await P.resolve().then(() => p), 'replaced');
    assert.equal(await new P((r) => r(p)), 'replaced');
    assert.equal(P.resolve(p), p);
    const q = P.reject('real');
    P.prototype.then.call(q, null, () => {});
    q.then = function (f, r) { r('replaced'); };
    assert.equal(await rejection(P.resolve().then(() => q)), 'replaced');
  });

  it('then replaced on a subclass is observed where ES observes it', async () => {
    const calls = [];
    class Logs extends P {
      then(f, r) {
        calls.push([typeof f, typeof r]);
        return super.then(f, r);
      }
    }
    const p = Logs.resolve(1);
    await P.resolve().then(() => p);
    assert.deepEqual(calls, [['function', 'function']]);
    await new P((r) => r(p));
    assert.equal(calls.length, 2);
    await P.all([p, p]);
    assert.ok(calls.length >= 4);
  });

  it('then put on the prototype for a while is observed', async () => {
    const { then } = P.prototype;
    const called = [];
    const results = [];
    const [a, b] = [P.resolve(1), P.resolve(2)];
    try {
      P.prototype.then = function (f, r) {
        called.push(this);
        return then.call(this, f, r);
      };
      results.push(new P((r) => r(a)));
      results.push(then.call(P.resolve(), () => b));
      await macro();
    } finally {
      P.prototype.then = then;
    }
    // The test runner itself may call then on a promise of the class.
    assert.deepEqual([a, b].map((p) => called.filter((x) => x === p).length), [1, 1]);
    assert.deepEqual([await results[0], await results[1]], [1, 2]);
  });

  it('resolve replaced on P is observed by the combinators', async () => {
    const { resolve } = P;
    const seen = [];
    let p;
    try {
      P.resolve = function (x) {
        seen.push(x);
        return resolve.call(this, x);
      };
      p = P.all([1, 2]);
    } finally {
      P.resolve = resolve;
    }
    assert.deepEqual(await p, [1, 2]);
    assert.deepEqual(seen, [1, 2]);
  });

  it('resolve replaced on a subclass is observed by the combinators', async () => {
    class Doubles extends P {
      static resolve(x) { return super.resolve(2 * x); }
    }
    assert.deepEqual(await Doubles.all([1, 2]), [2, 4]);
    assert.equal(await Doubles.race([5]), 10);
    assert.equal(await Doubles.any([5]), 10);
    assert.deepEqual(await Doubles.allSettled([5]), [{ status: 'fulfilled', value: 10 }]);
  });

  it('a handler that a subclass calls twice counts once', async () => {
    class Twice extends P {
      then(onFulfilled, onRejected) {
        const twice = (fn) => (value) => { fn(value); return fn(value); };
        return super.then(twice(onFulfilled), twice(onRejected));
      }
    }
    const pending = () => new Twice((resolve) => setImmediate(resolve, 2));
    const combined = Twice.all([Twice.resolve(1), pending()]);
    const settled = Twice.allSettled([Twice.resolve(1), Twice.reject('no'), pending()]);
    const any = Twice.any([Twice.reject(1), Twice.reject(2)]);
    any.suppressUnhandledRejections();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(combined.value(), [1, 2]);
    assert.deepEqual(settled.value().map((x) => x.value ?? x.reason), [1, 'no', 2]);
    assert.deepEqual(any.reason().errors, [1, 2]);
  });

  it('the combinators of a subclass reject what is not iterable', async () => {
    class Sub extends P {}
    for (const name of ['all', 'allSettled', 'any', 'race']) {
      for (const input of [undefined, null, 5]) {
        const p = Sub[name](input);
        assert.ok(p instanceof Sub);
        assert.ok((await rejection(p)) instanceof TypeError);
      }
    }
  });

  it('unhandled rejections of subclass promises are reported with the very promise', async () => {
    let p;
    const events = await rejectionEvents(() => { p = Sub.reject('r'); });
    assert.equal(events.length, 1);
    assert.equal(events[0].promise, p);
    let q;
    const more = await rejectionEvents(() => {
      q = Sub.resolve().then(() => { throw 't'; });
    });
    assert.equal(more.length, 1);
    assert.equal(more[0].promise, q);
  });

  it('a chain of two classes keeps the order', async () => {
    const log = [];
    for (const C of [P, Sub, P, Sub]) {
      const i = log.length;
      C.resolve().then(() => log.push(`a${i}`)).then(() => log.push(`b${i}`));
    }
    await macro();
    assert.equal(log.length, 8);
    assert.ok(log.slice(0, 4).every((x) => x.startsWith('a')));
    assert.ok(log.slice(4).every((x) => x.startsWith('b')));
  });

  unlessOurs('its prototype is what tells a promise of ours')('the prototype of a promise may be exchanged', async () => {
    const p = P.resolve(1);
    Object.setPrototypeOf(p, Other.prototype);
    assert.ok(p.then() instanceof Other);
    const q = new P((r) => setImmediate(r, 2));
    Object.setPrototypeOf(q, null);
    const o = await outcome(P.prototype.then.call(Object.assign(q, { constructor: P })));
    assert.deepEqual(o, { status: 'fulfilled', value: 2 });
  });
});

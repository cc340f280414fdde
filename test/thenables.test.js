'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { P } = require('./helpers/subject');
const { deferred, macro, outcome, rejection } = require('./helpers/util');

// The ways a thenable reaches us.
const WAYS = {
  'P.resolve': (t) => P.resolve(t),
  'a resolver': (t) => new P((r) => r(t)),
  'a late resolver': (t) => new P((r) => setImmediate(r, t)),
  'a handler': (t) => P.resolve().then(() => t),
  'a rejection handler': (t) => P.reject().catch(() => t),
  'an input of all': (t) => P.all([t]).then(([x]) => x),
  'an input of race': (t) => P.race([t]),
  'another thenable': (t) => P.resolve({ then(f) { f(t); } }),
};

describe('thenables', () => {
  for (const [way, give] of Object.entries(WAYS)) {
    describe(`through ${way}`, () => {
      it('then is read once and called once, with the thenable and two functions', async () => {
        let reads = 0;
        const calls = [];
        const t = {
          get then() {
            reads++;
            return function (...args) {
              calls.push([this, args]);
              args[0]('v');
            };
          },
        };
        assert.equal(await give(t), 'v');
        assert.equal(reads, 1);
        assert.equal(calls.length, 1);
        const [[receiver, args]] = calls;
        assert.equal(receiver, t);
        assert.deepEqual(args.map((f) => [typeof f, f.length, f.name]),
          [['function', 1, ''], ['function', 1, '']]);
      });

      it('then is called in a job, never at once', async () => {
        let called = false;
        const t = { then(f) { called = true; f(); } };
        const p = give(t);
        const early = called;
        await p;
        assert.deepEqual([early, called], [false, true]);
      });

      it('a getter that throws rejects', async () => {
        const e = new Error('getter');
        assert.equal(await rejection(give({ get then() { throw e; } })), e);
      });

      it('a then that is no function makes it a plain value', async () => {
        for (const then of [undefined, null, 1, 'x', {}, Symbol()]) {
          const t = { then };
          const got = await new Promise((r) => give(t).then((v) => r([v])));
          assert.equal(got[0], t);
        }
      });

      it('the first call counts', async () => {
        const e = new Error('first');
        const late = new Error('late');
        const cases = [
          [(f, r) => { f(1); f(2); r(late); throw late; }, { status: 'fulfilled', value: 1 }],
          [(f, r) => { r(e); f(1); r(late); throw late; }, { status: 'rejected', reason: e }],
          [() => { throw e; }, { status: 'rejected', reason: e }],
          [(f, r) => { setImmediate(f, 1); setImmediate(r, late); },
            { status: 'fulfilled', value: 1 }],
          [(f) => { setImmediate(f, 1); throw e; }, { status: 'rejected', reason: e }],
          [(f, r) => { f(new P(() => {}).then.call(P.resolve(3))); r(late); },
            { status: 'fulfilled', value: 3 }],
        ];
        for (const [then, wanted] of cases) {
          assert.deepEqual(await outcome(give({ then })), wanted);
        }
      });

      it('one that never calls leaves it pending', async () => {
        let settled = false;
        const note = () => { settled = true; };
        give({ then() {} }).then(note, note);
        await macro();
        await macro();
        assert.equal(settled, false);
      });

      it('a reason that is a thenable is not adopted', async () => {
        const reason = { then() { assert.fail('called'); } };
        const o = await outcome(give({ then(f, r) { r(reason); } }));
        assert.equal(o.reason, reason);
      });
    });
  }

  it('inherited, non-enumerable and function-carried thens count', async () => {
    class T { then(f) { f('class'); } }
    assert.equal(await P.resolve(new T()), 'class');
    assert.equal(await P.resolve(Object.create({ then(f) { f('proto'); } })), 'proto');
    assert.equal(await P.resolve(Object.defineProperty({}, 'then', { value: (f) => f('hid') })),
      'hid');
    const fn = () => {};
    fn.then = (f) => f('function');
    assert.equal(await P.resolve(fn), 'function');
    const bare = Object.create(null);
    bare.then = (f) => f('bare');
    assert.equal(await P.resolve(bare), 'bare');
    assert.equal(await P.resolve(Object.freeze({ then(f) { f('frozen'); } })), 'frozen');
    assert.equal(await P.resolve(Object.assign([1], { then(f) { f('array'); } })), 'array');
    assert.equal(await P.resolve(Object.assign(new Error('x'), { then(f) { f('error'); } })),
      'error');
  });

  it('primitives are never thenables', async () => {
    for (const proto of [Number.prototype, String.prototype, Boolean.prototype,
      Symbol.prototype, BigInt.prototype]) {
      Object.defineProperty(proto, 'then', {
        configurable: true, get() { throw new Error('read'); },
      });
    }
    try {
      for (const v of [1, 'x', true, Symbol.iterator, 1n]) {
        assert.equal(await P.resolve(v), v);
        assert.equal(await P.resolve().then(() => v), v);
        assert.equal(await new P((r) => r(v)), v);
      }
    } finally {
      for (const C of [Number, String, Boolean, Symbol, BigInt]) delete C.prototype.then;
    }
  });

  it('a then put on Object.prototype makes every plain object a thenable', async () => {
    let o;
    // eslint-disable-next-line no-extend-native
    Object.defineProperty(Object.prototype, 'then', {
      configurable: true, value(f) { f('everything'); },
    });
    try {
      o = P.resolve({});
      await macro();
    } finally {
      delete Object.prototype.then;
    }
    assert.equal(await o, 'everything');
  });

  it('a thenable that resolves with thenables, 5,000 deep', async () => {
    const dive = (n) => ({ then(f) { f(n === 0 ? 'bottom' : dive(n - 1)); } });
    assert.equal(await P.resolve(dive(5000)), 'bottom');
  });

  it('a thenable that resolves with the promise that adopts it is a TypeError', async () => {
    const p = P.resolve({ then(f) { f(p); } });
    assert.ok((await rejection(p)) instanceof TypeError);
  });

  it('a thenable that resolves with itself calls itself again', async () => {
    let n = 0;
    const t = { then(f) { f(n++ < 3 ? t : 'enough'); } };
    assert.equal(await P.resolve(t), 'enough');
    assert.equal(n, 4);
  });

  it('a thenable may use its callbacks long after, from anywhere', async () => {
    let f;
    const p = P.resolve({ then(resolve) { f = resolve; } }).then((x) => x + 1);
    await macro();
    const inside = P.resolve().then(() => f(1));
    assert.equal(await p, 2);
    await inside;
  });

  it('proxies', async () => {
    const t = new Proxy({}, { get: (o, k) => (k === 'then' ? (f) => f('proxy') : undefined) });
    assert.equal(await P.resolve(t), 'proxy');
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.ok((await rejection(P.resolve(proxy))) instanceof TypeError);
    const then = new Proxy((f) => f('callable'), {});
    assert.equal(await P.resolve({ then }), 'callable');
    const seen = [];
    const watched = new Proxy({ then(f) { f(1); } }, {
      get(o, k) { seen.push(k); return o[k]; },
    });
    await P.resolve().then(() => watched);
    assert.deepEqual(seen, ['then']);
  });

  it('values of another realm', async () => {
    const c = vm.createContext({});
    assert.equal(await P.resolve(vm.runInContext('({ then(f) { f(1); } })', c)), 1);
    assert.equal(await P.resolve(vm.runInContext('Promise.resolve(2)', c)), 2);
    assert.equal(await P.resolve().then(() => vm.runInContext('Promise.resolve(3)', c)), 3);
    assert.equal(await P.resolve(1).then(vm.runInContext('(x) => x + 3', c)), 4);
    const err = vm.runInContext('new TypeError("x")', c);
    assert.equal(await rejection(P.reject(err)), err);
    assert.equal(await rejection(P.resolve(vm.runInContext('Promise.reject', c).call(
      vm.runInContext('Promise', c), err))), err);
    const f = vm.runInContext('(f) => f(5)', c);
    assert.equal(await new P(f), 5);
    const list = vm.runInContext('[1, Promise.resolve(2), { then(f) { f(3); } }]', c);
    assert.deepEqual(await P.all(list), [1, 2, 3]);
    const d = deferred();
    vm.runInContext('(f) => f({ then(g) { g(6); } })', c)(d.resolve);
    assert.equal(await d.promise, 6);
  });
});

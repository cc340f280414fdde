'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { deferred, inputs, later, macro, rejectionEvents } = require('./helpers/util');
const { inputTests } = require('./helpers/combinator');

const fulfilled = (value) => ({ status: 'fulfilled', value });
const rejected = (reason) => ({ status: 'rejected', reason });

describe('allSettled', () => {
  inputTests('allSettled', (values) => values.map(fulfilled),
    async (p) => assert.deepEqual(await p, []));

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      it(`describes what is ${how}: ${kind}`, async () => {
        const v = { kind };
        const wanted = how === 'fulfilled' ? fulfilled(v) : rejected(v);
        for (const others of [[], [1], [later(P, 'fulfilled', 1)]]) {
          const after = [];
          const p = P.allSettled([...others, make(v, after), ...others]);
          after.forEach((f) => f());
          const rest = others.map(() => fulfilled(1));
          assert.deepEqual(await p, [...rest, wanted, ...rest]);
        }
      });
    }
  }

  it('descriptions are plain objects with their two properties in order', async () => {
    const list = await P.allSettled([P.resolve(1), P.reject(2), later(P, 'rejected', 3)]);
    assert.equal(JSON.stringify(list), '[{"status":"fulfilled","value":1},'
      + '{"status":"rejected","reason":2},{"status":"rejected","reason":3}]');
    for (const d of list) {
      assert.equal(Object.getPrototypeOf(d), Object.prototype);
      for (const k of Object.keys(d)) {
        const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(d, k);
        assert.deepEqual([writable, enumerable, configurable], [true, true, true]);
      }
    }
    assert.notEqual(list[1], list[2]);
  });

  it('waits for all, whatever comes first', async () => {
    const ds = [deferred(), deferred(), deferred()];
    let done = false;
    const p = P.allSettled(ds.map((d) => d.promise));
    p.then(() => { done = true; });
    ds[2].reject('c');
    await macro();
    ds[0].resolve('a');
    await macro();
    assert.equal(done, false);
    ds[1].reject('b');
    assert.deepEqual(await p, [fulfilled('a'), rejected('b'), rejected('c')]);
  });

  it('the same promise several times, rejected', async () => {
    const d = deferred();
    const p = P.allSettled([d.promise, d.promise]);
    d.reject('x');
    assert.deepEqual(await p, [rejected('x'), rejected('x')]);
  });

  it('an element settled both ways counts once', async () => {
    const p = P.resolve('own');
    p.then = (f, r) => { r('first'); f('second'); r('third'); };
    const d = deferred();
    let done = false;
    const all = P.allSettled([p, d.promise]);
    all.then(() => { done = true; });
    await macro();
    assert.equal(done, false);
    d.resolve(1);
    assert.deepEqual(await all, [rejected('first'), fulfilled(1)]);
  });

  it('marks its inputs as handled', async () => {
    const events = await rejectionEvents(async () => {
      const d = deferred();
      const p = P.allSettled([P.reject(1), d.promise]);
      await macro();
      d.reject(2);
      await p;
    });
    assert.deepEqual(events, []);
  });

  it('does not see changes of the array', async () => {
    const d = deferred();
    const a = [P.reject('r'), d.promise];
    const p = P.allSettled(a);
    a.length = 0;
    d.reject('s');
    assert.deepEqual(await p, [rejected('r'), rejected('s')]);
  });

  it('100,000 inputs of all kinds', async () => {
    const n = 100000;
    const rs = [];
    const list = Array.from({ length: n }, (_, i) => {
      if (i % 3 === 0) return P.reject(i);
      return i % 3 === 1 ? i : new P((f, r) => rs.push(() => (i % 2 ? f(i) : r(i))));
    });
    const p = P.allSettled(list);
    rs.reverse().forEach((f) => f());
    const got = await p;
    assert.equal(got.length, n);
    got.forEach((d, i) => {
      const bad = i % 3 === 0 || (i % 3 === 2 && i % 2 === 0);
      if (d.status !== (bad ? 'rejected' : 'fulfilled')) assert.fail(`status at ${i}`);
      if (d[bad ? 'reason' : 'value'] !== i) assert.fail(`content at ${i}`);
    });
  });
});

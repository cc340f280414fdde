'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, deferred, inputs, macro, outcome, rejection, rejectionEvents } =
  require('./helpers/util');
const { inputTests } = require('./helpers/combinator');

describe('race', () => {
  inputTests('race', (values) => values[0], async (p) => {
    let settled = false;
    const note = () => { settled = true; };
    p.then(note, note);
    await macro();
    await macro();
    assert.equal(settled, false);
  });

  for (const how of ['fulfilled', 'rejected']) {
    for (const { kind, make } of inputs(how)) {
      it(`takes what is ${how}: ${kind}`, async () => {
        const value = { kind };
        for (const others of [[], [new P(() => {})]]) {
          const after = [];
          const p = P.race([...others, make(value, after), ...others]);
          after.forEach((f) => f());
          const o = await outcome(p);
          assert.equal(o.status, how);
          assert.equal(how === 'fulfilled' ? o.value : o.reason, value);
        }
      });
    }
  }

  it('of settled inputs the first in the list wins', async () => {
    assert.equal(await P.race([P.resolve(1), P.reject(2), 3]), 1);
    assert.equal(await rejection(P.race([new P(() => {}), P.reject(2), P.resolve(1)])), 2);
    assert.equal(await P.race([new P(() => {}), 3, P.resolve(1)]), 3);
  });

  it('of pending inputs the first to settle wins', async () => {
    const ds = [deferred(), deferred(), deferred()];
    const p = P.race(ds.map((d) => d.promise));
    ds[1].reject('b');
    ds[0].resolve('a');
    ds[2].resolve('c');
    assert.equal(await rejection(p), 'b');
  });

  it('a pending input may take part in many races', async () => {
    const slow = deferred();
    for (let i = 0; i < 1000; i++) assert.equal(await P.race([slow.promise, P.resolve(i)]), i);
    const last = P.race([slow.promise, new P(() => {})]);
    slow.resolve('slow');
    assert.equal(await last, 'slow');
    assert.equal(await slow.promise.then((x) => x + '!'), 'slow!');
  });

  it('handlers of the losers still run', async () => {
    const slow = deferred();
    const log = [];
    slow.promise.then((v) => log.push(['before', v]));
    await P.race([slow.promise, 1]);
    slow.promise.then((v) => log.push(['after', v]));
    await P.race([slow.promise, slow.promise, 2]);
    slow.resolve('v');
    await macro();
    assert.deepEqual(log, [['before', 'v'], ['after', 'v']]);
  });

  it('losers that reject later are not reported', async () => {
    const events = await rejectionEvents(async () => {
      const late = deferred();
      assert.equal(await P.race([P.resolve(1), late.promise, P.reject(2), Sub.reject(3)]), 1);
      await macro();
      late.reject(4);
      await macro();
    });
    assert.deepEqual(events, []);
  });

  it('does not see changes of the array', async () => {
    const d = deferred();
    const a = [d.promise];
    const p = P.race(a);
    a.unshift('wrong');
    a.push('wrong');
    d.resolve('right');
    assert.equal(await p, 'right');
  });

  it('100,000 pending inputs, the last one wins', async () => {
    const d = deferred();
    const list = Array.from({ length: 99999 }, () => new P(() => {}));
    const p = P.race([...list, d.promise]);
    d.resolve('last');
    assert.equal(await p, 'last');
  });
});

'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');
const { P, Native } = require('./helpers/subject');
const { deferred, macro } = require('./helpers/util');

const OPTIONS = [
  {}, { depth: 0 }, { depth: null }, { compact: false }, { colors: true }, { breakLength: 20 },
  { sorted: true }, { maxArrayLength: 1 },
];

class Nested { constructor() { this.inner = { deep: { deeper: { deepest: 1 } } }; } }

const VALUES = [
  1, 'text', undefined, null, Symbol('s'), [1, [2, [3, [4]]]], { a: { b: { c: { d: 1 } } } },
  new Map([['k', { v: 1 }]]), new Set([1]), () => {}, new Nested(), 10n, /x/, new Date(0),
  'x'.repeat(200), Object.create(null), Array.from({ length: 200 }, (_, i) => i),
];

async function same(make, title) {
  const ours = make(P);
  const theirs = make(Native);
  await macro();
  for (const o of OPTIONS) {
    assert.equal(util.inspect(ours, o), util.inspect(theirs, o), `${title} ${JSON.stringify(o)}`);
  }
}

function rejected(C, reason) {
  const p = C.reject(reason);
  p.catch(() => {});
  return p;
}

describe('inspect', () => {
  it('in words', () => {
    assert.equal(util.inspect(P.resolve(1)), 'Promise { 1 }');
    assert.equal(util.inspect(new P(() => {})), 'Promise { <pending> }');
    assert.equal(util.inspect(rejected(P, 2)), 'Promise { <rejected> 2 }');
    assert.equal(util.format('%o|%s', P.resolve('x'), P.resolve('x')).split('|')[1],
      util.format('%s', Native.resolve('x')));
  });

  it('pending, as native promises', () => same((C) => new C(() => {}), 'pending'));

  it('pending with handlers, waiting and waited for', async () => {
    await same((C) => {
      const p = new C(() => {});
      p.then(() => {});
      return p;
    }, 'with handler');
    await same((C) => new C(() => {}).then(() => {}), 'child');
    await same((C) => new C((r) => r(new C(() => {}))), 'adopting');
    await same((C) => C.all([new C(() => {})]), 'all');
  });

  it('fulfilled, as native promises', async () => {
    for (const v of VALUES) await same((C) => C.resolve(v), 'fulfilled');
    for (const v of VALUES) await same((C) => C.resolve().then(() => v), 'by a handler');
  });

  it('rejected, as native promises', async () => {
    for (const v of VALUES) await same((C) => rejected(C, v), 'rejected');
    const e = new RangeError('shown');
    e.extra = { a: 1 };
    await same((C) => rejected(C, e), 'error');
  });

  it('inside other objects and with properties of its own', async () => {
    await same((C) => ({ a: [C.resolve({ b: C.resolve({ c: C.resolve({}) }) })] }), 'nested');
    await same((C) => Object.assign(C.resolve(1), { extra: 2, other: { x: 1 } }), 'extra');
    await same((C) => Object.assign(new C(() => {}), { extra: 2 }), 'extra on pending');
    await same((C) => Object.assign(C.resolve(1), { [Symbol('s')]: 1 }), 'symbol');
    await same((C) => [C.resolve(1), new C(() => {}), rejected(C, 3)], 'list');
  });

  it('circular', async () => {
    await same((C) => {
      const o = {};
      o.p = C.resolve(o);
      return o;
    }, 'circular');
    const p = P.resolve([]);
    (await p).push(p);
    assert.match(util.inspect(p), /Circular \*1/);
  });

  it('subclasses show their name', async () => {
    await same((C) => {
      class Special extends C {}
      return [Special.resolve(1), new Special(() => {}), rejected(Special, 2)];
    }, 'subclass');
    await same((C) => class Special extends C {}.resolve({ a: 1 }), 'subclass');
  });

  it('what only looks like a promise', () => {
    assert.doesNotThrow(() => util.inspect(Object.create(P.prototype)));
    assert.doesNotThrow(() => util.inspect(P.prototype, { showHidden: true }));
    assert.doesNotThrow(() => util.inspect(P, { showHidden: true }));
    assert.doesNotThrow(() => util.inspect(new Proxy(P.resolve(1), {}), { showProxy: true }));
    assert.doesNotThrow(() => util.inspect(new Proxy(P.resolve(1), {})));
  });

  it('looking does not count as handling and changes nothing', async () => {
    const d = deferred();
    util.inspect(d.promise);
    d.resolve({ a: 1 });
    util.inspect(d.promise);
    assert.deepEqual(await d.promise, { a: 1 });
    const e = rejected(P, 1);
    assert.equal(util.inspect(e), util.inspect(e));
  });
});

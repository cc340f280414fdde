'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P } = require('./helpers/subject');
const { later, macro } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const storages = [];

function storage() {
  storages.push(new AsyncLocalStorage());
  return storages.at(-1);
}

collectionTests('chaining in the context of its call', null, () => {
  after(() => storages.forEach((als) => als.disable()));

  it('handlers of a bound promise', async () => {
    const als = storage();
    const p = als.run('inside', () => P.bind({ a: 1 }, [1, 2]).map(function (x) { return [this.a, x, als.getStore()]; })
      .then(function (l) { return [...l, this.a, als.getStore()]; }));
    assert.deepEqual(await p, [[1, 1, 'inside'], [1, 2, 'inside'], 1, 'inside']);
  });

  it('asCallback', async () => {
    const als = storage();
    const seen = [];
    als.run('inside', () => later(P, 'fulfilled').asCallback(() => seen.push(als.getStore())));
    await macro();
    await macro();
    assert.deepEqual(seen, ['inside']);
  });

  it('done', async () => {
    const als = storage();
    const seen = [];
    als.run('inside', () => later(P, 'fulfilled').done(() => seen.push(als.getStore())));
    await macro();
    await macro();
    assert.deepEqual(seen, ['inside']);
  });

  it('filters, tap and spread', async () => {
    const als = storage();
    const seen = [];
    const see = () => seen.push(als.getStore());
    await als.run('inside', () => later(P, 'rejected', 1).catch(see, () => [1]).tap(see).spread(see));
    assert.deepEqual(seen, ['inside', 'inside', 'inside']);
  });
});

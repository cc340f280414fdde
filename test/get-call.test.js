'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, later, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

collectionTests('get and call', (C) => {
  describe('get', () => {
    it('a property of the value', async () => {
      const object = { a: 1, 'two words': 2, $: 3, class: 4, '': 5, then_: 6 };
      for (const key of Object.keys(object)) assert.equal(await C.resolve(object).get(key), object[key]);
      assert.equal(await C.resolve(object).get('absent'), undefined);
      assert.equal(await C.resolve('text').get('length'), 4);
      assert.equal(await later(C, 'fulfilled', [7]).get('length'), 1);
      assert.equal(await C.resolve({ p: later(C, 'fulfilled', 8) }).get('p'), 8);
    });

    it('an element', async () => {
      const list = ['a', 'b', 'c'];
      for (const [index, element] of [[0, 'a'], [2, 'c'], [3, undefined], [-1, 'c'], [-3, 'a'], [-4, 'a'], [-100, 'a'], [-0, 'a']]) {
        assert.equal(await C.resolve(list).get(index), element, String(index));
      }
      assert.equal(await C.resolve('abc').get(-1), 'c');
      assert.equal(await C.resolve([]).get(-1), undefined);
      assert.equal(await C.resolve({ '-1': 'key' }).get('-1'), 'key');
      assert.equal(await C.resolve({ 0.5: 'half' }).get(0.5), 'half');
    });

    it('of undefined and null rejects with a TypeError', async () => {
      for (const bad of [undefined, null]) {
        for (const key of ['a', 0, -1]) assert.ok(await rejection(C.resolve(bad).get(key)) instanceof TypeError);
      }
    });

    it('a getter that throws rejects with its error', async () => {
      assert.equal(await rejection(C.resolve({ get a() { throw 1; } }).get('a')), 1);
    });

    it('lets a rejection pass', async () => {
      assert.equal(await rejection(C.reject(1).get('a')), 1);
    });
  });

  describe('call', () => {
    it('calls the method on the value', async () => {
      const object = {
        n: 5,
        add(...args) { return [this.n, ...args].reduce((a, b) => a + b); },
        'two words'() { return this.n; },
        $() { return 'dollar'; },
      };
      assert.equal(await C.resolve(object).call('add'), 5);
      for (let count = 1; count < 8; count++) {
        assert.equal(await C.resolve(object).call('add', ...Array(count).fill(1)), 5 + count);
      }
      assert.equal(await C.resolve(object).call('two words'), 5);
      assert.equal(await C.resolve(object).call('$'), 'dollar');
      assert.equal(await C.resolve('text').call('toUpperCase'), 'TEXT');
      assert.deepEqual(await C.resolve([3, 1, 2]).call('sort'), [1, 2, 3]);
      assert.equal(await C.resolve([() => 'element']).call(0), 'element');
    });

    it('has the outcome of the method', async () => {
      assert.equal(await C.resolve({ f: (x) => later(C, 'fulfilled', x) }).call('f', 1), 1);
      assert.equal(await rejection(C.resolve({ f() { throw 2; } }).call('f')), 2);
    });

    it('arguments are passed as they are', async () => {
      const p = C.resolve(1);
      assert.equal(await C.resolve({ f: (x) => x === p }).call('f', p), true);
    });

    it('a method that is not there rejects with a TypeError that names it', async () => {
      for (const bad of [{}, undefined, null, 1, { nothing: 5 }]) {
        const error = await rejection(C.resolve(bad).call('nothing', 1));
        assert.ok(error instanceof TypeError);
        assert.match(error.message, /has no method .*nothing/);
      }
    });

    it('lets a rejection pass', async () => {
      assert.equal(await rejection(C.reject(1).call('a')), 1);
    });
  });
}, () => {
  it('a symbol names a property or a method; Bluebird throws', async () => {
    const key = Symbol('key');
    assert.equal(await P.resolve({ [key]: 1 }).get(key), 1);
    assert.equal(await P.resolve({ [key]: (x) => x + 1 }).call(key, 1), 2);
    assert.match((await rejection(P.resolve({}).call(key))).message, /Symbol\(key\)/);
  });

  it('of a subclass', async () => {
    assert.ok(Sub.resolve({ a: 1 }).get('a') instanceof Sub);
    assert.ok(Sub.resolve({ a: () => 1 }).call('a') instanceof Sub);
  });
});

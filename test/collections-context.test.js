'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P, Native } = require('./helpers/subject');
const { deferred, macro, outcome } = require('./helpers/util');
const { collectionTests, counted, countedAsync, numbers, quiet } = require('./helpers/collections');

const als = new AsyncLocalStorage();
const store = () => als.getStore();

/** What becomes known of the stores: `call(input, note)` has `note` called by each function of the user. */
const METHODS = {
  map: (input, note) => P.map(input, note),
  'map with a limit': (input, note) => P.map(input, note, { concurrency: 2 }),
  mapSeries: (input, note) => P.mapSeries(input, note),
  filter: (input, note) => P.filter(input, note),
  'filter with a limit': (input, note) => P.filter(input, note, { concurrency: 1 }),
  reduce: (input, note) => P.reduce(input, note, 0),
  each: (input, note) => P.each(input, note),
  'each with a limit': (input, note) => P.each(input, note, { concurrency: 3 }),
};

collectionTests('collections: async context', null, () => {
  // Other files see what a process without a storage sees.
  after(() => als.disable());

  /** A promise of class C that is settled later, in a store of its own. */
  function settledElsewhere(C, value) {
    const d = deferred(C);
    als.run('settler', () => setImmediate(d.resolve, value));
    return d.promise;
  }

  const elements = {
    values: (i) => i,
    'settled promises': (i) => als.run('maker', () => P.resolve(i)),
    'pending promises': (i) => als.run('maker', () => settledElsewhere(P, i)),
    'native promises': (i) => als.run('maker', () => settledElsewhere(Native, i)),
    thenables: (i) => ({ then(f) { als.run('thenable', () => setImmediate(f, i)); } }),
  };

  const results = {
    values: (i) => i,
    'pending promises': (i) => settledElsewhere(P, i),
    'native promises': (i) => settledElsewhere(Native, i),
    'async functions': async (i) => { await macro(); return i; },
    thenables: (i) => ({ then(f) { als.run('thenable', () => setImmediate(f, i)); } }),
  };

  for (const [name, call] of Object.entries(METHODS)) {
    describe(name, () => {
      for (const [what, element] of Object.entries(elements)) {
        it(`every call sees the store of the method's call: elements are ${what}`, async () => {
          for (const [kind, result] of Object.entries(results)) {
            const seen = [];
            await als.run('mine', () => call(numbers(6).map(element), (x) => {
              seen.push(store());
              return result(x);
            }));
            assert.deepEqual(seen, new Array(6).fill('mine'), kind);
          }
        });
      }

      it('inputs that are read lazily, or come later', async () => {
        for (const make of [
          () => counted(numbers(6)).iterable, () => countedAsync(numbers(6)).iterable,
          () => als.run('maker', () => settledElsewhere(P, numbers(6))),
          () => als.run('maker', () => settledElsewhere(Native, numbers(6))),
          () => als.run('maker', () => settledElsewhere(P, countedAsync(numbers(6)).iterable)),
        ]) {
          const input = make();
          const seen = [];
          await als.run('mine', () => call(input, () => {
            seen.push(store());
            return settledElsewhere(P);
          }));
          assert.deepEqual(seen, new Array(6).fill('mine'));
        }
      });

      it('many calls at once keep their stores apart', async () => {
        const wrong = [];
        await Native.all(numbers(50).map((i) => als.run(i, () => call(numbers(5), async () => {
          if (store() !== i) wrong.push([i, store()]);
          await macro();
          if (store() !== i) wrong.push([i, store()]);
        }))));
        assert.deepEqual(wrong, []);
      });

      it('without a store there is none', async () => {
        const seen = [];
        await call(numbers(3).map(elements['pending promises']), () => { seen.push(store()); });
        assert.deepEqual(seen, [undefined, undefined, undefined]);
      });

      it('a handler of the result sees its own store', async () => {
        const p = als.run('method', () => call([1, 2], () => settledElsewhere(P)));
        assert.equal(await als.run('handler', () => p.then(store)), 'handler');
        assert.equal(await p.then(store), undefined);
      });

      it('the store of the caller is as it was', async () => {
        await als.run('caller', async () => {
          const p = call([1], () => { als.enterWith('entered'); });
          assert.equal(store(), 'caller');
          await p;
          assert.equal(store(), 'caller');
        });
      });

      it('what a mapper enters is not seen by the next', async () => {
        const seen = [];
        await als.run('mine', () => call(numbers(4), (x) => {
          seen.push(store());
          als.enterWith(`entered ${x}`);
        }));
        assert.deepEqual(seen, ['mine', 'mine', 'mine', 'mine']);
      });
    });
  }

  it('the source is read in the store of the call', async () => {
    const seen = [];
    function* g() {
      for (let i = 0; i < 4; i++) {
        seen.push(store());
        yield i;
      }
    }
    async function* ag() {
      yield* g();
    }
    for (const make of [g, ag]) {
      await als.run('mine', () => P.map(make(), () => settledElsewhere(P), { concurrency: 1 }));
    }
    assert.deepEqual(seen, new Array(8).fill('mine'));
  });

  it('join, mapValues, mapIterator', async () => {
    assert.equal(await als.run('mine', () => P.join(settledElsewhere(P, 1), settledElsewhere(Native, 2), store)), 'mine');
    const values = await als.run('mine', () => P.mapValues({ a: 1, b: settledElsewhere(P, 2), c: 3 }, store, { concurrency: 1 }));
    assert.deepEqual(values, { a: 'mine', b: 'mine', c: 'mine' });
    const it = als.run('mine', () => P.mapIterator(numbers(4), store, { concurrency: 1 }));
    const seen = [];
    await als.run('consumer', async () => {
      for await (const x of it) seen.push(x);
    });
    assert.deepEqual(new Set(seen).size, 1);
  });

  it('rejections and aborts come to handlers with their own stores', async () => {
    const controller = new AbortController();
    const p = als.run('method', () => P.map([1], () => new P(() => {}), { signal: controller.signal }));
    const q = als.run('handler', () => p.catch(store));
    als.run('aborter', () => controller.abort());
    assert.equal(await q, 'handler');
    await outcome(p);
    await quiet();
  });
});

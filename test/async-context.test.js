'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const { P, Native, isNative, prelude, unlessNative } = require('./helpers/subject');
const { Sub, deferred, macro, outcome } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { generate, run } = require('./helpers/program');

const als = new AsyncLocalStorage();
const store = () => als.getStore();

// Without async context frames a thenable job of native promises runs in the context the
// adopting promise was made in.
const framed = Number(process.versions.node.split('.')[0]) >= 24;

describe('async context', () => {
  // Other files see what a process without a storage sees.
  after(() => als.disable());

  it('a handler sees the store of its then call, whoever settles', async () => {
    const d = deferred();
    const got = [];
    for (const i of [1, 2, 3]) als.run(i, () => d.promise.then(() => got.push(store())));
    d.promise.then(() => got.push(store()));
    als.run('settler', () => setImmediate(d.resolve));
    await d.promise;
    await macro();
    assert.deepEqual(got, [1, 2, 3, undefined]);
  });

  it('for settled, pending, rejected promises and for each method', async () => {
    const make = {
      settled: (how) => P[how](0),
      pending: (how) => {
        const d = deferred();
        als.run('settler', () => setImmediate(d[how], 0));
        return d.promise;
      },
      adopting: (how) => als.run('adopter', () => new P((r) => r(make.pending(how)))),
      subclass: (how) => Sub[how](0),
    };
    const attach = {
      then: (p, f) => p.then(f, f),
      catch: (p, f) => p.catch(f),
      finally: (p, f) => p.catch(() => {}).finally(f),
      'finally of rejected': (p, f) => p.finally(f).catch(() => {}),
    };
    for (const [kind, m] of Object.entries(make)) {
      for (const [how, a] of Object.entries(attach)) {
        let got = 'never called';
        const promise = als.run('maker', () => m('reject'));
        await als.run('mine', () => a(promise, () => { got = store(); }));
        assert.equal(got, 'mine', `${kind} ${how}`);
      }
    }
  });

  it('many interleaved contexts', async () => {
    const n = 500;
    const rs = [];
    const got = [];
    const ends = [];
    for (let i = 0; i < n; i++) {
      const link = (x) => {
        assert.equal(store(), i % 7 === 0 ? undefined : i);
        return x + 1;
      };
      const start = () => {
        let p = new P((r) => rs.push(r));
        for (let k = 0; k < 10; k++) p = p.then(link);
        ends.push(p.then((x) => got.push([i, x])));
      };
      if (i % 7 === 0) start();
      else als.run(i, start);
    }
    for (let i = 0; i < n; i++) als.run('settler' + i, () => rs[(i * 37) % n](0));
    for (const e of ends) await e;
    assert.equal(got.length, n);
    assert.ok(got.every(([, x]) => x === 10));
  });

  it('a handler without store sees undefined although a store began the burst', async () => {
    const p = P.resolve();
    const got = [];
    als.run('burst', () => p.then(() => got.push(store())));
    p.then(() => got.push(store()));
    als.run('other', () => p.then(() => got.push(store())));
    p.then(() => got.push(store()));
    await macro();
    assert.deepEqual(got, ['burst', undefined, 'other', undefined]);
  });

  it('nested handlers, and what run() and enterWith() do inside one', async () => {
    const got = [];
    const note = (name) => got.push([name, store()]);
    als.run('outer', () => {
      P.resolve().then(() => {
        note('first');
        als.run('inner', () => P.resolve().then(() => note('inner')));
        als.enterWith('entered');
        note('after enter');
        P.resolve().then(() => note('after enter, later'));
        als.exit(() => P.resolve().then(() => note('exit')));
      }).then(() => note('second'));
      P.resolve().then(() => note('sibling'));
    });
    await macro();
    assert.deepEqual(got.sort(), [
      ['first', 'outer'], ['after enter', 'entered'], ['inner', 'inner'],
      ['after enter, later', 'entered'], ['exit', undefined], ['second', 'outer'],
      ['sibling', 'outer'],
    ].sort());
  });

  it('enterWith holds for later then calls of the same run of code', async () => {
    const got = [];
    await new Native((done) => setImmediate(() => {
      P.resolve().then(() => got.push(store()));
      als.enterWith('e1');
      P.resolve().then(() => got.push(store()));
      als.enterWith('e2');
      P.resolve().then(() => got.push(store())).then(() => got.push(store()));
      als.enterWith(undefined);
      P.resolve().then(() => got.push(store()));
      setImmediate(done);
    }));
    assert.deepEqual(got, [undefined, 'e1', 'e2', undefined, 'e2']);
  });

  it('several storages at once', async () => {
    const other = new AsyncLocalStorage();
    const got = [];
    const note = () => got.push([store(), other.getStore()]);
    const d = deferred();
    als.run('a', () => {
      d.promise.then(note);
      other.run('b', () => d.promise.then(note));
    });
    other.run('c', () => d.promise.then(note));
    d.promise.then(note);
    als.run('x', () => other.run('y', () => d.resolve()));
    await macro();
    assert.deepEqual(got, [['a', undefined], ['a', 'b'], [undefined, 'c'], [undefined, undefined]]);
    other.disable();
  });

  it('any value may be the store', async () => {
    for (const value of [0, '', false, null, NaN, Symbol.iterator, {}, new Map(), () => {}]) {
      const got = await als.run(value, () => P.resolve().then(() => [store()]));
      assert.ok(Object.is(got[0], value));
    }
  });

  it('executors run at once, in the context they are in', () => {
    als.run('e', () => {
      new P(() => assert.equal(store(), 'e'));
    });
  });

  it('across await', async () => {
    const seen = await als.run('s', async () => {
      const list = [];
      await P.resolve();
      list.push(store());
      await new P((r) => setImmediate(r));
      list.push(store());
      await P.all([P.resolve(), new P((r) => setImmediate(r))]);
      list.push(store());
      try { await P.reject(1); } catch { list.push(store()); }
      return list;
    });
    assert.deepEqual(seen, ['s', 's', 's', 's']);
  });

  it('across an await while somebody else settles', async () => {
    const d = deferred();
    const seen = als.run('waiter', async () => {
      await d.promise;
      return store();
    });
    als.run('settler', () => setImmediate(d.resolve));
    assert.equal(await seen, 'waiter');
  });

  for (const m of ['all', 'allSettled', 'any', 'race']) {
    it(`a handler on ${m}`, async () => {
      const d = deferred();
      const got = [];
      for (const i of [1, 2]) {
        als.run(i, () => P[m]([d.promise, d.promise]).then(() => got.push(store())));
      }
      const combined = als.run('combiner', () => P[m]([d.promise]));
      als.run(3, () => combined.then(() => got.push(store())));
      combined.then(() => got.push(store()));
      als.run('settler', () => d.resolve());
      await macro();
      assert.deepEqual(got.sort(), [1, 2, 3, undefined].sort());
    });
  }

  it('the then of a thenable is called in the context that resolved', async () => {
    const got = [];
    const thenable = () => ({ then(f) { got.push(store()); f(); } });
    await als.run('C', async () => {
      await P.resolve(thenable());
      await P.resolve().then(() => thenable());
      await new P((r) => r(thenable()));
      await P.all([thenable()]);
      await P.race([thenable()]);
      await P.resolve().finally(() => thenable());
    });
    assert.deepEqual(got, ['C', 'C', 'C', 'C', 'C', 'C']);
  });

  const resolver = isNative && !framed
    ? unlessNative('the context is that of the promise, before Node 24') : it;
  resolver('also when the promise was made elsewhere', async () => {
    const got = [];
    const d = als.run('maker', () => deferred());
    als.run('resolver', () => d.resolve({ then(f) { got.push(store()); f(); } }));
    await d.promise;
    const e = deferred();
    als.run('resolver', () => e.resolve({ then(f) { got.push(store()); f(); } }));
    await e.promise;
    assert.deepEqual(got, ['resolver', 'resolver']);
  });

  it('handlers behind an adopted promise keep their own store', async () => {
    const inner = deferred();
    const got = [];
    const outer = als.run('o', () => new P((r) => r(inner.promise)));
    als.run('h1', () => outer.then(() => got.push(store())));
    als.run('h2', () => P.resolve().then(() => inner.promise).then(() => got.push(store())));
    als.run('h3', () => outer.then(() => got.push(store())));
    await macro();
    als.run('settler', () => inner.resolve());
    await macro();
    assert.deepEqual(got.sort(), ['h1', 'h2', 'h3']);
  });

  it('AsyncResource', async () => {
    const resource = als.run('r', () => new AsyncResource('TEST'));
    const got = [];
    const p = P.resolve();
    resource.runInAsyncScope(() => p.then(() => got.push(store())));
    als.run('x', () => resource.runInAsyncScope(() => p.then(() => got.push(store()))));
    p.then(() => resource.runInAsyncScope(() => got.push(store())));
    als.run('y', () => p.then(resource.bind(() => got.push(store()))));
    als.run('z', () => p.then(AsyncResource.bind(() => got.push(store()))));
    als.run('w', () => p.then(() => got.push(store())));
    await macro();
    assert.deepEqual(got, ['r', 'r', 'r', 'r', 'z', 'w']);
  });

  it('AsyncLocalStorage.bind and snapshot', async () => {
    const got = [];
    const bound = als.run('bound', () => AsyncLocalStorage.bind(() => got.push(store())));
    const snap = als.run('snap', () => AsyncLocalStorage.snapshot());
    als.run('a', () => P.resolve().then(bound));
    P.resolve().then(() => snap(() => got.push(store())));
    snap(() => P.resolve().then(() => got.push(store())));
    await macro();
    assert.deepEqual(got, ['bound', 'snap', 'snap']);
  });

  it('a handler leaves no store behind for the code after the burst', async () => {
    const got = [];
    const d = deferred();
    als.run('s', () => d.promise.then(() => { als.enterWith('left'); }));
    d.promise.then(() => got.push(store()));
    als.run('t', () => d.promise.then(() => { throw new Error('x'); }).catch(() => {}));
    d.promise.then(() => got.push(store()));
    setImmediate(() => got.push(store()));
    process.nextTick(() => got.push(store()));
    d.resolve();
    await macro();
    await macro();
    assert.deepEqual(got, [undefined, undefined, undefined, undefined]);
  });

  it('native promises made inside our handlers, and ours inside native ones', async () => {
    const got = [];
    als.run('a', () => P.resolve().then(() => {
      Native.resolve().then(() => got.push(store()));
      setImmediate(() => got.push(store()));
      process.nextTick(() => got.push(store()));
      queueMicrotask(() => got.push(store()));
    }));
    als.run('a', () => Native.resolve().then(() => P.resolve().then(() => got.push(store()))));
    await macro();
    await macro();
    assert.deepEqual(got, ['a', 'a', 'a', 'a', 'a']);
  });

  it('promises pending while others come and go, 20,000 of them', async () => {
    const n = 20000;
    const rs = [];
    let right = 0;
    for (let i = 0; i < n; i++) {
      als.run(i, () => new P((r) => rs.push(r)).then(() => { if (store() === i) right++; }));
    }
    for (let i = n - 1; i >= 0; i--) rs[i]();
    await macro();
    assert.equal(right, n);
  });

  it('random programs see the same stores as with native promises', async () => {
    for (let i = 0; i < 300; i++) {
      const seed = 80000 + i;
      const options = { stores: true, loop: i % 2 === 0, combinators: i % 3 === 0, size: 80 };
      const program = generate(seed, options);
      const ours = await run(P, program, { storage: als });
      assert.deepEqual(ours, await run(Native, program, { storage: als }), `seed ${seed}`);
    }
  });

  describe('in a process of its own', () => {
    // The way the storage comes to be: before the library, after it, inside a run.
    const check = `
      const got = [];
      const p = P.resolve();
      p.then(() => got.push(als.getStore()));
      als.run("first", () => p.then(() => got.push(als.getStore())));
      p.then(() => got.push(als.getStore()));
      als.run("second", () => p.then(() => got.push(als.getStore())).then(() => got.push(als.getStore())));
      setImmediate(() => console.log(JSON.stringify(got)));`;
    const wanted = '[null,"first",null,"second","second"]\n';
    const storage = 'const als = new (require("async_hooks").AsyncLocalStorage)();';

    async function prints(code, out, options) {
      const r = await runChild(code, options);
      assert.deepEqual([r.stderr, r.stdout, r.status], ['', out, 0]);
    }

    unlessNative('has no such list')('nobody uses a context: none is kept', () => prints(`
      P.resolve().then(() => new P((r) => setImmediate(r))).then(() => {
        console.log(require("./lib/context").inUse());
      });`, 'false\n'));

    it('storage made after the library', () => prints(`${storage}${check}`, wanted));

    it('storage made before the library', () => prints(check, wanted, { before: storage }));

    it('the class loaded before, the storage made after many promises were', () => prints(`
      for (let i = 0; i < 1000; i++) P.resolve(i).then(() => {});
      P.resolve().then(() => setImmediate(() => {
        ${storage}
        ${check}
      }));`, wanted));

    it('the very first run() in the middle of a burst', () => prints(`
      const { AsyncLocalStorage } = require("async_hooks");
      P.resolve().then(() => {
        ${storage}
        ${check}
      });`, wanted));

    it('async_hooks loaded in the middle of a burst', () => prints(`
      P.resolve().then(() => {
        ${storage}
        ${check}
      });`, wanted));

    it('the library loaded inside a run()', async () => {
      const r = await runChild('', {
        of: 'native',
        before: `${storage}
          als.run("loading", () => {
            ${prelude()}
            const got = [];
            const note = () => got.push(als.getStore());
            const p = P.resolve();
            p.then(note);
            als.run("inner", () => p.then(note));
            als.exit(() => p.then(note));
            setImmediate(() => {
              P.resolve().then(note);
              als.exit(() => P.resolve().then(note));
              setImmediate(() => console.log(JSON.stringify(got)));
            });
          });`,
      });
      assert.deepEqual([r.stderr, r.stdout], ['', '["loading","inner",null,"loading",null]\n']);
    });

    it('handlers attached before the first storage existed', () => prints(`
      let resolve;
      const got = [];
      let als;
      const p = new P((r) => { resolve = r; });
      p.then(() => got.push(als.getStore()));
      als = new (require("async_hooks").AsyncLocalStorage)();
      als.run("late", () => p.then(() => got.push(als.getStore())));
      als.run("settler", () => setImmediate(resolve));
      setTimeout(() => console.log(JSON.stringify(got)), 10);`, '[null,"late"]\n'));

    it('enterWith as the first use', () => prints(`${storage}
      const got = [];
      P.resolve().then(() => got.push(als.getStore()));
      als.enterWith("entered");
      P.resolve().then(() => got.push(als.getStore()));
      setImmediate(() => {
        P.resolve().then(() => got.push(als.getStore()));
        setImmediate(() => console.log(JSON.stringify(got)));
      });`, '[null,"entered","entered"]\n'));

    it('a storage that is disabled and used again', () => prints(`${storage}
      const got = [];
      const note = () => got.push(als.getStore());
      als.run("a", () => P.resolve().then(note));
      setImmediate(() => {
        als.disable();
        P.resolve().then(note);
        setImmediate(() => {
          als.run("b", () => P.resolve().then(note));
          setImmediate(() => console.log(JSON.stringify(got)));
        });
      });`, '["a",null,"b"]\n'));

    it('an enabled async hook changes nothing', () => prints(`
      require("async_hooks").createHook({ init() {}, before() {}, after() {}, destroy() {} }).enable();
      ${storage}${check}`, wanted));

    it('domains: a handler runs in the domain of its then call', () => prints(`
      const domain = require("domain");
      const d1 = domain.create();
      const d2 = domain.create();
      const got = [];
      const name = () => (process.domain === d1 ? "d1" : process.domain === d2 ? "d2" : "none");
      let resolve;
      const p = new P((r) => { resolve = r; });
      d1.run(() => p.then(() => got.push(name())));
      d2.run(() => p.then(() => got.push(name())).then(() => got.push(name())));
      p.then(() => got.push(name()));
      d1.run(() => P.resolve().then(() => got.push(name())));
      d2.run(() => setTimeout(resolve, 1));
      setTimeout(() => console.log(got.sort().join()), 20);`, 'd1,d1,d2,d2,none\n'));

    it('domains: an error thrown from a timer of a handler reaches its domain', () => prints(`
      const d = require("domain").create();
      d.on("error", (e) => console.log("domain", e.message));
      let resolve;
      const p = new P((r) => { resolve = r; });
      d.run(() => p.then(() => setTimeout(() => { throw new Error("x"); }, 1)));
      resolve();`, 'domain x\n'));

    it('an unhandled rejection is told in the context of who rejected', () => prints(`
      const als = new (require("async_hooks").AsyncLocalStorage)();
      process.on("unhandledRejection", (e) => console.log(e.message, als.getStore()));
      als.run(1, () => P.reject(new Error("a")));
      als.run(2, () => P.resolve().then(() => { throw new Error("b"); }));
      als.run(3, () => new P((_, reject) => setTimeout(reject, 1, new Error("c"))));
      P.reject(new Error("d"));
    `, 'a 1\nd undefined\nb 2\nc 3\n'));

    it('domains: an unhandled rejection reaches the domain of the call that made the promise', () => prints(`
      const d = require("domain").create();
      const got = [];
      d.on("error", (e) => got.push(e.message));
      const late = (message) => new P((_, reject) => setTimeout(() => reject(new Error(message)), 1));
      const outside = late("outside");
      d.run(() => {
        P.reject(new Error("reject"));
        new P(() => { throw new Error("executor"); });
        P.resolve().then(() => { throw new Error("handler"); });
        P.resolve().then(() => { throw new Error("passed on"); }).then(() => {});
        P.resolve().finally(() => { throw new Error("finally"); });
        outside.then(() => {});
        P.all([late("all")]);
        P.race([late("race")]);
      });
      process.on("exit", () => console.log(got.sort().join()));`, 'all,executor,finally,handler,outside,passed on,race,reject\n'));

    it('stores are not kept alive by settled promises', async () => {
      const r = await runChild(`${storage}
        let refs = [];
        const keep = [];
        for (let i = 0; i < 50; i++) {
          const big = { i };
          refs.push(new WeakRef(big));
          als.run(big, () => keep.push(P.resolve(i).then(() => {})));
        }
        setTimeout(() => {
          gc();
          setTimeout(() => {
            gc();
            const alive = refs.filter((r) => r.deref()).length;
            console.log(alive <= 2 ? "released" : alive);
          }, 5);
        }, 5);`, { flags: ['--expose-gc'] });
      if (isNative && !framed) assert.equal(r.stderr, '');
      else assert.deepEqual([r.stdout, r.stderr], ['released\n', '']);
    });
  });

  it('the outcome of a promise does not depend on the store', async () => {
    const o = await als.run(1, () => outcome(P.resolve().then(() => als.run(2, () => P.reject(3)))));
    assert.deepEqual(o, { status: 'rejected', reason: 3 });
  });
});

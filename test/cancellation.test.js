'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P, Native, isNative } = require('./helpers/subject');
const { Bluebird, deferred, macro, rejection } = require('./helpers/util');

/** Copies that can cancel, so that the other tests see nothing of it. */
const copies = isNative ? {} : { cpromise: P.getNewLibraryCopy(), bluebird: Bluebird.getNewLibraryCopy() };
for (const C of Object.values(copies)) C.config({ cancellation: true });

/** A pending promise that logs when it is cancelled. */
function cancellable(C, log, name = 'cancelled') {
  return new C((resolve, reject, onCancel) => onCancel(() => { log.push(name); }));
}

async function turns() {
  for (let i = 0; i < 3; i++) await macro();
}

function shared(C) {
  it('calls onCancel, not during the call', async () => {
    const log = [];
    const p = cancellable(C, log);
    p.cancel();
    assert.deepEqual(log, []);
    await turns();
    assert.deepEqual(log, ['cancelled']);
    p.cancel();
    await turns();
    assert.equal(log.length, 1);
  });

  it('its state', async () => {
    const p = new C(() => {});
    assert.ok(p.isPending() && p.isCancellable() && !p.isCancelled());
    p.cancel();
    assert.ok(p.isCancelled());
    await turns();
    assert.ok(p.isCancelled());
    assert.ok(!p.isPending() && !p.isFulfilled() && !p.isRejected() && !p.isCancellable());
    assert.throws(() => p.value(), TypeError);
    assert.throws(() => p.reason(), TypeError);
  });

  it('passes handlers over, but for those of finally', async () => {
    const log = [];
    const p = new C(() => {});
    p.then(() => log.push('then'), () => log.push('catch'));
    p.catch(() => log.push('catch'))
      .finally(() => { log.push('inner'); })
      .then(() => log.push('then'))
      .finally(() => { log.push('outer'); });
    p.cancel();
    await turns();
    assert.deepEqual(log, ['inner', 'outer']);
  });

  it('goes up to the parents', async () => {
    const log = [];
    const root = cancellable(C, log);
    const middle = root.then(() => log.push('then'));
    const leaf = middle.finally(() => { log.push('finally'); });
    leaf.cancel();
    assert.ok(leaf.isCancelled());
    await turns();
    assert.ok(root.isCancelled() && middle.isCancelled());
    assert.deepEqual(log.sort(), ['cancelled', 'finally']);
  });

  it('goes up only when all who came of a promise are cancelled', async () => {
    const log = [];
    const root = cancellable(C, log);
    const a = root.then(() => {});
    const b = root.then(() => {});
    const c = root.then(() => {});
    a.cancel();
    b.cancel();
    await turns();
    assert.ok(!root.isCancelled() && a.isCancelled() && b.isCancelled());
    assert.deepEqual(log, []);
    c.cancel();
    await turns();
    assert.ok(root.isCancelled());
    assert.deepEqual(log, ['cancelled']);
  });

  it('a cancelled branch does not disturb the others', async () => {
    const { promise, resolve } = deferred(C);
    const log = [];
    const a = promise.then(() => log.push('never')).finally(() => { log.push('finally'); });
    const b = promise.then((x) => x + 1);
    a.cancel();
    await turns();
    assert.deepEqual(log, ['finally']);
    resolve(1);
    assert.equal(await b, 2);
    assert.deepEqual(log, ['finally']);
  });

  it('what it has been resolved with is cancelled', async () => {
    const log = [];
    const inner = cancellable(C, log);
    const outer = C.resolve().then(() => inner);
    await turns();
    outer.cancel();
    await turns();
    assert.ok(inner.isCancelled() && outer.isCancelled());
    const other = cancellable(C, log, 'other');
    new C((resolve) => resolve(other)).cancel();
    await turns();
    assert.deepEqual(log, ['cancelled', 'other']);
  });

  it('settled promises cannot be cancelled', async () => {
    const fulfilled = C.resolve(1);
    const rejected = C.reject(2);
    rejected.catch(() => {});
    fulfilled.cancel();
    rejected.cancel();
    await turns();
    assert.equal(await fulfilled, 1);
    assert.ok(rejected.isRejected() && !rejected.isCancelled() && !rejected.isCancellable());
  });

  it('settling it afterwards does nothing', async () => {
    const log = [];
    let settle;
    const p = new C((resolve) => { settle = resolve; });
    p.then(() => log.push('then'), () => log.push('catch'));
    p.cancel();
    await turns();
    settle(1);
    await turns();
    assert.deepEqual(log, []);
    assert.ok(p.isCancelled());
  });

  it('who comes later gets a CancellationError', async () => {
    const p = new C(() => {});
    p.cancel();
    await turns();
    const e = await new Native((resolve) => p.then(resolve, resolve));
    assert.ok(e instanceof C.CancellationError);
    assert.equal(await new Native((resolve) => p.catch(C.CancellationError, () => 'caught').then(resolve)), 'caught');
  });

  it('break is the same', () => {
    assert.equal(C.prototype.break, C.prototype.cancel);
  });

  for (const method of ['all', 'props', 'map', 'mapSeries', 'filter', 'each', 'some', 'any', 'join']) {
    it(`${method} cancels what it waits for`, async () => {
      const log = [];
      const [a, b] = [cancellable(C, log, 'a'), cancellable(C, log, 'b')];
      const calls = {
        all: () => C.all([a, b]),
        props: () => C.props({ a, b }),
        map: () => C.map([a, b], (x) => x),
        mapSeries: () => C.mapSeries([a], (x) => x),
        filter: () => C.filter([a, b], (x) => x),
        each: () => C.each([a], (x) => x),
        some: () => C.some([a, b], 1),
        any: () => C.any([a, b]),
        join: () => C.join(a, b),
      };
      const result = calls[method]();
      await turns();
      result.cancel();
      await turns();
      assert.ok(result.isCancelled());
      assert.deepEqual(log, ['mapSeries', 'each'].includes(method) ? ['a'] : ['a', 'b']);
    });
  }

  it('map cancels what its function has given', async () => {
    const log = [];
    const result = C.map([1, 2], (x) => cancellable(C, log, x));
    await turns();
    result.cancel();
    await turns();
    assert.deepEqual(log, [1, 2]);
  });

  it('using disposes', async () => {
    const log = [];
    const resource = C.resolve('resource').disposer(() => { log.push('disposed'); });
    const result = C.using(resource, () => cancellable(C, log));
    await turns();
    result.cancel();
    await turns();
    assert.deepEqual(log, ['cancelled', 'disposed']);
  });

  it('a coroutine: its finally blocks run, and what it waits for is cancelled', async () => {
    const log = [];
    const p = C.coroutine(function* () {
      try {
        yield cancellable(C, log);
      } catch {
        log.push('catch');
      } finally {
        log.push('finally');
      }
    })();
    await turns();
    p.cancel();
    await turns();
    assert.deepEqual(log.sort(), ['cancelled', 'finally']);
  });

  it('a coroutine: what its finally blocks wait for is waited for', async () => {
    const log = [];
    const p = C.coroutine(function* () {
      try {
        yield cancellable(C, log);
      } finally {
        yield C.resolve().then(() => log.push('before'));
        log.push('after');
      }
    })();
    await turns();
    p.cancel();
    await turns();
    assert.deepEqual(log.filter((x) => x !== 'cancelled'), ['before', 'after']);
  });

  it('a coroutine that cancels its own result ends at the next yield', async () => {
    const log = [];
    const p = C.coroutine(function* () {
      yield C.resolve();
      try {
        p.cancel();
        log.push('goes on');
        yield cancellable(C, log);
        log.push('not here');
      } finally {
        log.push('finally');
      }
    })();
    p.finally(() => { log.push('outside'); });
    await turns();
    assert.deepEqual(log.filter((x) => x !== 'cancelled'), ['goes on', 'finally', 'outside']);
    assert.ok(log.includes('cancelled'));
  });

  it('a coroutine catches what it waits for while nobody cancels', async () => {
    const f = C.coroutine(function* () {
      const caught = [];
      for (const make of [() => C.reject('settled'), () => new C((resolve, reject) => { setImmediate(reject, 'later'); })]) {
        try {
          yield make();
        } catch (error) {
          caught.push(error);
        }
      }
      return caught;
    });
    assert.deepEqual(await f(), ['settled', 'later']);
    const failing = C.coroutine(function* () {
      yield C.resolve(1);
      throw new Error('own');
    });
    assert.equal((await rejection(failing())).message, 'own');
  });

  it('a coroutine that waits for what is cancelled ends and is cancelled', async () => {
    for (const late of [false, true]) {
      const log = [];
      const awaited = new C(() => {});
      if (late) awaited.cancel();
      const p = C.coroutine(function* () {
        try {
          yield awaited;
        } catch {
          log.push('catch');
        } finally {
          log.push('finally');
        }
        log.push('on');
      })();
      p.catch(() => log.push('outer catch'));
      await turns();
      awaited.cancel();
      await turns();
      assert.deepEqual(log, ['finally']);
      assert.ok(p.isCancelled());
    }
  });

  it('a promisified call', async () => {
    const log = [];
    let call;
    const p = C.promisify((callback) => { call = callback; })();
    p.then(() => log.push('then')).finally(() => { log.push('finally'); });
    p.cancel();
    await turns();
    call(null, 1);
    await turns();
    assert.deepEqual(log, ['finally']);
  });

  it('onCancel wants a function', async () => {
    const e = await rejection(new C((resolve, reject, onCancel) => onCancel(1)));
    assert.ok(e instanceof TypeError);
  });

  it('everything else goes on', async () => {
    assert.deepEqual(await C.all([1, C.resolve(2)]), [1, 2]);
    assert.deepEqual(await C.map([1, 2], (x) => C.resolve(x * 2)), [2, 4]);
    assert.deepEqual(await C.props({ a: C.resolve(1) }), { a: 1 });
    assert.equal(await C.resolve(1).then((x) => x + 1).finally(() => {}), 2);
    assert.equal(await rejection(C.reject(1).then(() => {})), 1);
    assert.equal(await C.resolve(1).then(() => { throw 2; }).catch((e) => e), 2);
    assert.equal(await C.resolve({ then(f) { f(3); } }), 3);
    assert.equal(await C.resolve(0).then(() => ({ then(f) { f(4); } })), 4);
    assert.equal(await C.resolve(1).bind({ x: 5 }).then(function () { return this.x; }), 5);
  });

  it('a chain of 10,000', async () => {
    const log = [];
    let p = cancellable(C, log);
    for (let i = 0; i < 10_000; i++) p = p.then(() => {});
    p.cancel();
    await turns();
    assert.ok(p.isCancelled());
    assert.deepEqual(log, ['cancelled']);
  });
}

(isNative ? describe.skip : describe)('cancellation', () => {
  for (const [name, C] of Object.entries(copies)) describe(`as in Bluebird: ${name}`, () => shared(C));

  const C = copies.cpromise;

  it('await rejects and does not hang', async () => {
    for (const derive of [(p) => p, (p) => p.then(() => {}), (p) => C.all([p]), (p) => C.map([p], () => {})]) {
      const p = derive(new C(() => {}));
      const waiting = rejection((async () => { await p; })());
      const all = rejection(Native.all([p]));
      await turns();
      p.cancel();
      assert.ok((await waiting) instanceof C.CancellationError);
      assert.ok((await all) instanceof C.CancellationError);
    }
  });

  async function cancelsThenables() {
    const log = [];
    const foreign = { then() {}, cancel() { log.push('foreign'); } };
    const p = new C((resolve) => resolve(foreign));
    const q = C.resolve().then(() => foreign);
    const r = new C((resolve) => resolve({ then() {} }));
    await turns();
    for (const each of [p, q, r]) each.cancel();
    await turns();
    assert.ok(p.isCancelled() && q.isCancelled() && r.isCancelled());
    assert.deepEqual(log, ['foreign', 'foreign']);
  }

  it('what it has been resolved with may be a thenable that can be cancelled, or not', async () => {
    await cancelsThenables();
    const als = new AsyncLocalStorage();
    await als.run(1, cancelsThenables);
    als.disable();
  });

  it('what a thenable throws when it is cancelled is thrown into the process', async () => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const seen = [];
    process.on('uncaughtException', (e) => seen.push(e));
    try {
      const p = new C((resolve) => resolve({ then() {}, cancel() { throw 'own'; } }));
      await turns();
      p.cancel();
      await turns();
      assert.ok(p.isCancelled());
      assert.deepEqual(seen, ['own']);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });

  it('objects that are resolved with are looked at as ever', async () => {
    const plain = { x: 1 };
    assert.equal(await new C((resolve) => resolve(plain)), plain);
    assert.equal(await C.resolve().then(() => plain), plain);
    const bad = { get then() { throw new RangeError('then'); } };
    assert.ok((await rejection(new C((resolve) => resolve(bad)))) instanceof RangeError);
    assert.ok((await rejection(C.resolve().then(() => bad))) instanceof RangeError);
    assert.ok((await rejection(new C((resolve) => { resolve({ then() { throw new RangeError('call'); } }); }))) instanceof RangeError);
    let resolve;
    const circle = new C((f) => { resolve = f; });
    resolve(circle);
    assert.ok((await rejection(circle)) instanceof TypeError);
  });

  it('a handler that cancels its own promise, and what it gives then', async () => {
    const holder = {};
    holder.p = C.resolve(1).then(() => { holder.p.cancel(); return 2; });
    await turns();
    assert.ok(holder.p.isCancelled() && !holder.p.isFulfilled());
  });

  it('only the first call of a resolver counts', async () => {
    assert.equal(await new C((resolve, reject) => { resolve(1); resolve(2); reject(3); }), 1);
    assert.equal(await rejection(new C((resolve, reject) => { reject(1); resolve(2); })), 1);
  });

  it('work that has ended is not stopped', async () => {
    const p = C.all([C.resolve(1)]);
    await turns();
    p.cancel();
    assert.deepEqual(p.value(), [1]);
  });

  it('is seen in finally below, however far up it was called', async () => {
    const ways = {
      itself: (p) => p,
      then: (p) => p.then(),
      handlers: (p) => p.then(() => {}, () => {}),
      finally: (p) => p.finally(() => {}),
    };
    for (const [way, derive] of Object.entries(ways)) {
      const seen = [];
      const p = new C(() => {});
      const q = derive(p).finally(() => { seen.push(p.isCancelled(), q.isCancelled(), q.isPending()); });
      p.cancel();
      await turns();
      assert.deepEqual(seen, [true, true, false], way);
      assert.ok(q.isCancelled() && !q.isRejected(), way);
    }
  });

  it('finally that fails makes a rejection of it, in time or later', async () => {
    for (const fail of [() => { throw new RangeError('own'); }, () => C.delay(2).then(() => { throw new RangeError('own'); })]) {
      const p = new C(() => {});
      const q = p.finally(fail);
      p.cancel();
      assert.ok((await rejection(q)) instanceof RangeError);
      assert.ok(q.isRejected() && !q.isCancelled());
    }
  });

  it('finally that takes its time leaves it cancelled', async () => {
    const p = new C(() => {});
    const q = p.finally(() => C.delay(5));
    p.cancel();
    await turns();
    assert.ok(q.isCancelled() && !q.isPending());
    assert.ok((await rejection((async () => { await q; })())) instanceof C.CancellationError);
    assert.ok(q.isCancelled() && !q.isRejected());
  });

  it('is seen in finally', async () => {
    const seen = [];
    const p = new C(() => {});
    const q = p.finally(() => { seen.push(p.isCancelled(), q.isCancelled()); });
    q.cancel();
    await turns();
    assert.deepEqual(seen, [true, true]);
  });

  it('finally is waited for', async () => {
    const log = [];
    const { promise, resolve } = deferred(C);
    const p = new C(() => {});
    p.finally(() => promise).finally(() => { log.push('second'); });
    p.cancel();
    await turns();
    assert.deepEqual(log, []);
    resolve();
    await turns();
    assert.deepEqual(log, ['second']);
  });

  it('two copies of the library', async () => {
    const D = C.getNewLibraryCopy();
    D.config({ cancellation: true });
    const log = [];
    const inner = cancellable(D, log);
    const outer = new C((resolve) => resolve(inner));
    await turns();
    outer.cancel();
    await turns();
    assert.ok(inner.isCancelled());
    assert.deepEqual(log, ['cancelled']);
  });

  it('a resource that arrives late is disposed of', async () => {
    const log = [];
    const { promise, resolve } = deferred(C);
    const result = C.using(promise.disposer((x) => { log.push(`disposed ${x}`); }), () => { log.push('used'); });
    await turns();
    result.cancel();
    await turns();
    assert.ok(result.isCancelled());
    resolve('late');
    await turns();
    assert.deepEqual(log, ['disposed late']);
  });

  it('reflect tells it', async () => {
    const p = new C(() => {});
    const reflected = p.reflect();
    p.cancel();
    const inspection = await reflected;
    assert.deepEqual([inspection.isCancelled(), inspection.isRejected(), inspection.isPending()], [true, false, false]);
  });

  it('is never an unhandled rejection', async () => {
    const p = new C(() => {});
    p.then(() => {});
    C.all([p, new C(() => {})]).then(() => {});
    p.cancel();
    await turns();
  });

  it('what onCancel throws reaches the process', async () => {
    const { run } = require('./helpers/child');
    const { stdout } = await run(`
      P.config({ cancellation: true });
      process.on('uncaughtException', (e) => console.log('uncaught', e.message));
      new P((resolve, reject, onCancel) => { onCancel(() => { throw new Error('own'); }); onCancel(() => console.log('second')); }).cancel();
    `);
    assert.deepEqual(stdout.trim().split('\n').sort(), ['second', 'uncaught own']);
  });

  it('is off by default, and does nothing then', async () => {
    const p = new P(() => {});
    p.cancel();
    assert.ok(!p.isCancelled() && !p.isCancellable() && p.isPending());
    let given;
    new P((...args) => { given = args.length; });
    assert.equal(given, 2);
  });

  it('wrong receivers', () => {
    for (const method of ['cancel', 'break', 'isCancellable', 'isCancelled']) {
      for (const receiver of [undefined, {}, Native.resolve()]) assert.throws(() => P.prototype[method].call(receiver), TypeError);
    }
  });
});

'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P, Native } = require('./helpers/subject');
const { following, later, macro, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

function shared(C) {
  it('yield gives the value of a promise; the result is what the generator returns', async () => {
    const f = C.coroutine(function* (a, b) {
      const x = yield C.resolve(a);
      const y = yield later(C, 'fulfilled', b);
      const z = yield Native.resolve(3);
      const t = yield { then(resolve) { resolve(4); } };
      return [x, y, z, t, this.own];
    });
    assert.deepEqual(await f.call({ own: 5 }, 1, 2), [1, 2, 3, 4, 5]);
    assert.ok(f.call({}, 1, 2) instanceof C);
  });

  it('yield throws the reason of a rejected promise', async () => {
    const f = C.coroutine(function* () {
      const caught = [];
      for (const make of [() => C.reject(1), () => later(C, 'rejected', 2), () => Native.reject(3)]) {
        try {
          yield make();
        } catch (e) {
          caught.push(e);
        }
      }
      throw caught.join();
    });
    assert.equal(await rejection(f()), '1,2,3');
    assert.equal(await rejection(C.coroutine(function* () { yield C.reject('out'); })()), 'out');
  });

  it('a returned promise is adopted', async () => {
    assert.equal(await C.coroutine(function* () { return later(C, 'fulfilled', 1); })(), 1);
    assert.equal(await rejection(C.coroutine(function* () { return C.reject('no'); })()), 'no');
  });

  it('the first step runs during the call, the others do not', async () => {
    const log = [];
    const p = C.coroutine(function* () {
      log.push('first');
      yield C.resolve();
      log.push('second');
    })();
    log.push('called');
    await p;
    assert.deepEqual(log, ['first', 'called', 'second']);
  });

  it('what is yielded and no promise is an error at the yield', async () => {
    const f = C.coroutine(function* () {
      try {
        yield 1;
      } catch (e) {
        return e;
      }
      return undefined;
    });
    assert.ok((await f()) instanceof TypeError);
  });

  it('yieldHandler makes promises of other values', async () => {
    const f = C.coroutine(function* () {
      return (yield [1, 2]) + (yield C.resolve('-')) + (yield 3);
    }, { yieldHandler: (x) => C.resolve(Array.isArray(x) ? x.join('') : x * 2) });
    assert.equal(await f(), '12-6');
    const throwing = C.coroutine(function* () {
      try {
        yield 1;
      } catch (e) {
        return e;
      }
      return undefined;
    }, { yieldHandler() { throw 'handler'; } });
    assert.equal(await throwing(), 'handler');
  });

  it('addYieldHandler serves all', async () => {
    class Special {}
    C.coroutine.addYieldHandler((x) => (x instanceof Special ? C.resolve('special') : undefined));
    assert.equal(await C.coroutine(function* () { return yield new Special(); })(), 'special');
    assert.throws(() => C.coroutine.addYieldHandler(1), TypeError);
  });

  it('100,000 steps over settled promises', async () => {
    const f = C.coroutine(function* () {
      let sum = 0;
      for (let i = 0; i < 100_000; i++) sum += yield C.resolve(1);
      return sum;
    });
    assert.equal(await f(), 100_000);
  });

  it('delegation', async () => {
    const inner = function* () { return (yield C.resolve(1)) + (yield C.resolve(2)); };
    assert.equal(await C.coroutine(function* () { return yield* inner(); })(), 3);
  });

  it('wrong arguments', () => {
    for (const x of [undefined, null, 1, {}]) assert.throws(() => C.coroutine(x), TypeError);
  });
}

collectionTests('coroutine', shared, () => {
  it('a function that gives no generator rejects', async () => {
    assert.equal((await rejection(P.coroutine(() => 1)())).message, 'expecting a generator function but it returned 1');
    assert.equal(await rejection(P.coroutine(() => { throw 'early'; })()), 'early');
  });

  it('name and length of the generator function', () => {
    const { name, length } = P.coroutine(function* gen(a, b) { yield [a, b]; });
    assert.deepEqual([name, length], ['gen', 2]);
  });

  it('says what was yielded', async () => {
    assert.equal((await rejection(P.coroutine(function* () { yield 'x'; })())).message, 'a coroutine yielded "x", which is no promise');
  });

  it('reads then of what is yielded once; a getter that throws throws at the yield', async () => {
    let reads = 0;
    const once = { get then() { reads++; return (resolve) => resolve('once'); } };
    const bad = { get then() { throw 'getter'; } };
    const f = P.coroutine(function* () {
      const list = [yield once];
      try {
        yield bad;
      } catch (e) {
        list.push(e);
      }
      return list;
    });
    assert.deepEqual(await f(), ['once', 'getter']);
    assert.equal(reads, 1);
  });

  it('that waits for itself, or in a circle, stays pending', async () => {
    let settled = 0;
    const note = () => { settled++; };
    const self = P.coroutine(function* () {
      yield P.resolve();
      yield self;
    })();
    self.then(note, note);
    const a = P.coroutine(function* () {
      yield P.resolve();
      return b;
    })();
    const b = P.coroutine(function* () {
      yield P.resolve();
      yield a;
    })();
    a.then(note, note);
    await macro();
    await macro();
    assert.equal(settled, 0);
  });

  it('waits for a promise that follows another', async () => {
    for (const how of ['fulfilled', 'rejected']) {
      const run = P.coroutine(function* () {
        try {
          return ['value', yield following(later(P, how, how))];
        } catch (e) {
          return ['reason', e];
        }
      });
      assert.deepEqual(await run(), how === 'fulfilled' ? ['value', how] : ['reason', how]);
    }
  });

  it('one that yields itself stays pending, with handlers and without', async () => {
    for (const hasHandlers of [false, true]) {
      let settled = 0;
      const holder = {};
      holder.promise = P.coroutine(function* () {
        yield P.resolve();
        yield holder.promise;
      })();
      if (hasHandlers) holder.promise.then(() => settled++, () => settled++);
      await macro();
      await macro();
      assert.ok(holder.promise.isPending());
      assert.equal(settled, 0);
    }
  });

  it('its result may be followed while it goes on', async () => {
    const run = P.coroutine(function* () {
      const a = yield later(P, 'fulfilled', 1);
      const b = yield P.resolve(2);
      const c = yield following(later(P, 'fulfilled', 3));
      return a + b + c;
    });
    assert.equal(await following(run()), 6);
    assert.equal(await following(following(run())), 6);
  });

  it('a proxy of a promise, also one that throws', async () => {
    const { proxy, revoke } = Proxy.revocable(P.resolve(1), {});
    const f = P.coroutine(function* (x) { return yield x; });
    assert.equal(await f(proxy), 1);
    revoke();
    assert.ok((await rejection(f(proxy))) instanceof TypeError);
  });

  it('subclasses and bound promises', async () => {
    class Sub extends P {}
    const f = P.coroutine(function* () {
      return [yield Sub.resolve(1), yield P.bind({}).return(2), yield later(Sub, 'fulfilled', 3)];
    });
    assert.deepEqual(await f(), [1, 2, 3]);
  });

  it('wrong options', () => {
    assert.throws(() => P.coroutine(function* () {}, { yieldHandler: 1 }), { message: 'expecting yieldHandler to be a function but got 1' });
  });

  it('sees the store of its call in each step', async () => {
    const als = new AsyncLocalStorage();
    const f = P.coroutine(function* () {
      const seen = [als.getStore()];
      yield later(P, 'fulfilled');
      seen.push(als.getStore());
      yield P.resolve();
      seen.push(als.getStore());
      return seen.join();
    });
    assert.deepEqual(await P.all([als.run(1, f), als.run(2, f)]), ['1,1,1', '2,2,2']);
    als.disable();
  });

  it('no unhandled rejection of a yielded promise', async () => {
    const p = P.coroutine(function* () {
      try {
        yield P.reject(new Error('handled'));
      } catch {
        // as it should
      }
      yield later(P, 'fulfilled');
    })();
    await p;
    await macro();
  });
});

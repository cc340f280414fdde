'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { P, Native } = require('./helpers/subject');
const { Sub, deferred, later, macro, outcome, rejection, rejectionEvents } = require('./helpers/util');
const { run } = require('./helpers/child');
const { collectionTests, numbers, unreported } = require('./helpers/collections');

const pass = (x) => x;

function shared(C) {
  const THIS = { name: 'this' };

  /** Whether the function that `call(promise, fn)` hands over is called with the `this` of a bound promise, and what comes is bound. */
  function sees(title, start, call) {
    it(title, async () => {
      const seen = [];
      const p = call(start().bind(THIS), function () { seen.push(this); });
      await unreported(C, () => outcome(p));
      assert.ok(seen.length > 0);
      seen.forEach((x) => assert.equal(x, THIS));
      const after = [];
      const end = function () { after.push(this); };
      await p.then(end, end);
      assert.deepEqual(after, [THIS]);
    });
  }

  const one = () => C.resolve(1);
  const list = () => C.resolve([1, later(C, 'fulfilled', 2), 3]);
  const bad = () => C.reject(new TypeError('t'));

  sees('then', one, (p, f) => p.then(f));
  sees('then of a promise that is settled later', () => later(C, 'fulfilled', 1), (p, f) => p.then(f));
  sees('then of a native promise', () => C.resolve(later(Native, 'fulfilled', 1)), (p, f) => p.then(f));
  sees('then of a rejection', bad, (p, f) => p.then(null, f));
  sees('steps down the chain', one, (p, f) => p.then(pass).then(() => later(C, 'fulfilled', 2)).catch(f).then(f));
  sees('catch', bad, (p, f) => p.catch(f));
  sees('catch with a class', bad, (p, f) => p.catch(TypeError, f));
  sees('catch with an object', bad, (p, f) => p.catch({ message: 't' }, f));
  sees('a predicate of catch', bad, (p, f) => p.catch(f, pass));
  sees('error', () => C.reject({ isOperational: true }), (p, f) => p.error(f));
  sees('finally', one, (p, f) => p.finally(f));
  sees('finally of a rejection', bad, (p, f) => p.lastly(f));
  sees('tap', one, (p, f) => p.tap(f));
  sees('tapCatch', bad, (p, f) => p.tapCatch(f));
  sees('tapCatch with a class', bad, (p, f) => p.tapCatch(TypeError, f));
  sees('spread', list, (p, f) => p.spread(f));
  for (const m of ['map', 'mapSeries', 'filter', 'each', 'reduce']) sees(m, list, (p, f) => p[m](f));
  for (const m of ['map', 'mapSeries', 'filter', 'each', 'reduce']) sees(`the static ${m} of a bound promise`, list, (p, f) => C[m](p, f));
  sees('map with a limit', list, (p, f) => p.map(f, { concurrency: 1 }));
  sees('reduce with a start', list, (p, f) => p.reduce(f, 0));
  for (const m of ['all', 'any', 'race']) sees(m, list, (p, f) => p[m]().then(f));
  sees('some', list, (p, f) => p.some(1).then(f));
  sees('the static delay', one, (p, f) => C.delay(1, p).then(f));
  sees('props', () => C.resolve({ a: C.resolve(1) }), (p, f) => p.props().then(f));
  sees('return', one, (p, f) => p.return(2).then(f));
  sees('throw', one, (p, f) => p.throw(2).catch(f));
  sees('catchReturn', bad, (p, f) => p.catchReturn(2).then(f));
  sees('catchThrow', bad, (p, f) => p.catchThrow(2).catch(f));
  sees('get', () => C.resolve({ a: 1 }), (p, f) => p.get('a').then(f));
  sees('call', () => C.resolve({ a: () => 1 }), (p, f) => p.call('a').then(f));
  sees('reflect', bad, (p, f) => p.reflect().then(f));

  it('join, using and coroutines are not bound by what they wait for', async () => {
    const p = () => C.bind(THIS, 1);
    const seen = [];
    const f = function () { seen.push(this); };
    await C.join(p(), p(), f).then(f);
    await C.using(p().disposer(() => {}), f).then(f);
    await C.coroutine(function* () { yield p(); })().then(f);
    assert.deepEqual(seen, [undefined, undefined, undefined, undefined, undefined]);
  });

  it('the static bind', async () => {
    assert.deepEqual(await C.bind(THIS, 1).then(function (v) { return [this, v]; }), [THIS, 1]);
    assert.deepEqual(await C.bind(THIS).then(function (v) { return [this, v]; }), [THIS, undefined]);
    assert.deepEqual(await C.bind(THIS, later(Native, 'fulfilled', 2)).then(function (v) { return [this, v]; }), [THIS, 2]);
    assert.equal(await rejection(C.bind(THIS, later(C, 'rejected', 3))), 3);
  });

  it('keeps the outcome', async () => {
    assert.equal(await one().bind(THIS), 1);
    const e = await rejection(bad().bind(THIS));
    assert.equal(e.message, 't');
  });

  it('any value may be the this', async () => {
    for (const x of [null, 0, 1, '', 'x', true, Symbol('s'), pass, [], C]) {
      assert.equal((await C.bind(x).then(function () { return [this]; }))[0], x);
    }
  });

  it('a promise that follows another may give the this', async () => {
    const { promise, resolve } = deferred(C);
    promise.then(pass);
    resolve(later(C, 'fulfilled', THIS));
    assert.equal(await C.resolve(1).bind(promise).then(function () { return this; }), THIS);
  });

  it('a later bind replaces an earlier one, from there on', async () => {
    const seen = [];
    await C.bind('a').then(function () { seen.push(this); }).bind('b').then(function () { seen.push(this); })
      .bind(null).then(function () { seen.push(this); });
    assert.deepEqual(seen, ['a', 'b', null]);
  });

  it('bind() and bind(undefined) end it', async () => {
    for (const args of [[], [undefined]]) {
      assert.equal(await C.bind(THIS).bind(...args).then(function () { return this; }), undefined);
      assert.equal(await C.bind(THIS, later(C, 'fulfilled')).bind(...args).then(function () { return this; }), undefined);
    }
  });

  it('the promise it is called on stays as it was', async () => {
    const p = one();
    p.bind(THIS);
    assert.equal(await p.then(function () { return this; }), undefined);
  });

  it('what resolves with a bound promise is not bound', async () => {
    assert.equal(await C.resolve().then(() => C.bind(THIS)).then(function () { return this; }), undefined);
    assert.equal(await new C((resolve) => resolve(C.bind(THIS))).then(function () { return this; }), undefined);
  });

  it('a bound promise stays bound when a handler gives another', async () => {
    assert.equal(await C.bind(THIS).then(() => C.bind('other')).then(function () { return this; }), THIS);
  });

  it('resolve gives a bound promise back', () => {
    const p = C.bind(THIS);
    assert.equal(C.resolve(p), p);
  });

  it('as an element of all', async () => {
    assert.deepEqual(await C.all([C.bind(THIS, 1), C.bind(1, later(C, 'fulfilled', 2))]), [1, 2]);
    assert.equal(await C.race([C.bind(THIS, 1)]), 1);
  });

  it('with await', async () => {
    assert.equal(await C.bind(THIS, 1), 1);
    assert.equal(await C.bind(THIS, later(C, 'fulfilled', 1)).then((x) => x + 1), 2);
  });

  it('handlers run in order and with one argument', async () => {
    const seen = [];
    const p = C.bind(THIS, 'v');
    p.then(function (...args) { seen.push(['a', ...args]); });
    p.finally(function (...args) { seen.push(['b', ...args]); });
    await p.then(function (...args) { seen.push(['c', ...args]); });
    assert.deepEqual(seen, [['a', 'v'], ['b'], ['c', 'v']]);
  });

  it('a handler that throws rejects', async () => {
    assert.equal(await rejection(C.bind(THIS).then(() => { throw 1; })), 1);
  });

  describe('to a promise', () => {
    for (const [kind, make] of [
      ['fulfilled', (x) => C.resolve(x)], ['fulfilled later', (x) => later(C, 'fulfilled', x)],
      ['native', (x) => later(Native, 'fulfilled', x)], ['thenable', (x) => ({ then: (f) => setImmediate(f, x) })],
    ]) {
      it(`waits for it: ${kind}`, async () => {
        assert.deepEqual(await C.bind(make(THIS), 1).then(function (v) { return [this, v]; }), [THIS, 1]);
        assert.deepEqual(await later(C, 'fulfilled', 1).bind(make(THIS)).then(function (v) { return [this, v]; }), [THIS, 1]);
        assert.deepEqual(await C.reject(1).bind(make(THIS)).catch(function (v) { return [this, v]; }), [THIS, 1]);
        assert.deepEqual(await C.resolve([5]).bind(make(THIS)).map(function (v) { return [this, v]; }), [[THIS, 5]]);
        assert.deepEqual(await C.bind(make(THIS), 1).then(pass).then(function (v) { return [this, v]; }), [THIS, 1]);
      });
    }

    it('nothing is called before it is fulfilled', async () => {
      const d = deferred(C);
      let called = false;
      const p = C.bind(d.promise, 1).finally(() => { called = true; });
      await macro();
      assert.equal(called, false);
      d.resolve(THIS);
      await p;
      assert.equal(called, true);
    });

    it('its rejection rejects', async () => {
      assert.equal(await rejection(C.bind(later(C, 'rejected', 'binding'), 1)), 'binding');
      assert.equal(await rejection(C.bind(Native.reject('binding'), 1).then(pass)), 'binding');
      assert.equal(await rejection(later(C, 'fulfilled', 1).bind(C.reject('binding'))), 'binding');
      assert.equal(await C.bind(later(C, 'rejected', 'binding')).catch(function () { return this; }), undefined);
    });

    it('but the rejection of the promise itself wins when it was first', async () => {
      assert.equal(await rejection(C.bind(later(C, 'rejected', 'binding'), C.reject('own'))), 'own');
      const own = deferred(C);
      const p = rejection(own.promise.bind(C.reject('binding')));
      await macro();
      own.reject('own');
      assert.equal(await p, 'binding');
    });
  });

  it('is a promise of the class', () => {
    const p = C.bind(THIS);
    assert.ok(p instanceof C);
    assert.equal(p.constructor, C);
    assert.equal(p.then, C.prototype.then);
  });

  it('to a circle of itself stays pending', async () => {
    let settled = false;
    const d = deferred(C);
    const p = d.promise.bind(THIS);
    p.then(() => { settled = true; }, () => { settled = true; });
    d.resolve(p.then(pass));
    await macro();
    assert.equal(settled, false);
  });

  it('100,000 steps', async () => {
    let p = C.bind({ n: 0 });
    for (let i = 0; i < 100000; i++) p = p.then(function () { this.n++; });
    assert.equal(await p.then(function () { return this.n; }), 100000);
  });

  it('a loop that never ends by itself', async () => {
    const loop = function () { return --this.n > 0 ? C.bind(this).then(loop) : 'end'; };
    assert.equal(await C.bind({ n: 20000 }).then(loop), 'end');
  });
}

function own() {
  it('the methods of ours alone', async () => {
    const THIS = {};
    const seen = [];
    function f() { seen.push(this); }
    await P.bind(THIS, { a: 1 }).mapValues(f).then(f);
    await P.bind(THIS, [1]).allSettled().then(f);
    await P.bind(THIS, { a: 1 }).allKeyed().then(f);
    await P.bind(THIS, { a: 1 }).allSettledKeyed().then(f);
    // eslint-disable-next-line no-unused-vars
    for await (const x of P.mapIterator(P.bind(THIS, [1, 2]), f));
    assert.equal(seen.length, 7);
    seen.forEach((x) => assert.equal(x, THIS));
  });

  it('is bound at once to a promise that is fulfilled', () => {
    const p = P.resolve(1).bind(P.resolve(2));
    assert.match(inspect(p), /^Promise \{ 1 \}$/);
  });

  it('is shown as any promise', () => {
    assert.equal(inspect(P.bind({}, 1)), 'Promise { 1 }');
    assert.equal(inspect(P.bind({}, new P(() => {}))), 'Promise { <pending> }');
    assert.equal(Object.prototype.toString.call(P.bind({})), '[object Promise]');
  });

  it('a subclass is lost', async () => {
    const p = Sub.resolve(1).bind({ a: 2 });
    assert.ok(p instanceof P);
    assert.equal(p.constructor, P);
    assert.equal(await p.then(function (x) { return this.a + x; }), 3);
  });

  it('a constructor of its own makes what it says, with handlers that are bound', async () => {
    const p = P.bind({ a: 2 }, 1);
    p.constructor = Sub;
    const q = p.then(function (x) { return this.a + x; });
    assert.ok(q instanceof Sub);
    assert.equal(await q, 3);
  });

  it('a thenable whose then cannot be read rejects', async () => {
    assert.equal(await rejection(P.bind({ get then() { throw 1; } })), 1);
  });

  it('is a TypeError on what is no promise', () => {
    for (const x of [undefined, null, 1, {}, Native.resolve(), Object.create(P.prototype), P.prototype]) {
      assert.throws(() => P.prototype.bind.call(x, {}), TypeError);
    }
  });

  it('a bound promise does not keep what it was bound to when it is collected', async () => {
    const { stdout, stderr } = await run(`
      let collected = 0;
      const registry = new FinalizationRegistry(() => { collected++; });
      for (let i = 0; i < 1000; i++) {
        const thisArg = { i };
        registry.register(thisArg);
        P.bind(thisArg, new P(() => {})).then(() => {});
        P.bind(new P(() => {}), new P(() => {})).then(() => {});
      }
      let rounds = 0;
      (function round() {
        gc();
        if (collected >= 990 || rounds++ === 50) console.log(collected >= 990 ? 'collected' : collected);
        else setTimeout(round, 100);
      })();
    `, { flags: ['--expose-gc'] });
    assert.equal(stdout, 'collected\n', stderr);
  });

  it('while nobody binds, the functions are called without a this', async () => {
    const { stdout, stderr } = await run(`
      (function () {
        'use strict';
        P.resolve([1]).map(function () { console.log(this); }).tap(function () { console.log(this); });
      })();
    `);
    assert.equal(stdout, 'undefined\nundefined\n', stderr);
  });

  it('each rejection is reported once or not at all', async () => {
    const events = await rejectionEvents(async () => {
      P.reject('one').bind({});
      P.reject('two').bind(later(P, 'fulfilled', {}));
      P.bind(later(P, 'rejected', 'three'));
      P.reject('four').bind({}).catch(pass);
      P.reject('five').bind(later(P, 'fulfilled')).catch(pass);
      for (let i = 0; i < 4; i++) await macro();
    });
    assert.deepEqual(events.map((e) => [e.event, e.reason]).sort(),
      ['one', 'three', 'two'].map((x) => ['unhandledRejection', x]));
  });

  it('many that are settled later', async () => {
    const list = await P.all(numbers(20000).map((i) => P.bind(i % 2 ? i : later(P, 'fulfilled', i), later(P, 'fulfilled', i))
      .then(function (x) { return this === x; })));
    assert.ok(list.every(Boolean));
  });
}

collectionTests('bind', shared, own);

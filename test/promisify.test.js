'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { promisify } = require('node:util');
const vm = require('node:vm');
const { P } = require('./helpers/subject');
const { macro, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const WHEN = {
  'at once': (f) => f(),
  'in a microtask': queueMicrotask,
  'in a tick': process.nextTick,
  later: setImmediate,
};

function shared(C) {
  for (const [when, start] of Object.entries(WHEN)) {
    it(`the value, called back ${when}`, async () => {
      const f = C.promisify((a, b, cb) => start(() => cb(null, a + b)));
      const p = f(1, 2);
      assert.ok(p instanceof C);
      assert.equal(await p, 3);
      const none = C.promisify((cb) => start(() => cb()));
      assert.equal(await none(), undefined);
      const falsy = C.promisify((cb) => start(() => cb(undefined, 0)));
      assert.equal(await falsy(), 0);
    });

    it(`the error, called back ${when}`, async () => {
      const e = new RangeError('e');
      const f = C.promisify((cb) => start(() => cb(e, 'ignored')));
      assert.equal(await rejection(f()), e);
    });

    it(`called back twice ${when}, the first counts`, async () => {
      const f = C.promisify((cb) => start(() => { cb(null, 1); cb(null, 2); cb(new Error('x')); }));
      assert.equal(await f(), 1);
      const g = C.promisify((cb) => start(() => { cb(new Error('first')); cb(null, 2); }));
      assert.equal((await rejection(g())).message, 'first');
    });

    it(`all values with multiArgs, ${when}`, async () => {
      const f = C.promisify((cb) => start(() => cb(null, 1, 2, 3)), { multiArgs: true });
      assert.deepEqual(await f(), [1, 2, 3]);
      const one = C.promisify((cb) => start(() => cb(null, 1)), { multiArgs: true });
      assert.deepEqual(await one(), [1]);
      const none = C.promisify((cb) => start(() => cb(null)), { multiArgs: true });
      assert.deepEqual(await none(), []);
      const bad = C.promisify((cb) => start(() => cb(new Error('m'))), { multiArgs: true });
      assert.equal((await rejection(bad())).message, 'm');
      const first = C.promisify((cb) => start(() => cb(null, 1, 2)));
      assert.equal(await first(), 1);
      const twice = C.promisify((cb) => start(() => { cb(null, 1, 2); cb(null, 3); cb(new Error('x')); }), { multiArgs: true });
      assert.deepEqual(await twice(), [1, 2]);
    });
  }

  it('any number of arguments, the callback last', async () => {
    const f = C.promisify((...args) => args.pop()(null, args));
    for (let n = 0; n < 12; n++) {
      const args = Array.from({ length: n }, (_, i) => i);
      assert.deepEqual(await f(...args), args);
    }
    assert.deepEqual(await f(undefined, undefined), [undefined, undefined]);
  });

  it('this of the call, or the context', async () => {
    const o = { v: 7, m(cb) { cb(null, this.v); } };
    assert.equal(await C.promisify(o.m).call(o), 7);
    assert.equal(await C.promisify(o.m, { context: o })(), 7);
    assert.equal(await C.promisify(o.m, { context: o }).call({ v: 8 }), 7);
    o.mine = C.promisify(o.m);
    assert.equal(await o.mine(), 7);
    const self = C.promisify(function (cb) { cb(null, this); });
    assert.equal(await self(), undefined);
  });

  it('a function that throws rejects, once called back it is too late', async () => {
    const e = new Error('sync');
    assert.equal(await rejection(C.promisify(() => { throw e; })()), e);
    assert.equal(await C.promisify((cb) => { cb(null, 1); throw e; })(), 1);
  });

  it('an error that is no Error becomes one', async () => {
    const e = await rejection(C.promisify((cb) => cb('text'))());
    assert.ok(e instanceof Error);
    assert.equal(e.message, 'text');
    const foreign = vm.runInNewContext('new TypeError("foreign")');
    assert.equal(await rejection(C.promisify((cb) => cb(foreign))()), foreign);
  });

  it('a lifted function settles only its own call', async () => {
    const callbacks = [];
    const f = C.promisify((x, cb) => callbacks.push(() => cb(null, x)));
    const ps = [1, 2, 3].map((x) => f(x));
    callbacks.reverse().forEach((c) => c());
    assert.deepEqual(await C.all(ps), [1, 2, 3]);
  });

  it('real functions of Node', async () => {
    const readFile = C.promisify(fs.readFile);
    assert.ok(String(await readFile(__filename)).includes('real functions'));
    assert.equal((await rejection(readFile(`${__filename}.none`))).code, 'ENOENT');
  });

  it('one that never calls back leaves it pending', async () => {
    let settled = false;
    const note = () => { settled = true; };
    C.promisify(() => {})().then(note, note);
    await macro();
    assert.equal(settled, false);
  });

  it('what is no function is a TypeError', () => {
    for (const bad of [undefined, null, 0, 'x', {}, [], Symbol()]) {
      assert.throws(() => C.promisify(bad), TypeError);
    }
    assert.throws(() => C.promisify(), TypeError);
  });

  it('options that are no object are left aside', async () => {
    for (const o of [undefined, null, 0, 'x', true]) {
      assert.equal(await C.promisify((cb) => cb(null, 1), o)(), 1);
    }
  });

  it('what it throws: an Error for what is no object', async () => {
    const e = new RangeError('thrown');
    assert.equal(await rejection(C.promisify(() => { throw e; })()), e);
    assert.equal(e.isOperational, undefined);
    const text = await rejection(C.promisify(() => { throw 'text'; })());
    assert.ok(text instanceof Error);
    assert.equal(text.message, 'text');
    assert.equal(await C.promisify((cb) => { cb(null, 1); throw e; })(), 1);
  });

  it('falsy errors are none', async () => {
    for (const none of [null, undefined, false, 0, '']) {
      assert.equal(await C.promisify((cb) => cb(none, 'v'))(), 'v');
    }
  });

  it('a promisified function is not promisified again', () => {
    const once = C.promisify((cb) => cb());
    assert.equal(C.promisify(once), once);
    assert.deepEqual(Object.keys(once), []);
  });
}

collectionTests('promisify', shared, () => {
  it('a custom implementation is used', async () => {
    const f = (cb) => cb(null, 'plain');
    f[promisify.custom] = async function (x) { return [this, `custom ${x}`]; };
    const receiver = {};
    const p = P.promisify(f).call(receiver, 1);
    assert.ok(p instanceof P);
    assert.deepEqual(await p, [receiver, 'custom 1']);
    assert.equal(await P.promisify(setTimeout)(1, 'timer'), 'timer');
  });

  it('properties of the function are those of the lifted one, getters uncalled', () => {
    let calls = 0;
    function f(a, b, cb) { cb(a, b); }
    f.extra = 1;
    Object.defineProperty(f, 'lazy', { get: () => ++calls, configurable: true });
    const lifted = P.promisify(f);
    assert.equal(calls, 0);
    assert.deepEqual([lifted.extra, lifted.lazy, lifted.name, lifted.length], [1, 1, 'f', 2]);
  });

  it('keeps a name that can be read', () => {
    assert.match(P.promisify(function original(cb) { cb(); }).name, /original/);
  });

  it('the custom implementation gets the context; for all values it does not serve', async () => {
    const f = function (cb) { cb(null, 1, 2); };
    f[promisify.custom] = async function () { return this; };
    const context = {};
    assert.equal(await P.promisify(f, { context })(), context);
    assert.deepEqual(await P.promisify(f, { multiArgs: true })(), [1, 2]);
    f[promisify.custom] = () => { throw new RangeError('custom'); };
    assert.equal((await rejection(P.promisify(f)())).message, 'custom');
  });

  it('length is never negative', () => {
    assert.equal(P.promisify(() => {}).length, 0);
    assert.equal(P.promisify(Object.defineProperty(() => {}, 'length', { value: 'x' })).length, 0);
  });
});

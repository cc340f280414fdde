'use strict';

// The library where there is nothing but the language, WebAssembly and timers: a
// context of its own, with a `require` that knows no module of Node.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { P: Ours, Native, isNative, root } = require('./helpers/subject');
const { macro, rejectionEvents } = require('./helpers/util');

const WEB = path.join(root, 'lib', 'runtime-web.js');

/** Loads the library; `globals` is what the runtime has beside the language. */
function load(globals) {
  const context = vm.createContext({ ...globals });
  const modules = new Map();
  const loaded = [];

  function read(file) {
    if (modules.has(file)) return modules.get(file).exports;
    const text = fs.readFileSync(file, 'utf8');
    if (file.endsWith('.json')) return JSON.parse(text);
    const module = { exports: {} };
    modules.set(file, module);
    loaded.push(path.basename(file));
    const wrapper = vm.compileFunction(text, ['module', 'exports', 'require'], { parsingContext: context, filename: file });
    wrapper(module, module.exports, (name) => {
      if (name === '#runtime') return read(WEB);
      assert.ok(/^\.\.?\//.test(name), `${path.basename(file)} requires ${name}`);
      return read(require.resolve(path.resolve(path.dirname(file), name)));
    });
    return module.exports;
  }

  return { P: read(path.join(root, 'lib', 'index.js')), loaded, context };
}

const listeners = {};
const globals = {
  queueMicrotask,
  setTimeout,
  clearTimeout,
  addEventListener(name, listener) { listeners[name] = listener; },
};

(isNative ? describe.skip : describe)('without Node', () => {
  let P;
  let loaded;
  before(() => {
    ({ P, loaded } = load(globals));
  });

  it('the engine is WebAssembly, and nothing of Node is asked for', () => {
    assert.equal(P.host, 'wasm');
    assert.notEqual(P, Ours);
    assert.deepEqual(loaded.filter((name) => ['runtime.js', 'native.js'].includes(name)), []);
    assert.ok(loaded.includes('runtime-web.js'));
  });

  it('has all that it has in Node', () => {
    const names = (object) => Reflect.ownKeys(object).map(String).sort();
    assert.deepEqual(names(P), names(Ours));
    assert.deepEqual(names(P.prototype), names(Ours.prototype));
  });

  it('chains, combinators, collections', async () => {
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
    assert.equal(await P.reject(new RangeError('r')).catch((e) => e.message), 'r');
    assert.deepEqual([...await P.all([1, P.resolve(2), Promise.resolve(3)])], [1, 2, 3]);
    assert.deepEqual([...await P.map([1, 2, 3], (x) => P.resolve(2 * x), { concurrency: 2 })], [2, 4, 6]);
    assert.deepEqual([...(await P.props(new Map([['a', P.resolve(1)]]))).values()], [1]);
    const { promise, resolve } = P.withResolvers();
    resolve(4);
    assert.equal(await promise, 4);
  });

  it('deadlines', async () => {
    assert.equal(await P.delay(2, 'x'), 'x');
    const e = await new P(() => {}).timeout(2).catch((x) => x);
    assert.equal(e.name, 'TimeoutError');
  });

  it('another copy is the same one', () => {
    assert.equal(P.getNewLibraryCopy(), P);
  });

  it('long stack traces hide nothing that is not ours', async () => {
    P.config({ longStackTraces: true });
    try {
      const e = await P.resolve().then(() => { throw new Error('deep'); }).catch((x) => x);
      assert.match(e.stack, /web\.test\.js/);
    } finally {
      P.config({ longStackTraces: false });
    }
  });

  it('an unhandled rejection is told by a native promise', async () => {
    const events = await rejectionEvents(() => { P.reject(7); });
    assert.deepEqual(events.map(({ event, reason }) => [event, reason]), [['unhandledRejection', 7]]);
  });

  it('one that is handled in time is not', async () => {
    const events = await rejectionEvents(() => {
      const p = P.reject(8);
      P.resolve().then(() => p.catch(() => {}));
    });
    assert.deepEqual(events, []);
  });

  it('the hooks are asked when the runtime reports it', async () => {
    const told = [];
    P.onPossiblyUnhandledRejection((reason, promise) => told.push(reason, promise));
    P.onUnhandledRejectionHandled((promise) => told.push(promise));
    try {
      let prevented = 0;
      const promise = P.reject(9);
      const report = (reason, native) => {
        listeners.unhandledrejection({ promise: native, reason, preventDefault: () => { prevented++; } });
      };
      await reported(report);
      assert.deepEqual([told[0], told[1] === promise, told.length, prevented], [9, true, 2, 1]);
      promise.catch(() => {});
      await macro();
      assert.deepEqual([told.length, told[2] === promise], [3, true]);
    } finally {
      P.onPossiblyUnhandledRejection();
      P.onUnhandledRejectionHandled();
    }
  });

  it('those of others are left alone', () => {
    listeners.unhandledrejection({ promise: Native.resolve(), reason: 1, preventDefault: () => assert.fail() });
  });

  it('without a clock, events and console as well', async () => {
    const { P: Q } = load({ queueMicrotask, setTimeout, clearTimeout });
    assert.equal(await Q.delay(1, 'x').then((x) => x + x), 'xx');
    Q.config({ warnings: true });
    await Q.reject(null).catch(() => {});
  });

  it('without WebAssembly: an error that says so', () => {
    const context = { ...globals };
    assert.throws(() => load({ ...context, WebAssembly: undefined }), /there are no addons here; nor can WebAssembly be used/);
  });
});

/** Waits until Node reports a rejection, in place of the runtime that is played here. */
function reported(report) {
  return new Native((resolve) => {
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.once('unhandledRejection', (reason, native) => {
      for (const listener of others) process.on('unhandledRejection', listener);
      report(reason, native);
      resolve();
    });
  });
}

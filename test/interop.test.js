'use strict';

const assert = require('node:assert/strict');
const events = require('node:events');
const fs = require('node:fs');
const timers = require('node:timers/promises');
const { PassThrough } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const util = require('node:util');
const { P, Native } = require('./helpers/subject');
const { Bluebird, Sub, deferred, inputs, macro, outcome, rejection } = require('./helpers/util');

// Native promises and async functions answer alike whatever the global is.
async function withGlobal(C, body) {
  const saved = Object.getOwnPropertyDescriptor(globalThis, 'Promise');
  Object.defineProperty(globalThis, 'Promise', { ...saved, value: C });
  try {
    return await body();
  } finally {
    Object.defineProperty(globalThis, 'Promise', saved);
  }
}

describe('interop', () => {
  it('await', async () => {
    assert.equal(await P.resolve(1), 1);
    assert.equal(await new P((r) => setImmediate(r, 2)), 2);
    assert.equal(await Sub.resolve(3), 3);
    await assert.rejects(async () => { await P.reject(new RangeError('x')); }, RangeError);
    await assert.rejects(P.reject(new RangeError('x')), RangeError);
    let caught;
    try { await P.reject('reason'); } catch (e) { caught = e; }
    assert.equal(caught, 'reason');
  });

  it('async functions return promises of ours, and ours adopt async functions', async () => {
    const f = async () => P.resolve(5);
    assert.equal(await f(), 5);
    assert.equal(await (async () => new P((r) => setImmediate(r, 6)))(), 6);
    assert.equal(await rejection((async () => P.reject('r'))()), 'r');
    assert.equal(await P.resolve().then(f), 5);
    assert.equal(await P.resolve().then(async () => { throw 'thrown'; }).catch((e) => e), 'thrown');
  });

  it('await in a loop', async () => {
    let sum = 0;
    for (let i = 0; i < 2000; i++) sum += await P.resolve(i).then((x) => x + 1);
    assert.equal(sum, 2001000);
  });

  it('for await and async generators', async () => {
    const got = [];
    for await (const x of [P.resolve(1), new P((r) => setImmediate(r, 2)), 3]) got.push(x);
    async function* g() {
      yield P.resolve(4);
      yield* [P.resolve(5)];
    }
    for await (const x of g()) got.push(x);
    assert.deepEqual(got, [1, 2, 3, 4, 5]);
  });

  for (const [name, C] of [['native', Native], ['bluebird', Bluebird]]) {
    for (const how of ['fulfilled', 'rejected']) {
      it(`${name} promises adopt ours, ${how}`, async () => {
        const value = { how };
        const key = how === 'fulfilled' ? 'value' : 'reason';
        for (const { make } of inputs(how)) {
          for (const adopt of [
            (p) => C.resolve(p), (p) => new C((r) => r(p)), (p) => C.resolve().then(() => p),
            (p) => C.all([p]).then(([x]) => x), (p) => C.race([p]),
          ]) {
            const after = [];
            const p = P.resolve(make(value, after));
            // Bluebird comes to it a turn later, which Node would report.
            p.catch(() => {});
            const seen = outcome(adopt(p));
            after.forEach((f) => f());
            const o = await seen;
            assert.equal(o.status, how);
            assert.equal(o[key], value);
          }
        }
      });

      it(`ours adopt ${name} promises, ${how}`, async () => {
        const value = { how };
        const key = how === 'fulfilled' ? 'value' : 'reason';
        const settle = how === 'fulfilled' ? 'resolve' : 'reject';
        for (const adopt of [
          (p) => P.resolve(p), (p) => new P((r) => r(p)), (p) => P.resolve().then(() => p),
          (p) => P.all([p]).then(([x]) => x), (p) => P.race([p]),
          (p) => P.resolve().finally(() => p).then(() => value),
        ]) {
          for (const foreign of [
            () => C[settle](value), () => new C((f, r) => setImmediate(how === 'fulfilled' ? f : r, value)),
          ]) {
            const o = await outcome(adopt(foreign()));
            assert.equal(o.status, how);
            assert.equal(o[key], value);
          }
        }
      });
    }
  }

  it('chains that change the library at every step', async () => {
    let p = P.resolve(0);
    const libs = [P, Native, Bluebird, Sub];
    for (let i = 0; i < 400; i++) {
      const C = libs[i % 4];
      p = C.resolve(p).then((x) => libs[(i + 1) % 4].resolve(x + 1));
    }
    assert.equal(await p, 400);
  });

  it('combinators of each library over promises of the others', async () => {
    const mixed = () => [P.resolve(1), Native.resolve(2), Bluebird.resolve(3), Sub.resolve(4), 5];
    for (const C of [P, Native, Bluebird, Sub]) {
      assert.deepEqual(await C.all(mixed()), [1, 2, 3, 4, 5]);
    }
  });

  it('in place of the global Promise', async () => {
    await withGlobal(P, async () => {
      assert.equal(globalThis.Promise, P);
      assert.equal(await timers.setTimeout(2, 'timers'), 'timers');
      assert.equal(await timers.setImmediate('immediate'), 'immediate');
      assert.ok((await fs.promises.readFile(__filename)).length > 0);
      assert.ok((await fs.promises.stat(__dirname)).isDirectory());
      await assert.rejects(fs.promises.readFile(__filename + '.none'), { code: 'ENOENT' });
      const readFile = util.promisify(fs.readFile);
      assert.ok((await readFile(__filename)).length > 0);
      const emitter = new events.EventEmitter();
      const once = events.once(emitter, 'e');
      emitter.emit('e', 1, 2);
      assert.deepEqual(await once, [1, 2]);
      const from = new PassThrough();
      const to = new PassThrough();
      from.end('data');
      await pipeline(from, to);
      assert.equal(String(to.read()), 'data');
      assert.equal(await Promise.resolve((async () => 1)()), 1);
      assert.deepEqual(await Promise.all([(async () => 1)(), 2, Native.resolve(3)]), [1, 2, 3]);
      const chunks = [];
      for await (const c of fs.createReadStream(__filename)) chunks.push(c);
      assert.ok(chunks.length > 0);
      const name = (await import('node:path')).basename(__filename);
      assert.equal(name, 'interop.test.js');
      const worker = new (require('node:worker_threads').Worker)('0', { eval: true });
      assert.equal(typeof await worker.terminate(), 'number');
    });
    assert.equal(globalThis.Promise, Native);
  });

  it('util.types and instanceof', () => {
    assert.ok(P.resolve() instanceof P);
    assert.ok(!(Bluebird.resolve() instanceof P));
    assert.ok(Sub.resolve() instanceof P);
    assert.ok(!(P.resolve() instanceof Sub));
  });

  it('util.callbackify and assert.rejects take ours', async () => {
    const f = util.callbackify(() => P.resolve(7));
    assert.equal(await new Native((resolve, reject) => {
      f((e, v) => (e ? reject(e) : resolve(v)));
    }), 7);
    await assert.rejects(P.reject(new TypeError('t')), TypeError);
    await assert.doesNotReject(P.resolve(1));
  });

  it('an event emitter with captureRejections sees a rejection of ours', async () => {
    const emitter = new events.EventEmitter({ captureRejections: true });
    const error = events.once(emitter, 'error');
    emitter.on('e', () => P.reject(new RangeError('captured')));
    emitter.emit('e');
    const [e] = await error;
    assert.ok(e instanceof RangeError);
  });

  it('await sees the value although the promise is settled by another microtask', async () => {
    const d = deferred();
    queueMicrotask(() => d.resolve('q'));
    assert.equal(await d.promise, 'q');
    const e = deferred();
    process.nextTick(e.resolve, 't');
    assert.equal(await e.promise, 't');
    await macro();
  });
});

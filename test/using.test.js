'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { deferred, later, macro, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');
const { run } = require('./helpers/child');

/** A maker of resources that logs what happens to them. */
function maker(C, log = []) {
  const make = (name, { slow = false } = {}) => C.resolve(name).disposer((resource, outcome) => {
    log.push(`${resource} ${outcome.isFulfilled() ? 'fulfilled' : 'rejected'}`);
    return slow ? later(C, 'fulfilled').then(() => { log.push(`${resource} gone`); }) : undefined;
  });
  return { make, log };
}

function shared(C) {
  it('gives the resources to the function and its value to the caller', async () => {
    const { make, log } = maker(C);
    const value = await C.using(make('a'), make('b'), (a, b) => {
      log.push(`use ${a}${b}`);
      return later(C, 'fulfilled', 'value');
    });
    assert.equal(value, 'value');
    assert.equal(log[0], 'use ab');
    assert.deepEqual(log.slice(1).sort(), ['a fulfilled', 'b fulfilled']);
  });

  it('takes an array, and gives one', async () => {
    const { make, log } = maker(C);
    assert.equal(await C.using([make('a'), make('b')], (list) => list.join('+')), 'a+b');
    assert.equal(log.length, 2);
  });

  it('disposes when the function throws or rejects', async () => {
    for (const fn of [() => { throw 'thrown'; }, () => later(C, 'rejected', 'thrown')]) {
      const { make, log } = maker(C);
      assert.equal(await rejection(C.using(make('a'), fn)), 'thrown');
      assert.deepEqual(log, ['a rejected']);
    }
  });

  it('disposes of the others when one cannot be acquired', async () => {
    const { make, log } = maker(C);
    const failing = later(C, 'rejected', 'no').disposer(() => log.push('never'));
    const slow = later(C, 'fulfilled', 'slow').disposer(() => { log.push('slow'); });
    assert.equal(await rejection(C.using(make('a'), failing, slow, () => log.push('never'))), 'no');
    assert.deepEqual(log.sort(), ['a rejected', 'slow']);
  });

  it('waits for the disposal', async () => {
    const { make, log } = maker(C);
    await C.using(make('a', { slow: true }), () => {});
    assert.deepEqual(log, ['a fulfilled', 'a gone']);
  });

  it('accepts values, promises of them and of disposers, null and undefined', async () => {
    const { make, log } = maker(C);
    const args = await C.using(1, null, undefined, C.resolve(2), C.resolve().then(() => make('late')), (...all) => all);
    assert.deepEqual(args, [1, null, undefined, 2, 'late']);
    assert.deepEqual(log, ['late fulfilled']);
  });

  it('rejects for what is no function', async () => {
    for (const fn of [undefined, null, 1, 'f', {}]) assert.ok((await rejection(C.using(C.resolve(1), fn))) instanceof TypeError);
    assert.ok((await rejection(C.using(() => {}))) instanceof TypeError);
    assert.ok((await rejection(C.using())) instanceof TypeError);
  });

  it('the resource is the this of the function that disposes of it', async () => {
    const seen = [];
    const resource = { name: 'r' };
    await C.using(C.resolve(resource).disposer(function (...args) { seen.push(this, args[0]); }), () => {});
    assert.equal(seen.length, 2);
    seen.forEach((x) => assert.equal(x, resource));
  });

  it('disposer wants a function', () => {
    for (const fn of [undefined, null, 1, 'f', {}]) assert.throws(() => C.resolve(1).disposer(fn), TypeError);
  });

  it('a disposer has its promise', () => {
    const promise = C.resolve(1);
    assert.equal(promise.disposer(() => {}).promise(), promise);
  });
}

collectionTests('using', shared, () => {
  it('disposes in reverse order, one after another', async () => {
    const { make, log } = maker(P);
    await P.using(make('a'), make('b', { slow: true }), make('c'), () => {});
    assert.deepEqual(log, ['c fulfilled', 'b fulfilled', 'b gone', 'a fulfilled']);
  });

  it('the function runs when all are there, never during the call', async () => {
    const log = [];
    const slow = deferred(P);
    const result = P.using(P.resolve('a').disposer(() => { log.push('disposed'); }), slow.promise, () => { log.push('used'); });
    assert.deepEqual(log, []);
    await macro();
    assert.deepEqual(log, []);
    slow.resolve();
    await result;
    assert.deepEqual(log, ['used', 'disposed']);
  });

  it('disposes of what arrives after another has failed', async () => {
    const log = [];
    const slow = deferred(P);
    const result = P.using(P.reject('no'), slow.promise.disposer((x) => { log.push(x); }), () => log.push('never'));
    result.catch(() => {});
    await macro();
    slow.resolve('late');
    assert.equal(await rejection(result), 'no');
    assert.deepEqual(log, ['late']);
  });

  it('resources are disposed of even when the last argument is no function', async () => {
    const { make, log } = maker(P);
    const error = await rejection(P.using(make('a'), 'text'));
    assert.equal(error.message, 'expecting the last argument to be a function but got "text"');
    assert.deepEqual(log, ['a rejected']);
  });

  it('a disposer disposes once', async () => {
    const { make, log } = maker(P);
    const disposer = make('a');
    await P.all([P.using(disposer, () => {}), P.using(disposer, () => {})]);
    await P.using(disposer, disposer, () => {});
    assert.deepEqual(log, ['a fulfilled']);
  });

  it('200,000 resources without recursion', async () => {
    let disposed = 0;
    const list = Array.from({ length: 200_000 }, (_, i) => P.resolve(i).disposer(() => { disposed++; }));
    assert.equal(await P.using(list, (all) => all.length), 200_000);
    assert.equal(disposed, 200_000);
  });

  if (Symbol.asyncDispose) {
    it('objects that dispose of themselves', async () => {
      const log = [];
      const a = { [Symbol.dispose]() { log.push(this === a); } };
      const b = { async [Symbol.asyncDispose]() { await null; log.push('b'); }, [Symbol.dispose]() { log.push('never'); } };
      assert.equal(await P.using(a, Native.resolve(b), (x, y) => (x === a && y === b ? 'both' : 'no')), 'both');
      assert.deepEqual(log, ['b', true]);
    });

    it('a disposer for await using', async () => {
      const { make, log } = maker(P);
      const disposer = make('a', { slow: true });
      assert.equal(await disposer[Symbol.asyncDispose](), undefined);
      assert.equal(await disposer[Symbol.asyncDispose](), undefined);
      assert.deepEqual(log, ['a fulfilled', 'a gone']);
      const failed = P.reject('no').disposer(() => log.push('never'));
      assert.equal(await failed[Symbol.asyncDispose](), undefined);
      assert.equal(log.length, 2);
    });
  }

  it('an error of a disposal reaches the process; the others are disposed of, the value is given', async () => {
    for (const way of ['() => { throw new Error("lost"); }', '() => P.reject(new Error("lost"))']) {
      const { stdout, status } = await run(`
        process.on('uncaughtException', (e) => console.log('uncaught', e.message));
        P.using(P.resolve(1).disposer(() => console.log('other')), P.resolve(2).disposer(${way}), () => 'value').then(console.log);
      `);
      assert.equal(status, 0);
      assert.deepEqual(stdout.trim().split('\n').sort(), ['other', 'uncaught lost', 'value']);
    }
  });

  it('a wrong receiver', () => {
    assert.throws(() => P.prototype.disposer.call({}, () => {}), TypeError);
  });
});

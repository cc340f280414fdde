'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { Sub, later, macro } = require('./helpers/util');
const { run } = require('./helpers/child');
const { collectionTests } = require('./helpers/collections');

collectionTests('done', (C) => {
  it('calls its handlers as then, and gives nothing', async () => {
    const seen = [];
    assert.equal(C.resolve(1).done((v) => seen.push(v)), undefined);
    assert.equal(C.reject(2).done(undefined, (e) => seen.push(e)), undefined);
    assert.equal(later(C, 'fulfilled', 3).done((v) => seen.push(v)), undefined);
    assert.equal(C.resolve(4).done(), undefined);
    await macro();
    await macro();
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it('calls with the this of a bound promise', async () => {
    let seen;
    C.bind('this', 1).done(function (...args) { seen = [this, ...args]; });
    await macro();
    assert.deepEqual(seen, ['this', 1]);
  });
}, () => {
  it('what is rejected there is an uncaught exception, where Bluebird exits with 2', async () => {
    const { stdout, stderr, status } = await run(`
      process.on('uncaughtException', (e, origin) => console.log('uncaught', e, origin));
      process.on('unhandledRejection', (e) => console.log('unhandled', e));
      P.reject('a').done();
      P.resolve().done(() => { throw 'b'; });
      P.reject().done(null, () => { throw 'c'; });
      P.resolve().done(() => P.reject('d'));
      new P((resolve, reject) => setTimeout(reject, 5, 'e')).done();
      P.reject('f').done(null, () => {});
      P.resolve().then(() => console.log('then'));
    `);
    assert.deepEqual(stdout.split('\n').sort().slice(1),
      ['then', ...'abcde'].map((x) => (x === 'then' ? x : `uncaught ${x} uncaughtException`)).sort(), stderr);
    assert.equal(status, 0);
  });

  it('which ends the process when nobody listens', async () => {
    const { status, stderr } = await run('P.reject(new Error("at the end")).done();');
    assert.equal(status, 1);
    assert.match(stderr, /Error: at the end/);
    assert.doesNotMatch(stderr, /unhandled|rejection/i);
  });

  it('of a subclass', async () => {
    let seen;
    Sub.resolve(1).done((v) => { seen = v; });
    await macro();
    assert.equal(seen, 1);
  });

  it('is a TypeError where there is no then', () => {
    for (const bad of [undefined, null, 1, {}]) assert.throws(() => P.prototype.done.call(bad), TypeError);
  });
});

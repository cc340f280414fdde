'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { Sub, later, macro, rejection, rejectionEvents } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

collectionTests('return and throw', (C) => {
  for (const name of ['return', 'thenReturn']) {
    it(`${name} replaces the value`, async () => {
      for (const x of [undefined, null, 0, 'x', { a: 1 }]) assert.equal(await C.resolve('old')[name](x), x);
      assert.equal(await later(C, 'fulfilled', 'old')[name]('new'), 'new');
      assert.equal(await C.resolve('old')[name](), undefined);
    });

    it(`${name} lets a rejection pass`, async () => {
      assert.equal(await rejection(C.reject(1)[name](2)), 1);
    });
  }

  it('a promise is waited for', async () => {
    assert.equal(await C.resolve().return(later(Native, 'fulfilled', 1)), 1);
    assert.equal(await rejection(C.resolve().return(later(C, 'rejected', 2))), 2);
  });

  it('a thenable is called when its turn comes', async () => {
    let calls = 0;
    const thenable = { then(f) { calls++; f('t'); } };
    const p = later(C, 'fulfilled').return(thenable);
    await null;
    assert.equal(calls, 0);
    assert.equal(await p, 't');
    assert.equal(calls, 1);
  });

  it('a function is a value', async () => {
    const f = () => assert.fail('called');
    assert.equal(await C.resolve(1).return(f), f);
    assert.equal(await rejection(C.resolve(1).throw(f)), f);
  });

  it('a promise that is rejected before its turn is not reported', async () => {
    const events = await rejectionEvents(async () => {
      const p = later(C, 'fulfilled').then(() => macro()).return(C.reject('known'));
      assert.equal(await rejection(p), 'known');
      assert.equal(await rejection(C.reject('first').return(C.reject('unused'))), 'first');
    });
    assert.deepEqual(events, []);
  });

  for (const name of ['throw', 'thenThrow']) {
    it(`${name} rejects in place of the value`, async () => {
      for (const x of [undefined, null, 0, new Error('e')]) assert.equal(await rejection(C.resolve('old')[name](x)), x);
      assert.equal(await rejection(later(C, 'fulfilled')[name](1)), 1);
      assert.equal(await rejection(C.reject('first')[name]('second')), 'first');
    });
  }
}, () => {
  it('of a subclass', async () => {
    assert.ok(Sub.resolve(1).return(2) instanceof Sub);
    const p = Sub.resolve(1).throw(2);
    assert.ok(p instanceof Sub);
    assert.equal(await rejection(p), 2);
  });

  it('a pending promise that is rejected later is not reported either', async () => {
    const events = await rejectionEvents(async () => {
      P.resolve().then(() => {}).return(later(P, 'rejected', 'used')).catch(() => {});
      P.reject('first').return(later(P, 'rejected', 'unused')).catch(() => {});
      for (let i = 0; i < 3; i++) await macro();
    });
    assert.deepEqual(events, []);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { later, rejection } = require('./helpers/util');
const { collectionTests, forms } = require('./helpers/collections');

function shared(C) {
  for (const { form, call } of forms(C, 'settle')) {
    it(`inspections of all, in input order: ${form}`, async () => {
      const [a, b, c] = await call([later(C, 'fulfilled', 1), later(C, 'rejected', 2), 3]);
      assert.ok(a.isFulfilled() && b.isRejected() && c.isFulfilled());
      assert.deepEqual([a.value(), b.reason(), c.value()], [1, 2, 3]);
      assert.deepEqual(await call([]), []);
    });
  }
}

collectionTests('settle', shared, () => {
  it('what is not iterable rejects', async () => {
    assert.ok((await rejection(P.settle(1))) instanceof TypeError);
  });
});

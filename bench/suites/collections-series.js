'use strict';

/** each and reduce with functions that give values. */
module.exports = {
  name: 'collections-series',
  title: 'one after another',
  styles: ['promises'],
  only: () => ['cpromise', 'bluebird'],
  cases: ['each', 'reduce'].map((method) => ({ n: 100_000, method, repetitions: 3, memoryRepetitions: 1 })),
  describe: ({ n, method }) => `${method}, ${n.toLocaleString('en-US')} items`,

  create({ Promise: P }, { n, method }) {
    const items = Array.from({ length: n }, (_, i) => i);
    const sum = (n * (n - 1)) / 2;
    const check = (complete) => (total) => complete(total === sum ? null : new Error('items are missing'));
    return {
      expected: 1,
      run(complete) {
        if (method === 'reduce') {
          P.reduce(items, (total, x) => total + x, 0).then(check(complete), complete);
          return;
        }
        let total = 0;
        P.each(items, (x) => { total += x; }).then(() => check(complete)(total), complete);
      },
    };
  },
};

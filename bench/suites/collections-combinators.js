'use strict';

/** The combinators over `queries` pending promises, from the call until the handler runs. */
const methods = ['all', 'allSettled', 'any', 'race'];

module.exports = {
  name: 'collections-combinators',
  title: 'over pending promises',
  styles: ['promises'],
  only: () => ['cpromise', 'bluebird', 'native'],
  cases: [
    ...methods.map((method) => ({ n: 10_000, queries: 25, method, repetitions: 3, memoryRepetitions: 1 })),
    ...methods.map((method) => ({ n: 1, queries: 100_000, method, repetitions: 3, memoryRepetitions: 1 })),
  ],
  describe: ({ n, queries, method }) => `${method}, ${n.toLocaleString('en-US')} × ${queries.toLocaleString('en-US')} promises`,

  create({ Promise: P }, { n, queries, method }) {
    const isList = method === 'all' || method === 'allSettled';
    let groups;
    let settlers;
    return {
      expected: n,
      prepare() {
        settlers = [];
        groups = Array.from({ length: n }, () => Array.from({ length: queries }, () => new P((resolve) => { settlers.push(resolve); })));
      },
      run(complete) {
        for (const promises of groups) {
          P[method](promises).then((value) => {
            const whole = isList ? value.length === queries : value === 7;
            complete(whole ? null : new Error('values are missing'));
          }, complete);
        }
        for (const settle of settlers) settle(7);
      },
    };
  },
};

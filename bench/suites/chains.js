'use strict';

const increment = (value) => value + 1;

/** Chains of `then` on pending promises, built first and settled afterwards. */
module.exports = {
  name: 'chains',
  title: 'chains on pending promises',
  styles: ['promises'],
  cases: [
    { n: 2_000, depth: 10, warmups: 10, iterations: 15 },
    { n: 2_000, depth: 100 },
  ],
  describe: ({ n, depth }) => `${n.toLocaleString('en-US')} chains of ${depth}`,
  unit: 'ns/link',
  operations: ({ n, depth }) => n * (depth + 1),

  create({ Promise: P }, { n, depth }) {
    return {
      expected: n,
      run(complete) {
        const settlers = [];
        const last = (value) =>
          complete(value === depth ? null : new Error(`got ${value}`));
        for (let i = 0; i < n; i += 1) {
          let promise = new P((resolve) => settlers.push(resolve));
          for (let link = 0; link < depth; link += 1) {
            promise = promise.then(increment);
          }
          promise.then(last, complete);
        }
        for (const settle of settlers) settle(0);
      },
    };
  },
};

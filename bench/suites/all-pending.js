'use strict';

/** `all` over pending promises: from its call until its handler runs. */
module.exports = {
  name: 'all-pending',
  title: 'all over pending promises',
  styles: ['promises'],
  cases: [{ n: 200_000 }, { n: 1_000_000, isLong: true, repetitions: 3, warmups: 2, iterations: 4 }],
  describe: ({ n }) => `${n.toLocaleString('en-US')} promises`,
  collects: true,

  create({ Promise: P }, { n }) {
    let promises;
    let settlers;
    return {
      expected: 1,
      prepare() {
        promises = new Array(n);
        settlers = new Array(n);
        for (let i = 0; i < n; i += 1) {
          promises[i] = new P((resolve) => {
            settlers[i] = resolve;
          });
        }
      },
      run(complete) {
        P.all(promises).then((values) => {
          const whole = values.length === n && values[n - 1] === n - 1;
          complete(whole ? null : new Error('values are missing'));
        }, complete);
        for (let i = 0; i < n; i += 1) settlers[i](i);
      },
    };
  },
};

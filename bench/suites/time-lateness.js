'use strict';

const { createRandom } = require('../workloads/random.js');

/**
 * How late delays come, with little else to do: a quantile of a thousand. None may
 * come early by more than the clock's own grain.
 */
const quantiles = { median: 0.5, '90 %': 0.9, '99 %': 0.99, latest: 1 };

const EARLY = 1; // ms: setTimeout counts from the beginning of a turn, in whole milliseconds

module.exports = {
  name: 'time-lateness',
  title: 'lateness of delays',
  styles: ['promises', 'time'],
  only: () => ['cpromise', 'bluebird', 'native', 'delay'],
  cases: Object.keys(quantiles).map((work) => ({ n: 1000, work, repetitions: 7, memoryRepetitions: 1, warmups: 1, iterations: 1 })),
  describe: ({ n, work }) => `${work} of ${n.toLocaleString('en-US')} of 1 to 300 ms`,
  unit: 'ms late',

  create(contender, { n, work }) {
    const delay = contender.delay ?? contender.Promise.delay;
    let late;
    return {
      expected: n,
      run(complete) {
        const random = createRandom(1);
        late = [];
        for (let i = 0; i < n; i += 1) {
          const ms = 1 + random(300);
          const begin = performance.now();
          delay(ms).then(() => {
            const lateness = performance.now() - begin - ms;
            late.push(lateness);
            complete(lateness < -EARLY ? new Error(`${-lateness} ms early`) : null);
          }, complete);
        }
      },
      elapsed() {
        late.sort((a, b) => a - b);
        return late[Math.ceil(quantiles[work] * n) - 1];
      },
    };
  },
};

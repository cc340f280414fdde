'use strict';

const BATCH = 1000;

/**
 * Timeouts that never come: each promise settles first. A thousand in each turn of
 * the event loop, so that one that leaves something behind is seen in the memory.
 */
module.exports = {
  name: 'time-timeouts',
  title: 'timeouts of 5 s that are beaten',
  styles: ['promises'],
  only: () => ['cpromise', 'bluebird'],
  cases: [{ n: 1_000_000, repetitions: 4, warmups: 2, warmupN: 200_000, iterations: 3 }],
  describe: ({ n }) => `${n.toLocaleString('en-US')} promises`,

  create({ Promise: P }, { n }) {
    return {
      expected: n,
      run(complete) {
        let begun = 0;
        const settlers = [];
        const executor = (resolve) => settlers.push(resolve);
        const done = (value) => complete(value === 1 ? null : new Error('another value'));
        function turn() {
          const end = Math.min(begun + BATCH, n);
          for (; begun < end; begun += 1) new P(executor).timeout(5000).then(done, complete);
          for (const settle of settlers) settle(1);
          settlers.length = 0;
          if (begun < n) setImmediate(turn);
        }
        turn();
      },
    };
  },
};

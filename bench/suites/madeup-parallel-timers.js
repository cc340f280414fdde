'use strict';

const { createTimerServices } = require('../workloads/services.js');
const request = require('../workloads/request.js');

/** The same requests over callback services that answer after 1 ms. */
module.exports = {
  name: 'madeup-parallel-timers',
  title: 'parallel, 1 ms timers',
  styles: ['callbacks', 'promises', 'async', 'coroutine', 'waterfall'],
  cases: [
    { n: 3_000, queries: 25, repetitions: 6, memoryRepetitions: 1, warmups: 3 },
    ...[10_000, 30_000].map((n) => ({
      n,
      queries: 25,
      isLong: true,
      repetitions: 3,
      memoryRepetitions: 1,
      warmupN: 3_000,
      iterations: 2,
    })),
  ],
  describe: ({ n, queries }) =>
    `${n.toLocaleString('en-US')} requests of ${queries} queries`,
  hasFloor: true,

  create(contender, { n, queries }) {
    const services = createTimerServices(contender);
    const handle = request(contender);
    return {
      expected: n,
      run(complete) {
        for (let i = 0; i < n; i += 1) {
          handle(services, queries, complete);
        }
      },
    };
  },
};

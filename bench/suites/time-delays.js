'use strict';

const { createRandom } = require('../workloads/random.js');

/**
 * Many delays at once, all of the same length or of random ones. The time that
 * they take is given, so what counts is that of the processor.
 */
const lengths = {
  same: () => () => 100,
  random() {
    const random = createRandom(1);
    return () => 1 + random(1000);
  },
};

module.exports = {
  name: 'time-delays',
  title: 'delays under way at once',
  styles: ['promises', 'time'],
  only: () => ['cpromise', 'bluebird', 'native', 'delay'],
  cases: ['same', 'random'].map((work) => ({ n: 100_000, work, memoryRepetitions: 2, warmups: 2, iterations: 3 })),
  describe: ({ n, work }) => `${n.toLocaleString('en-US')} of ${work === 'same' ? '100' : '1 to 1,000'} ms`,
  unit: 'ms of CPU',

  create(contender, { n, work }) {
    const delay = contender.delay ?? contender.Promise.delay;
    let start;
    return {
      expected: n,
      run(complete) {
        const length = lengths[work]();
        start = process.cpuUsage();
        for (let i = 0; i < n; i += 1) {
          delay(length(), i).then((value) => complete(value === i ? null : new Error('another value')), complete);
        }
      },
      elapsed() {
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      },
    };
  },
};

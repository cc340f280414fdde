'use strict';

const { createTimerServices } = require('../workloads/services.js');
const upload = require('../workloads/upload.js');

/** The same uploads over callback services that answer after 1 ms. */
module.exports = {
  name: 'doxbee-sequential-timers',
  title: 'sequential, 1 ms timers',
  styles: ['callbacks', 'promises', 'async', 'coroutine', 'waterfall'],
  cases: [
    {
      n: 10_000,
      repetitions: 6,
      memoryRepetitions: 1,
      warmups: 2,
    },
    {
      n: 100_000,
      isLong: true,
      repetitions: 3,
      memoryRepetitions: 1,
      warmupN: 10_000,
      iterations: 2,
    },
  ],
  describe: ({ n }) => `${n.toLocaleString('en-US')} uploads`,
  hasFloor: true,

  create(contender, { n }) {
    const services = createTimerServices(contender);
    const uploadOne = upload(contender);
    return {
      expected: n,
      run(complete) {
        for (let i = 0; i < n; i += 1) {
          uploadOne(services, i, 'folder/file', complete);
        }
      },
    };
  },
};

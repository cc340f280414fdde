'use strict';

const { createImmediateServices } = require('../workloads/services.js');
const upload = require('../workloads/upload.js');

/** Concurrent uploads, each a chain of dependent steps that answer at once. */
module.exports = {
  name: 'doxbee-sequential',
  title: 'sequential, immediate',
  styles: ['promises', 'async', 'coroutine'],
  cases: [{ n: 10_000, repetitions: 8 }],
  describe: ({ n }) => `${n.toLocaleString('en-US')} uploads`,
  countsPromises: true,

  create(contender, { n }) {
    const services = createImmediateServices(contender.Promise);
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

'use strict';

const { createImmediateServices } = require('../workloads/services.js');
const request = require('../workloads/request.js');

/** Requests that wait for 25 queries at once, all answered immediately. */
module.exports = {
  name: 'madeup-parallel',
  title: 'parallel, immediate',
  styles: ['promises', 'async', 'coroutine'],
  cases: [{ n: 10_000, queries: 25, repetitions: 8, warmups: 3, iterations: 5 }],
  describe: ({ n, queries }) =>
    `${n.toLocaleString('en-US')} requests of ${queries} queries`,
  countsPromises: true,

  create(contender, { n, queries }) {
    const services = createImmediateServices(contender.Promise);
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

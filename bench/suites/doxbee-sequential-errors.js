'use strict';

const { createFailingServices, failsAt } = require('../workloads/failing-services.js');
const upload = require('../workloads/upload.js');

/** The uploads when one step in ten rejects: the error passes down the rest of the chain. */
module.exports = {
  name: 'doxbee-sequential-errors',
  title: 'sequential, immediate, 10 % of the steps reject',
  styles: ['promises', 'async', 'coroutine'],
  cases: [{ n: 10_000, repetitions: 8 }],
  describe: ({ n }) => `${n.toLocaleString('en-US')} uploads`,

  create(contender, { n }) {
    const services = createFailingServices(contender.Promise);
    const uploadOne = upload(contender);
    const wanted = Array.from({ length: n }, (_, stream) => failsAt(stream));
    function check(stream, error) {
      const step = error ? error.step : null;
      if (step === undefined) return error;
      return step === wanted[stream] ? null : new Error(`upload ${stream} ended at step ${step} instead of ${wanted[stream]}`);
    }
    return {
      expected: n,
      prepare: services.restart,
      run(complete) {
        for (let i = 0; i < n; i += 1) {
          uploadOne(services, i, i, (error) => complete(check(i, error)));
        }
      },
    };
  },
};

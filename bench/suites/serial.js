'use strict';

/** One promise, one settlement, one handler; then the next: no batching. */
module.exports = {
  name: 'serial',
  title: 'one step at a time',
  styles: ['promises'],
  cases: [{ n: 20_000 }],
  describe: ({ n }) => `${n.toLocaleString('en-US')} steps`,
  unit: 'ns/step',
  operations: ({ n }) => n,

  create({ Promise: P }, { n }) {
    return {
      expected: n,
      run(complete) {
        let left = n;
        function step() {
          let settle;
          new P((resolve) => {
            settle = resolve;
          }).then(next, complete);
          queueMicrotask(settle);
        }
        function next() {
          left -= 1;
          if (left > 0) step();
          complete(null);
        }
        step();
      },
    };
  },
};

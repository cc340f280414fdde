'use strict';

/** Tasks that answer at once, ten at a time: what keeping them apart costs. */
const works = {
  limit: {
    contenders: ['cpromise', 'p-limit'],
    create(contender) {
      const limit = (contender.limit ?? contender.Promise.limit)(10);
      return (task) => limit(task);
    },
  },
  queue: {
    contenders: ['cpromise', 'p-queue'],
    create(contender) {
      const queue = (contender.queue ?? contender.Promise.queue)({ concurrency: 10 });
      return (task) => queue.add(task);
    },
  },
};

module.exports = {
  name: 'time-limits',
  title: 'tasks, ten at a time',
  styles: ['promises', 'time'],
  only: ({ work }) => works[work].contenders,
  cases: [
    { work: 'limit', n: 1_000_000, repetitions: 3, warmups: 2, warmupN: 50_000, iterations: 2 },
    { work: 'queue', n: 200_000, repetitions: 3, warmups: 2, warmupN: 50_000, iterations: 2 },
  ],
  describe: ({ work, n }) => `${work}, ${n.toLocaleString('en-US')} tasks`,

  create(contender, { work, n }) {
    const add = works[work].create(contender);
    const task = () => 1;
    return {
      expected: n,
      run(complete) {
        const done = (value) => complete(value === 1 ? null : new Error('another value'));
        for (let i = 0; i < n; i += 1) add(task).then(done, complete);
      },
    };
  },
};

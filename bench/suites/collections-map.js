'use strict';

/**
 * map with a limit. What the mapper gives: a value (`value`), a settled promise of
 * the contender (`settled`), or a promise that setImmediate or a 1 ms timer
 * settles.
 */
const limits = [1, 10, 100, Infinity];

const small = { n: 10_000, repetitions: 3, memoryRepetitions: 1, warmups: 15, iterations: 15 };
const large = { n: 1_000_000, repetitions: 3, memoryRepetitions: 1, warmups: 1, iterations: 2 };
const slow = { n: 10_000, repetitions: 3, memoryRepetitions: 1 };

const results = {
  value: () => (x) => x + 1,
  settled: (P) => (x) => P.resolve(x + 1),
  immediate: (P) => (x) => new P((resolve) => { setImmediate(resolve, x + 1); }),
  timer: (P) => (x) => new P((resolve) => { setTimeout(resolve, 1, x + 1); }),
};

module.exports = {
  name: 'collections-map',
  title: 'map',
  styles: ['promises', 'collections'],
  only: () => ['cpromise', 'bluebird', 'p-map'],
  cases: [
    ...limits.map((concurrency) => ({ ...small, work: 'value', concurrency })),
    ...limits.map((concurrency) => ({ ...small, work: 'settled', concurrency })),
    ...limits.map((concurrency) => ({ ...large, work: 'value', concurrency })),
    ...limits.map((concurrency) => ({ ...slow, work: 'immediate', concurrency })),
    ...[100, Infinity].map((concurrency) => ({ ...slow, work: 'timer', concurrency })),
  ],
  describe: ({ n, work, concurrency }) => `${n.toLocaleString('en-US')} items, ${work}, concurrency ${concurrency}`,

  create(contender, { n, work, concurrency: given }) {
    const { Promise: P } = contender;
    const map = contender.map ?? P.map;
    const items = Array.from({ length: n }, (_, i) => i);
    const mapper = results[work](P);
    const concurrency = Number(given);
    return {
      expected: 1,
      run(complete) {
        map.call(P, items, mapper, { concurrency }).then((values) => {
          const whole = values.length === n && values[0] === 1 && values[n - 1] === n;
          complete(whole ? null : new Error('results are missing'));
        }, complete);
      },
    };
  },
};

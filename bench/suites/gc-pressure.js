'use strict';

const sequential = require('./doxbee-sequential.js');

/** What countPromises finds in one upload. */
const PROMISES = 17;

/** The uploads in two sizes: what grows with their number, and what is a start-up cost. */
module.exports = {
  ...sequential,
  name: 'gc-pressure',
  title: 'sequential, immediate, two sizes',
  cases: [50_000, 100_000].map((n) => ({ n, repetitions: 5, memoryRepetitions: 2, warmups: 1, warmupN: 10_000, iterations: 1 })),
  countsPromises: false,
  growth: { unit: 'promise', count: ({ n }) => n * PROMISES },
};

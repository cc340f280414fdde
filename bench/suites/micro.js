'use strict';

const { performance } = require('node:perf_hooks');

/** One operation at a time, on promises that are settled. */
const works = {
  /** The constructor, with an executor that resolves at once. */
  new: ({ Promise: P }, n) => (complete) => {
    let last;
    for (let i = 0; i < n; i += 1) last = new P((resolve) => resolve(i));
    last.then((value) => complete(wrong(value, n - 1)), complete);
  },

  resolve: ({ Promise: P }, n) => (complete) => {
    let last;
    for (let i = 0; i < n; i += 1) last = P.resolve(i);
    last.then((value) => complete(wrong(value, n - 1)), complete);
  },

  /** Handlers on one settled promise. */
  then: ({ Promise: P }, n) => (complete) => {
    const promise = P.resolve(1);
    let called = 0;
    const count = () => {
      called += 1;
      if (called === n) complete(null);
    };
    for (let i = 0; i < n; i += 1) promise.then(count, complete);
  },

  /** Handlers each on the promise of the one before. */
  chain: ({ Promise: P }, n) => (complete) => {
    const increment = (value) => value + 1;
    let promise = P.resolve(0);
    for (let i = 0; i < n; i += 1) promise = promise.then(increment);
    promise.then((value) => complete(wrong(value, n)), complete);
  },

  all: ({ Promise: P }, n) => (complete) => combine(P, 'all', n, (values) => values[INPUTS - 1], complete),
  race: ({ Promise: P }, n) => (complete) => combine(P, 'race', n, (value) => value + INPUTS - 1, complete),
};

const INPUTS = 10;

function wrong(value, wanted) {
  return value === wanted ? null : new Error(`got ${value} instead of ${wanted}`);
}

function combine(P, method, n, last, complete) {
  let left = n;
  const check = (value) => {
    const error = wrong(last(value), INPUTS - 1);
    left -= 1;
    if (error || left === 0) complete(error);
  };
  for (let i = 0; i < n; i += 1) {
    const inputs = new Array(INPUTS);
    for (let k = 0; k < INPUTS; k += 1) inputs[k] = P.resolve(k);
    P[method](inputs).then(check, complete);
  }
}

/** From the call that settles a promise to its handler; one in each turn of the event loop. */
function createLatency({ Promise: P }, n) {
  let total = 0;
  return {
    expected: 1,
    elapsed: () => total,
    run(complete) {
      let left = n;
      total = 0;
      function step() {
        let settle;
        let start = 0;
        new P((resolve) => {
          settle = resolve;
        }).then(() => {
          total += performance.now() - start;
          left -= 1;
          if (left > 0) setImmediate(step);
          else complete(null);
        }, complete);
        start = performance.now();
        settle(1);
      }
      setImmediate(step);
    },
  };
}

module.exports = {
  name: 'micro',
  title: 'one operation',
  styles: ['promises'],
  cases: [
    { work: 'new', n: 200_000 },
    { work: 'resolve', n: 200_000 },
    { work: 'then', n: 100_000 },
    { work: 'chain', n: 100_000 },
    { work: 'all', n: 10_000 },
    { work: 'race', n: 10_000 },
    { work: 'latency', n: 5_000 },
  ].map((parameters) => ({ ...parameters, warmups: 3, memoryRepetitions: 1 })),
  describe({ n, work }) {
    const inputs = work === 'all' || work === 'race' ? ` of ${INPUTS} settled promises` : '';
    return `${work}${inputs}, ${n.toLocaleString('en-US')} times`;
  },
  unit: 'ns/operation',
  operations: ({ n }) => n,
  lacks: ({ Promise: P }, { work }) => (work === 'race' && !P.race ? 'has no race' : undefined),

  create(contender, { n, work }) {
    if (work === 'latency') return createLatency(contender, n);
    return { expected: 1, run: works[work](contender, n) };
  },
};

'use strict';

const util = require('node:util');

/** Between callbacks, generators and promises: each call answers at once. */
const works = {
  promisify: {
    contenders: ['cpromise', 'bluebird', 'native'],
    create(contender) {
      const lifted = contender.promisify((value, callback) => callback(null, value));
      return (complete) => lifted(1).then(() => complete(null), complete);
    },
  },
  fromCallback: {
    contenders: ['cpromise', 'bluebird'],
    create: ({ Promise: P }) => (complete) => P.fromCallback((callback) => callback(null, 1)).then(() => complete(null), complete),
  },
  asCallback: {
    contenders: ['cpromise', 'bluebird', 'native'],
    create({ Promise: P }) {
      if (P.prototype.asCallback) return (complete) => P.resolve(1).asCallback(complete);
      const lowered = util.callbackify(() => P.resolve(1));
      return (complete) => lowered(complete);
    },
  },
  coroutine: {
    contenders: ['cpromise', 'bluebird', 'native'],
    create({ Promise: P }) {
      const STEPS = 10;
      const run = P.coroutine
        ? P.coroutine(function* () {
          for (let i = 0; i < STEPS; i += 1) yield P.resolve(i);
        })
        : async () => {
          for (let i = 0; i < STEPS; i += 1) await P.resolve(i);
        };
      return (complete) => run().then(() => complete(null), complete);
    },
  },
};

module.exports = {
  name: 'callbacks',
  title: 'callbacks and coroutines',
  styles: ['promises'],
  only: ({ work }) => works[work].contenders,
  cases: [
    { work: 'promisify', n: 100_000, repetitions: 3, memoryRepetitions: 1 },
    { work: 'fromCallback', n: 100_000, repetitions: 3, memoryRepetitions: 1 },
    { work: 'asCallback', n: 100_000, repetitions: 3, memoryRepetitions: 1 },
    { work: 'coroutine', n: 10_000, repetitions: 3, memoryRepetitions: 1 },
  ],
  describe: ({ work, n }) => `${work}, ${n.toLocaleString('en-US')} calls`,

  create(contender, { work, n }) {
    const call = works[work].create(contender);
    return {
      expected: n,
      run(complete) {
        for (let i = 0; i < n; i += 1) call(complete);
      },
    };
  },
};

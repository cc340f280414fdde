'use strict';

/**
 * Fibonacci numbers by recursion, each call waiting for two others; the leaves
 * are answered by the contender's `resolve`.
 */
const styles = {
  promises: ({ Promise: P }) => function fibonacci(index) {
    if (index < 2) return P.resolve(index);
    return fibonacci(index - 1).then((a) => fibonacci(index - 2).then((b) => a + b));
  },

  async: ({ Promise: P }) => async function fibonacci(index) {
    if (index < 2) return await P.resolve(index);
    return (await fibonacci(index - 1)) + (await fibonacci(index - 2));
  },

  coroutine({ Promise: P, coroutine }) {
    const fibonacci = coroutine(function* (index) {
      if (index < 2) return yield P.resolve(index);
      return (yield fibonacci(index - 1)) + (yield fibonacci(index - 2));
    });
    return fibonacci;
  },
};

/** @returns {[number, number]} the number and how many calls the recursion makes for it */
function expectation(index) {
  if (index < 2) return [index, 1];
  const [a, callsOfA] = expectation(index - 1);
  const [b, callsOfB] = expectation(index - 2);
  return [a + b, callsOfA + callsOfB + 1];
}

module.exports = {
  name: 'fibonacci',
  title: 'fibonacci',
  styles: Object.keys(styles),
  cases: [{ n: 5, depth: 15 }],
  describe: ({ n, depth }) => `${n.toLocaleString('en-US')} times number ${depth}`,
  unit: 'ns/call',
  operations: ({ n, depth }) => n * expectation(depth)[1],

  create(contender, { n, depth }) {
    const fibonacci = styles[contender.style](contender);
    const [wanted] = expectation(depth);
    const check = (complete) => (value) => complete(value === wanted ? null : new Error(`got ${value}`));
    return {
      expected: n,
      run(complete) {
        const last = check(complete);
        for (let i = 0; i < n; i += 1) fibonacci(depth).then(last, complete);
      },
    };
  },
};

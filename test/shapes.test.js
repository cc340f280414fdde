'use strict';

const assert = require('node:assert/strict');
const { run } = require('./helpers/child');

/**
 * Rounds of work with nothing left between them. V8 forgets what it knows of objects
 * that no full garbage collection finds any more, and with it the code made for them.
 */
const CODE = `
  const increment = (value) => value + 1;
  const first = ([value]) => value;
  const ofKey = (values) => values.get('key');
  const INPUT = new Map([['key', P.resolve(1)]]);
  const WORK = {
    chains: () => P.resolve(1).then(increment).then(increment),
    executors: () => new P(executor).then(increment),
    all: () => P.all([P.resolve(1), P.resolve(2)]).then(first),
    props: () => P.props(INPUT).then(ofKey),
    map: () => P.map([1, 2], increment).then(first),
    each: () => P.each([1, 2], increment).then(first),
    reduce: () => P.reduce([1, 2], sum),
    coroutines: () => coroutine(1),
  };
  function executor(resolve) { resolve(1); }
  function sum(a, b) { return a + b; }
  const coroutine = P.coroutine(function* (value) { return (yield P.resolve(value)) + 1; });
  (async () => {
    for (let round = 0; round < 8; round++) {
      for (let i = 0; i < 3000; i++) WORK[work]();
      await new Promise((resolve) => setImmediate(resolve));
      for (let i = 0; i < 3; i++) gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
    console.log('done');
  })();`;

/** Functions of the hot path whose code depends on nothing but the library's own objects. */
const HOT = new Set([
  'attach', 'react', 'settle', 'create', 'createOpen', 'resolvePromise', 'follow', 'followPending', 'fulfilled', 'promiseOf', 'isPlainPromise',
  'CPromise', 'Settled', 'Combination', 'link', 'combineInto', 'combinePlain', 'complete', 'unwrap', 'takePinned', 'log', 'logReady',
  'CopyCombination', 'Mapping', 'MapWork', 'EachWork', 'ReduceWork', 'ArraySource', 'advance', 'proceedAfter', 'Coroutine',
]);

describe('code that has been optimized', () => {
  for (const work of ['chains', 'executors', 'all', 'props', 'map', 'each', 'reduce', 'coroutines']) {
    it(`stays so when the garbage collector finds none of our objects: ${work}`, async () => {
      const r = await run(CODE, { flags: ['--expose-gc', '--trace-deopt'], before: `const work = '${work}';` });
      assert.match(r.stdout, /^done$/m, r.stderr);
      const lost = r.stdout.split('\n').filter((line) => /reason: weak objects/.test(line))
        .map((line) => /<SharedFunctionInfo (\w+)>/.exec(line)?.[1]);
      assert.deepEqual(lost.filter((name) => HOT.has(name)), []);
    });
  }
});

'use strict';

/** props over objects of `queries` keys, whose promises are settled or pending. */
const few = { n: 100_000, queries: 3, repetitions: 3, memoryRepetitions: 1 };
const many = { n: 300, queries: 1_000, repetitions: 3, memoryRepetitions: 1 };

module.exports = {
  name: 'collections-props',
  title: 'props',
  styles: ['promises'],
  only: () => ['cpromise', 'bluebird'],
  cases: [few, many].flatMap((shape) => ['settled', 'pending'].map((work) => ({ ...shape, work }))),
  describe: ({ n, queries, work }) => `${n.toLocaleString('en-US')} objects of ${queries.toLocaleString('en-US')} keys, ${work}`,

  create({ Promise: P }, { n, queries, work }) {
    let objects;
    let settlers;
    return {
      expected: n,
      prepare() {
        settlers = [];
        objects = Array.from({ length: n }, () => {
          const object = {};
          for (let k = 0; k < queries; k += 1) {
            object[`key${k}`] = work === 'settled' ? P.resolve(k) : new P((resolve) => { settlers.push(resolve); });
          }
          return object;
        });
      },
      run(complete) {
        const last = `key${queries - 1}`;
        for (const object of objects) {
          P.props(object).then((values) => complete(last in values ? null : new Error('a key is missing')), complete);
        }
        for (const settle of settlers) settle(1);
      },
    };
  },
};

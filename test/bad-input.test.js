'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');
const { P, Native } = require('./helpers/subject');
const { macro } = require('./helpers/util');

const ODD = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  0: () => 0,
  '-0': () => -0,
  NaN: () => NaN,
  '2^53': () => 2 ** 53,
  '-1': () => -1,
  bigint: () => 2n ** 64n,
  'empty string': () => '',
  string: () => 'text',
  symbol: () => Symbol('s'),
  object: () => ({}),
  'object without prototype': () => Object.create(null),
  array: () => [],
  'array-like': () => ({ length: 2, 0: 1 }),
  'array of oddities': () => [undefined, null, 0, Symbol('s'), {}, () => {}],
  function: () => () => {},
  class: () => class {},
  regexp: () => /x/,
  date: () => new Date(0),
  proxy: () => new Proxy({}, {}),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'throwing proxy': () => new Proxy(() => {}, { get() { throw new RangeError('proxy'); } }),
  'throwing then': () => ({ get then() { throw new RangeError('then'); } }),
  'typed array': () => new Float64Array(3),
  'detached buffer': () => {
    const b = new ArrayBuffer(8);
    structuredClone(b, { transfer: [b] });
    return b;
  },
  'false promise': (C) => Object.create(C.prototype),
  prototype: (C) => C.prototype,
  'the class': (C) => C,
  'a promise': (C) => C.resolve('p'),
  'global object': () => globalThis,
};

const STATICS = ['resolve', 'reject', 'all', 'allSettled', 'any', 'race', 'withResolvers', 'try'];
const COMBINATORS = ['all', 'allSettled', 'any', 'race'];
const METHODS = ['then', 'catch', 'finally'];

/** What a call came to: thrown, or the state of the promise it gave; errors by their class. */
async function result(C, call) {
  const kind = (e) => (util.types.isNativeError(e) ? e.constructor.name : typeof e);
  let p;
  try {
    p = call();
  } catch (e) {
    return `throws ${kind(e)}`;
  }
  if (p === null || typeof p !== 'object') return typeof p;
  if (p.promise instanceof C) return 'resolvers';
  if (!(p instanceof C)) return 'object';
  let state = 'pending';
  try {
    C.prototype.then.call(p, (v) => { state = `value ${typeof v}`; },
      (e) => { state = `rejected ${kind(e)}`; });
  } catch (e) {
    return `no promise: ${kind(e)}`;
  }
  await macro();
  return state;
}

async function sameResult(title, call) {
  const theirs = await result(Native, () => call(Native));
  assert.equal(await result(P, () => call(P)), theirs, title);
}

describe('bad input', () => {
  for (const name of STATICS) {
    const there = typeof P[name] === 'function' && typeof Native[name] === 'function';
    (there ? it : it.skip)(`${name}: any argument ends as with native promises`, async () => {
      for (const [odd, make] of Object.entries(ODD)) {
        // Our combinators wait for a promise of the input: see differences.test.js.
        if (odd === 'a promise' && COMBINATORS.includes(name)) continue;
        await sameResult(`${name}(${odd})`, (C) => C[name](make(C)));
        await sameResult(`${name}(${odd}, ${odd})`, (C) => C[name](make(C), make(C)));
      }
      await sameResult(`${name}()`, (C) => C[name]());
    });

    (there ? it : it.skip)(`${name}: any receiver ends as with native promises`, async () => {
      for (const [odd, make] of Object.entries(ODD)) {
        // Without a receiver ours work on P.
        if (odd === 'undefined' || odd === 'null') continue;
        await sameResult(`${name} on ${odd}`, (C) => C[name].call(make(C), []));
      }
    });
  }

  for (const name of METHODS) {
    it(`${name}: any argument ends as with native promises`, async () => {
      for (const [odd, make] of Object.entries(ODD)) {
        // A second argument of our catch makes the first a filter: see catch-filters.test.js.
        const args = name === 'catch' ? (C) => [make(C)] : (C) => [make(C), make(C)];
        for (const how of ['resolve', 'reject']) {
          await sameResult(`${how}().${name}(${odd})`, (C) => C[how](1)[name](...args(C)));
        }
        await sameResult(`pending.${name}(${odd})`, (C) => new C(() => {})[name](make(C)));
      }
    });

    it(`${name}: any receiver ends as with native promises`, async () => {
      for (const [odd, make] of Object.entries(ODD)) {
        await sameResult(`${name} on ${odd}`, (C) => C.prototype[name].call(make(C), () => {}));
      }
    });
  }

  it('the constructor', async () => {
    for (const [odd, make] of Object.entries(ODD)) {
      await sameResult(`new(${odd})`, (C) => new C(make(C)));
      await sameResult(`call(${odd})`, (C) => C.call(make(C), () => {}));
      await sameResult(`construct by ${odd}`, (C) => Reflect.construct(C, [() => {}], make(C)));
    }
  });

  it('what resolvers, handlers and thenables are given', async () => {
    for (const [odd, make] of Object.entries(ODD)) {
      await sameResult(`resolve ${odd}`, (C) => new C((f) => f(make(C))));
      await sameResult(`reject ${odd}`, (C) => new C((f, r) => r(make(C))));
      await sameResult(`throw ${odd}`, (C) => new C(() => { throw make(C); }));
      await sameResult(`return ${odd}`, (C) => C.resolve().then(() => make(C)));
      await sameResult(`throw in handler ${odd}`, (C) => C.resolve().then(() => { throw make(C); }));
      await sameResult(`finally returns ${odd}`, (C) => C.resolve().finally(() => make(C)));
      await sameResult(`then is ${odd}`, (C) => C.resolve({ then: make(C) }));
      await sameResult(`thenable gives ${odd}`, (C) => C.resolve({ then(f) { f(make(C)); } }));
      await sameResult(`input ${odd}`, (C) => C.all([make(C)]));
      await sameResult(`input ${odd}`, (C) => C.allSettled([make(C), make(C)]));
      await sameResult(`input ${odd}`, (C) => C.any([make(C)]));
      await sameResult(`input ${odd}`, (C) => C.race([make(C)]));
    }
  });

  it('constructor and species of a promise', async () => {
    for (const [odd, make] of Object.entries(ODD)) {
      for (const name of METHODS) {
        await sameResult(`constructor ${odd}`, (C) => {
          const p = C.resolve(1);
          p.constructor = make(C);
          return p[name](() => {});
        });
        await sameResult(`species ${odd}`, (C) => {
          const p = C.resolve(1);
          p.constructor = { [Symbol.species]: make(C) };
          return p[name](() => {});
        });
      }
      await sameResult(`resolve with constructor ${odd}`, (C) => {
        const p = C.resolve(1);
        p.constructor = make(C);
        return C.resolve(p);
      });
    }
  });

  it('every public function survives every argument', async () => {
    const skipped = new Set([
      'constructor', 'length', 'name', 'prototype',
      'setScheduler', 'longStackTraces', 'onPossiblyUnhandledRejection', 'onUnhandledRejectionHandled', // are there for good
      'asCallback', 'nodeify', 'done', // what is wrong with a callback is an uncaught exception
      'promisifyAll', // changes what it is given, such as the class
    ]);
    const values = Object.values(ODD);
    for (const owner of [P, P.prototype]) {
      for (const name of Object.getOwnPropertyNames(owner)) {
        if (skipped.has(name) || typeof owner[name] !== 'function') continue;
        for (const a of values) {
          // That would keep the process for 285,000 years.
          if ((name === 'delay' || name === 'timeout') && a(P) === 2 ** 53) continue;
          // That would be called again and again, and keep the process too.
          if ((name === 'retry' || name === 'waitFor') && typeof a(P) === 'function') continue;
          for (const receiver of owner === P ? [P] : [P.resolve(1), new P(() => {}), a(P)]) {
            try {
              const r = owner[name].call(receiver, a(P), a(P));
              if (r instanceof P) P.prototype.then.call(r, null, () => {});
            } catch (e) {
              assert.ok(e instanceof Error, `${name} throws ${String(e)}`);
            }
          }
        }
      }
    }
    await macro();
    assert.equal(await P.resolve(1).then((x) => x + 1), 2);
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { macro, outcome } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { configured: configure, diagnosticTests, warnings } = require('./helpers/diagnostics');

// Bluebird finds forgotten returns only while long stack traces are on.
const ON = { warnings: true, longStackTraces: true };

const FORGOTTEN = /^a promise was created in a handler (at \S+:\d+:\d+ )?but was not returned from it, see http/;
const NON_ERROR = 'a promise was rejected with a non-error: ';
const NO_FUNCTIONS = '.then() only accepts functions but was passed: ';

const ignore = () => {};

function shared(configured) {
  /** The messages of the warnings during body(C). */
  const messages = async (body, options = ON) => {
    const list = await warnings(() => configured(options, async (C) => {
      await body(C);
      for (let i = 0; i < 4; i++) await macro();
    }));
    return list.map((warning) => warning.message);
  };
  const silent = async (body, options) => assert.deepEqual(await messages(body, options), []);
  const warnsOnce = async (body, expected) => {
    const found = await messages(body);
    assert.equal(found.length, 1, found.join('\n'));
    if (typeof expected === 'string') assert.equal(found[0], expected);
    else assert.match(found[0], expected);
  };

  it('are errors with the name Warning, which the process emits', async () => {
    const [warning, ...others] = await warnings(() => configured(ON, (C) => outcome(C.reject('text'))));
    assert.equal(others.length, 0);
    assert.ok(warning instanceof Error);
    assert.equal(warning.name, 'Warning');
    assert.equal(warning.message, `${NON_ERROR}[object String]`);
    assert.match(warning.stack, /^Warning: a promise was rejected with a non-error: \[object String\]\n {4}at .*warnings\.test\.js/);
  });

  describe('a promise that is created in a handler and not returned', () => {
    const waited = (promise) => promise.then(ignore);

    it('by any way to make one', async () => {
      await warnsOnce((C) => waited(C.resolve().then(() => { C.resolve(1); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve().then(() => { C.reject(new Error('r')).catch(ignore); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve().then(() => { new C(ignore); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve(C.resolve()).then(() => { C.all([]); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve().then(() => { C.map([1], ignore); })), FORGOTTEN);
      await warnsOnce((C) => {
        const other = C.resolve();
        return waited(C.resolve().then(() => { other.then(ignore); }));
      }, FORGOTTEN);
    });

    it('in any kind of handler', async () => {
      await warnsOnce((C) => waited(C.reject(new Error('r')).then(ignore, () => { C.resolve(1); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.reject(new Error('r')).catch(() => { C.resolve(1); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve().finally(() => { C.resolve(1); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve().tap(() => { C.resolve(1); })), FORGOTTEN);
      await warnsOnce((C) => waited(C.resolve([]).spread(() => { C.resolve(1); })), FORGOTTEN);
    });

    it('in the function of a collection, which is named', async () => {
      for (const method of ['map', 'filter', 'each', 'reduce']) {
        const expected = new RegExp(`^a promise was created in a Promise\\.${method} handler at `);
        await warnsOnce((C) => waited(C[method]([1, 2].slice(method === 'reduce' ? 0 : 1), () => { C.resolve(1); })), expected);
      }
    });

    it('once, for the first one', async () => {
      await warnsOnce((C) => waited(C.resolve().then(() => {
        C.resolve(1).then(ignore);
        C.resolve(2);
      })), FORGOTTEN);
    });

    it('not when the handler returns something: a value, null, the promise', async () => {
      await silent((C) => waited(C.resolve().then(() => C.resolve(1))));
      for (const value of [null, 0, false, 'text']) {
        await silent((C) => waited(C.resolve().then(() => {
          C.resolve(1);
          return value;
        })));
        await silent((C) => waited(C.resolve().finally(() => {
          C.resolve(1);
          return value;
        })));
        await silent((C) => waited(C.resolve().tap(() => {
          C.resolve(1);
          return value;
        })));
      }
    });

    it('not when it throws, nor when nobody waits for its result', async () => {
      await silent((C) => C.resolve().then(() => {
        C.resolve(1);
        throw new Error('thrown');
      }).catch(ignore));
      await silent((C) => { C.resolve().then(() => { C.resolve(1); }); });
    });

    it('not when the promise is made later, or by an executor', async () => {
      await silent((C) => waited(C.resolve().then(() => { setImmediate(() => C.resolve(1)); })));
      await silent((C) => waited(C.resolve().then(() => { process.nextTick(() => C.resolve(1)); })));
      await silent((C) => waited(new C((resolve) => {
        C.resolve(1);
        resolve();
      })));
    });

    it('not when this kind is turned off', async () => {
      const options = { longStackTraces: true, warnings: { wForgottenReturn: false } };
      await silent((C) => waited(C.resolve().then(() => { C.resolve(1); })), options);
      assert.deepEqual(await messages((C) => outcome(C.reject(1)), options), [`${NON_ERROR}[object Number]`]);
    });
  });

  describe('a rejection with something that is no error', () => {
    it('by reject, an executor, a handler', async () => {
      for (const [reason, tag] of [['text', 'String'], [null, 'Null'], [{}, 'Object'], [[], 'Array']]) {
        const expected = `${NON_ERROR}[object ${tag}]`;
        await warnsOnce((C) => outcome(C.reject(reason)), expected);
        await warnsOnce((C) => outcome(new C((resolve, reject) => reject(reason))), expected);
        await warnsOnce((C) => outcome(new C((resolve, reject) => setImmediate(reject, reason))), expected);
        await warnsOnce((C) => outcome(new C(() => { throw reason; })), expected);
        await warnsOnce((C) => outcome(C.resolve().then(() => { throw reason; })), expected);
      }
    });

    it('once, not for each promise that it passes', async () => {
      await warnsOnce((C) => outcome(C.reject('r').then(ignore).then(ignore).catch(TypeError, ignore)), /non-error/);
    });

    it('not for errors of any kind', async () => {
      for (const error of [new Error('e'), new TypeError('t'), new (class Own extends Error {})()]) {
        await silent((C) => outcome(C.reject(error)));
        await silent((C) => outcome(C.resolve().then(() => { throw error; })));
      }
    });
  });

  describe('then without a function', () => {
    it('names what it was given', async () => {
      await warnsOnce((C) => C.resolve().then(1), `${NO_FUNCTIONS}[object Number]`);
      await warnsOnce((C) => C.resolve().then(undefined), `${NO_FUNCTIONS}[object Undefined]`);
      await warnsOnce((C) => C.resolve().then(C.resolve(), null), /^\.then\(\) only accepts functions but was passed: \[object \w+\], \[object Null\]$/);
    });

    it('not when one of the two is a function, nor without arguments', async () => {
      await silent((C) => C.resolve().then(ignore, 1));
      await silent((C) => C.resolve().then(null, ignore));
      await silent((C) => C.resolve().then());
      await silent((C) => C.resolve().done());
      await silent((C) => C.resolve().tap());
    });
  });

  it('all with arguments', async () => {
    await warnsOnce((C) => C.resolve([]).all([]), '.all() was passed arguments but it does not take any');
    await silent((C) => C.resolve([]).all());
  });

  it('cancel while cancellation is off', async () => {
    await warnsOnce((C) => { new C(ignore).cancel(); }, 'cancellation is disabled');
  });

  it('none are emitted when they are off', async () => {
    await silent(async (C) => {
      await C.resolve().then(() => { C.resolve(1); }).then(ignore);
      await outcome(C.reject('text'));
      await C.resolve().then(1);
      new C(ignore).cancel();
    }, { warnings: false, longStackTraces: true });
  });
}

function own(configured) {
  const messages = async (options, body) => (await warnings(() => configured(options, body))).map((warning) => warning.message);

  const forget = () => P.resolve().then(() => { P.resolve(1); }).then(ignore);

  it('forgotten returns are found without long stack traces, and say where', async () => {
    const [warning, ...others] = await warnings(() => configured({ warnings: true }, forget));
    assert.equal(others.length, 0);
    assert.match(warning.message, FORGOTTEN);
    assert.ok(!warning.stack.includes('From previous event:'));
  });

  it('the place is that of the handler, however deep the promise was made', async () => {
    const line = Number(/:(\d+):\d+\)?$/.exec(new Error('here').stack.split('\n')[1])[1]);
    const deep = (n) => (n === 0 ? P.resolve(1) : deep(n - 1));
    const body = () => P.resolve().then(() => {
      deep(3);
    }).then(ignore);
    const [message] = await messages({ warnings: true }, body);
    assert.ok(message.includes(`warnings.test.js:${line + 3}:`), `${line}: ${message}`);
  });

  it('without stack traces the warning says no place', async () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      assert.match((await messages({ warnings: true }, forget))[0], /^a promise was created in a handler but was not returned from it, see /);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  it('the function of using', async () => {
    const [message] = await messages({ warnings: true }, () => P.using(1, () => { P.resolve(); }).then(ignore));
    assert.match(message, /^a promise was created in a Promise\.using handler at /);
  });

  it('then without a function, in a handler: with what led to it', async () => {
    const body = () => P.resolve().then(() => P.resolve().then(1));
    const [warning] = await warnings(() => configured({ warnings: true, longStackTraces: true }, body));
    assert.ok(warning.stack.includes('From previous event:'));
  });

  it('wForgottenReturn stands beside warnings too', async () => {
    assert.deepEqual(await messages({ warnings: true, wForgottenReturn: false }, forget), []);
    assert.deepEqual(await messages({ wForgottenReturn: true }, forget), []); // warnings are off
  });

  it('errors of another realm and DOMExceptions are errors', async () => {
    const other = require('node:vm').runInNewContext('new TypeError("x")');
    const body = async () => {
      await outcome(P.reject(other));
      await outcome(P.reject(AbortSignal.abort().reason));
    };
    assert.deepEqual(await messages({ warnings: true }, body), []);
  });

  it('a listener that throws reaches the process and disturbs nobody', async () => {
    const r = await runChild(`
      P.config({ warnings: true });
      process.on('warning', () => { throw new Error('by the listener'); });
      process.on('uncaughtException', (e) => console.log(e.message));
      P.reject(1).catch((x) => console.log(x));
    `);
    assert.equal(r.status, 0);
    assert.deepEqual(r.stdout.trim().split('\n').sort(), ['1', 'by the listener']);
  });

  it('Node prints them, unless it is told not to', async () => {
    const code = `P.config({ warnings: true }); P.reject(1).catch(() => {});`;
    const r = await runChild(code);
    assert.match(r.stderr, /^\(node:\d+\) Warning: a promise was rejected with a non-error: \[object Number\]\n/);
    assert.equal((await runChild(code, { flags: ['--no-warnings'] })).stderr, '');
  });

  it('a rejection with undefined', async () => {
    const expected = [`${NON_ERROR}[object Undefined]`];
    assert.deepEqual(await messages({ warnings: true }, () => outcome(P.reject())), expected);
    assert.deepEqual(await messages({ warnings: true }, () => outcome(new P(() => { throw undefined; }))), expected);
    assert.deepEqual(await messages({ warnings: true }, () => outcome(P.resolve().then(() => { throw undefined; }))), expected);
  });

  it('thenables that reject', async () => {
    const thenable = { then: (resolve, reject) => reject(1) };
    assert.deepEqual(await messages({ warnings: true }, () => outcome(P.resolve(thenable))), [`${NON_ERROR}[object Number]`]);
  });

  it('mapSeries and mapValues are named', async () => {
    const names = [];
    for (const call of [() => P.mapSeries([1], () => { P.resolve(); }), () => P.mapValues({ a: 1 }, () => { P.resolve(); })]) {
      const [message] = await messages({ warnings: true }, () => call().then(ignore));
      names.push(/ in a (\S+) handler/.exec(message)[1]);
    }
    assert.deepEqual(names, ['Promise.mapSeries', 'Promise.mapValues']);
  });

  it('in mapIterator nothing is forgotten', async () => {
    const body = () => configure(P, { warnings: true }, async () => {
      for await (const x of P.mapIterator([1], () => { P.resolve(); })) ignore(x);
    });
    assert.deepEqual(await warnings(body), []);
  });
}

diagnosticTests('warnings', shared, own);

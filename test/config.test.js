'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P, Native, root } = require('./helpers/subject');
const { macro, outcome, rejection } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { diagnosticTests, emitted, warnings } = require('./helpers/diagnostics');

const NAMES = ['longStackTraces', 'warnings', 'wForgottenReturn', 'monitoring', 'cancellation', 'asyncHooks'];

/** What a library finds in the environment: long stack traces, and the kinds of warnings. */
async function started(library, env) {
  const names = ['DEBUG', 'WARNINGS', 'LONG_STACK_TRACES', 'W_FORGOTTEN_RETURN'];
  const clean = Object.fromEntries([...names.flatMap((name) => [`BLUEBIRD_${name}`, `CPROMISE_${name}`]), 'NODE_ENV'].map((name) => [name, undefined]));
  const r = await runChild(`
    const Q = require(${JSON.stringify(library)});
    const kinds = [];
    process.on('warning', (w) => kinds.push(/non-error/.test(w.message) ? 'non-error' : 'forgotten'));
    Q.resolve().then(() => { Q.resolve(1); }).then(() => Q.reject('text')).catch(() => {});
    process.on('exit', () => console.log(JSON.stringify([Q.hasLongStackTraces(), kinds.sort().join()])));
  `, { env: { ...clean, ...env }, flags: ['--no-warnings'] });
  assert.equal(r.stderr, '');
  return JSON.parse(r.stdout);
}

/** The same for many environments, a few at a time. */
async function startedIn(library, cases) {
  const found = [];
  for (let i = 0; i < cases.length; i += 4) {
    found.push(...await Native.all(cases.slice(i, i + 4).map(([env]) => started(library, env))));
  }
  cases.forEach(([env, expected], i) => assert.deepEqual(found[i], expected, JSON.stringify(env)));
}

const BOTH = 'forgotten,non-error';

function shared(configured) {
  it('returns the class', () => configured({}, (C) => {
    assert.equal(C.config({}), C);
    assert.equal(C.config(), C);
    assert.equal(C.config({ warnings: false }), C);
  }));

  it('long stack traces, on and off', () => configured({}, (C) => {
    assert.equal(C.hasLongStackTraces(), false);
    C.config({ longStackTraces: true });
    assert.equal(C.hasLongStackTraces(), true);
    C.config({ warnings: true });
    assert.equal(C.hasLongStackTraces(), true);
    C.config({ longStackTraces: false });
    assert.equal(C.hasLongStackTraces(), false);
    assert.equal(C.longStackTraces(), undefined);
    assert.equal(C.hasLongStackTraces(), true);
  }));

  it('knows all of its options', () => configured({}, (C) => {
    for (const name of NAMES) {
      if (name !== 'cancellation') assert.equal(C.config({ [name]: true }), C);
      assert.equal(C.config({ [name]: false }), C);
    }
    assert.equal(C.config({ warnings: { wForgottenReturn: true } }), C);
    assert.equal(C.config({ warnings: { wForgottenReturn: false } }), C);
    assert.equal(C.config({ warnings: {} }), C);
  }));

  it('does not mind names that it does not know', () => configured({}, (C) => {
    assert.equal(C.config({ unknown: 1 }), C);
  }));
}

function own(configured) {
  for (const [name, library] of [['cpromise', root], ['bluebird', path.join(root, 'node_modules/bluebird')]]) {
    it(`the BLUEBIRD_ names of the environment: ${name}`, () => startedIn(library, [
      [{}, [false, '']],
      [{ BLUEBIRD_DEBUG: '1' }, [true, BOTH]],
      [{ BLUEBIRD_DEBUG: '0' }, [false, '']],
      [{ BLUEBIRD_DEBUG: '' }, [false, '']],
      [{ BLUEBIRD_DEBUG: 'true' }, [true, BOTH]],
      [{ BLUEBIRD_DEBUG: 'false' }, [true, BOTH]],
      [{ BLUEBIRD_LONG_STACK_TRACES: '1' }, [true, '']],
      [{ BLUEBIRD_DEBUG: '1', BLUEBIRD_LONG_STACK_TRACES: '0' }, [false, name === 'bluebird' ? 'non-error' : BOTH]],
      [{ BLUEBIRD_DEBUG: '1', BLUEBIRD_WARNINGS: '0' }, [true, '']],
      [{ BLUEBIRD_DEBUG: '1', BLUEBIRD_W_FORGOTTEN_RETURN: '0' }, [true, 'non-error']],
      [{ BLUEBIRD_WARNINGS: '1', BLUEBIRD_LONG_STACK_TRACES: '1' }, [true, BOTH]],
      [{ BLUEBIRD_W_FORGOTTEN_RETURN: '1', BLUEBIRD_LONG_STACK_TRACES: '1' }, [true, '']],
    ]));
  }

  it('the CPROMISE_ names come before them', () => startedIn(root, [
    [{ CPROMISE_DEBUG: '1' }, [true, BOTH]],
    [{ CPROMISE_WARNINGS: '1' }, [false, BOTH]],
    [{ CPROMISE_WARNINGS: '1', CPROMISE_W_FORGOTTEN_RETURN: '0' }, [false, 'non-error']],
    [{ CPROMISE_LONG_STACK_TRACES: '1' }, [true, '']],
    [{ CPROMISE_DEBUG: '0', BLUEBIRD_DEBUG: '1' }, [false, '']],
    [{ CPROMISE_DEBUG: '1', BLUEBIRD_WARNINGS: '0' }, [true, '']],
    [{ CPROMISE_DEBUG: '1', CPROMISE_WARNINGS: '0', BLUEBIRD_WARNINGS: '1' }, [true, '']],
    [{ CPROMISE_DEBUG: ' ' }, [false, '']],
    [{ CPROMISE_DEBUG: 'false' }, [false, '']],
    [{ CPROMISE_DEBUG: 'true', CPROMISE_WARNINGS: 'False' }, [true, '']],
    [{ CPROMISE_LONG_STACK_TRACES: 'false', BLUEBIRD_LONG_STACK_TRACES: '1' }, [false, '']],
  ]));

  it('nothing is on unless it was asked for, whatever NODE_ENV says', () => startedIn(root, [
    [{ NODE_ENV: 'development' }, [false, '']],
    [{ NODE_ENV: 'production', CPROMISE_DEBUG: '1' }, [true, BOTH]],
  ]));

  it('a value of a wrong type is a TypeError that names option and value, and nothing has changed', () => configured({}, () => {
    for (const name of NAMES) {
      const expected = name === 'warnings' ? 'a boolean or an object' : 'a boolean';
      for (const [value, text] of [['yes', '"yes"'], [1, '1'], [null, 'null'], [() => {}, 'function value'], [Symbol('s'), 'Symbol(s)']]) {
        if (typeof value === 'function') Object.defineProperty(value, 'name', { value: 'value' });
        const given = { longStackTraces: true, ...{ [name]: value } };
        assert.throws(() => P.config(given), { name: 'TypeError', message: `expecting ${name} to be ${expected} but got ${text}` });
      }
    }
    assert.throws(() => P.config({ monitoring: {} }), { name: 'TypeError', message: 'expecting monitoring to be a boolean but got [object Object]' });
    assert.throws(() => P.config({ longStackTraces: true, warnings: { wForgottenReturn: 1 } }), {
      name: 'TypeError', message: 'expecting wForgottenReturn to be a boolean but got 1',
    });
    for (const [options, text] of [[null, 'null'], [true, 'true'], ['x', '"x"'], [() => {}, 'a function']]) {
      assert.throws(() => P.config(options), { name: 'TypeError', message: `expecting options to be an object but got ${text}` });
    }
    assert.equal(P.hasLongStackTraces(), false);
  }));

  it('an option that is undefined is not given', () => configured({ longStackTraces: true }, () => {
    P.config({ longStackTraces: undefined });
    assert.equal(P.hasLongStackTraces(), true);
  }));

  it('what getters and proxies of the options throw is thrown', () => {
    const error = new Error('getter');
    assert.throws(() => P.config({
      get warnings() {
        throw error;
      },
    }), error);
  });

  it('features are independent of each other', async () => {
    const on = async (options) => {
      const log = [];
      await configured(options, async () => {
        const events = await emitted(['promiseCreated', 'warning'], async () => {
          const e = await rejection(P.resolve().then(() => P.resolve().then(() => {
            throw new Error('e');
          })));
          if (e.stack.includes('From previous event:')) log.push('long');
          await outcome(P.reject(1));
        });
        log.push(...new Set(events.map(([event]) => event)));
      });
      return log.sort().join();
    };
    assert.equal(await on({}), '');
    assert.equal(await on({ longStackTraces: true }), 'long');
    assert.equal(await on({ warnings: true }), 'warning');
    assert.equal(await on({ monitoring: true }), 'promiseCreated');
    assert.equal(await on({ longStackTraces: true, warnings: true, monitoring: true }), 'long,promiseCreated,warning');
    assert.equal(await on({}), '');
  });

  it('contexts are kept with and without asyncHooks, and with every feature', async () => {
    const storage = new AsyncLocalStorage();
    const cases = [{ asyncHooks: true }, { asyncHooks: false }, { longStackTraces: true }, { warnings: true }, { monitoring: true }];
    for (const options of cases) {
      await configured(options, async () => {
        const seen = [];
        const note = () => seen.push(storage.getStore());
        await Native.all([1, 2].map((store) => storage.run(store, () => P.resolve().then(() => macro()).then(note))));
        await storage.run(3, () => P.map([0], note));
        assert.deepEqual(seen, [1, 2, 3], JSON.stringify(options));
      });
    }
    storage.disable();
  });

  it('a context that comes into use while a feature is on is kept when none is', async () => {
    const r = await runChild(`
      P.config({ warnings: true });
      const { AsyncLocalStorage } = require('node:async_hooks');
      const storage = new AsyncLocalStorage();
      let open;
      const gate = new P((resolve) => { open = resolve; });
      storage.run('a', () => gate.then(() => console.log(storage.getStore())));
      P.config({ warnings: false });
      storage.run('b', () => gate.then(() => console.log(storage.getStore())));
      storage.run('c', () => open());
    `);
    assert.equal(r.stderr, '');
    assert.equal(r.stdout, 'a\nb\n');
  });

  it('each copy of the library has its own', async () => {
    const r = await runChild(`
      for (const id of Object.keys(require.cache)) delete require.cache[id];
      const Q = require(${JSON.stringify(root)});
      P.config({ longStackTraces: true });
      console.log(Q !== P, P.hasLongStackTraces(), Q.hasLongStackTraces());
      const boom = () => { throw new Error('boom'); };
      const stack = (C) => C.resolve().then(() => C.resolve().then(boom)).catch((e) => /previous/.test(e.stack));
      P.all([stack(P), stack(Q)]).then((found) => console.log(...found));
    `);
    assert.equal(r.stderr, '');
    assert.equal(r.stdout, 'true true false\ntrue false\n');
  });

  it('works with frozen intrinsics', async () => {
    const r = await runChild(`
      P.config({ longStackTraces: true, warnings: true, monitoring: true });
      const log = [];
      process.on('warning', (w) => w.name === 'Warning' && log.push(w.message.slice(0, 9)));
      process.once('promiseCreated', () => log.push('created'));
      P.onPossiblyUnhandledRejection((reason) => log.push(reason.message));
      P.reject(new Error('unhandled'));
      P.resolve().then(() => P.resolve().then(() => { throw new Error('e'); })).catch((e) => log.push(/From previous event/.test(e.stack)));
      P.resolve().then(() => { P.resolve(1); }).then(() => {});
      process.on('exit', () => console.log(log.join()));
    `, { flags: ['--frozen-intrinsics', '--no-warnings'] });
    assert.equal(r.stderr, '');
    assert.deepEqual(r.stdout.trim().split(',').sort(), ['a promise', 'created', 'true', 'unhandled']);
  });

  it('the library read in a vm context', async () => {
    const r = await runChild(`
      const Module = require('module'); const vm = require('vm'); const fs = require('fs'); const path = require('path');
      const context = vm.createContext({ process, console });
      const cache = new Map();
      function load(file) {
        if (cache.has(file)) return cache.get(file).exports;
        const module = { exports: {} };
        cache.set(file, module);
        const inner = Module.createRequire(file);
        const req = (id) => {
          const full = inner.resolve(id);
          return path.isAbsolute(full) && full.endsWith('.js') ? load(full) : inner(id);
        };
        const f = vm.compileFunction(fs.readFileSync(file, 'utf8'), ['module', 'exports', 'require', '__filename', '__dirname'],
          { parsingContext: context, filename: file });
        f(module, module.exports, req, file, path.dirname(file));
        return module.exports;
      }
      const Q = load(require.resolve(${JSON.stringify(root)}));
      context.Q = Q;
      Q.config({ longStackTraces: true, warnings: true, monitoring: true });
      const log = [];
      process.on('warning', (w) => log.push(w.name));
      process.once('promiseCreated', () => log.push('created'));
      const program = 'Q.resolve().then(() => Q.resolve().then(() => { throw new Error("e"); }))';
      vm.runInContext(program, context).catch((e) => log.push('vm', /From previous event/.test(e.stack)));
      (0, eval)('(Q) => ' + program)(Q).catch((e) => log.push('main', /From previous event/.test(e.stack)));
      Q.reject('text').catch(() => {});
      Q.onPossiblyUnhandledRejection((reason) => log.push(reason));
      Q.reject(7);
      process.on('exit', () => console.log(log.sort().join()));
    `, { flags: ['--no-warnings'] });
    assert.equal(r.stderr, '');
    assert.equal(r.stdout, '7,Warning,Warning,created,main,true,true,vm\n');
  });
}

diagnosticTests('config', shared, own);

it('nothing of it is left on', async () => {
  if (P.config === undefined) return;
  assert.equal(P.hasLongStackTraces(), false);
  assert.deepEqual(await warnings(() => outcome(P.reject(1))), []);
});

'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const vm = require('node:vm');
const { P, root } = require('./helpers/subject');
const { macro, outcome, rejection, sleep } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { diagnosticTests, partsOf } = require('./helpers/diagnostics');

// The functions whose place in the trace matters have upper-case names.

const ON = { longStackTraces: true };
const SEPARATOR = 'From previous event:';

/** The parts of the stack of the error that `promise` is rejected with. */
async function parts(promise) {
  return partsOf((await rejection(promise)).stack);
}

function Boom() {
  throw new Error('boom');
}

function shared(configured) {
  it('an error thrown by a handler shows where each then was called', () => configured(ON, async (C) => {
    function Two() {
      return C.resolve().then(Boom);
    }
    function One() {
      return C.resolve().then(Two);
    }
    assert.deepEqual(await parts(One()), [['Boom'], ['Two'], ['One']]);
  }));

  it('so do catch, finally and tap', () => configured(ON, async (C) => {
    function Catch() {
      return C.reject(new Error('first')).catch(Boom);
    }
    function Finally() {
      return C.resolve().finally(Boom);
    }
    function Tap() {
      return C.resolve().tap(Boom);
    }
    assert.deepEqual(await parts(Catch()), [['Boom'], ['Catch']]);
    assert.deepEqual(await parts(Finally()), [['Boom'], ['Finally']]);
    assert.deepEqual(await parts(Tap()), [['Boom'], ['Tap']]);
  }));

  it('a rejection by an executor shows where the promise was made, if that was earlier', () => configured(ON, async (C) => {
    function Executor() {
      return new C((resolve, reject) => setImmediate(function Later() {
        reject(new Error('later'));
      }));
    }
    function Handler() {
      return Executor();
    }
    assert.deepEqual((await parts(Executor())).at(-1), ['Executor']);
    const [, ...before] = await parts(C.resolve().then(Handler));
    assert.deepEqual(before[0], ['Executor', 'Handler']);
    function Sync() {
      return new C((resolve, reject) => reject(new Error('now')));
    }
    assert.deepEqual(await parts(Sync()), [['Sync']]);
    function Thrown() {
      return new C(() => Boom());
    }
    assert.deepEqual(await parts(Thrown()), [['Boom', 'Thrown']]);
  }));

  it('reject adds what led to it', () => configured(ON, async (C) => {
    function Handler() {
      return C.reject(new Error('r'));
    }
    function Main() {
      return C.resolve().then(Handler);
    }
    assert.deepEqual(await parts(C.reject(new Error('r'))), [[]]);
    assert.deepEqual(await parts(Main()), [['Handler'], ['Main']]);
  }));

  it('an executor in a handler stands in it', () => configured(ON, async (C) => {
    function Executor() {
      return new C((resolve) => resolve(C.resolve().then(Boom)));
    }
    const found = await parts(C.resolve().then(Executor));
    assert.deepEqual(found.filter((part) => part.length > 0), [['Boom'], ['Executor']]);
  }));

  it('the function of a collection', () => configured(ON, async (C) => {
    function Main(method) {
      return C[method]([1, 2], Boom);
    }
    for (const method of ['map', 'mapSeries', 'filter', 'each', 'reduce']) {
      assert.deepEqual(await parts(Main(method)), [['Boom'], ['Main']], method);
    }
  }));

  it('try and promisified functions', () => configured(ON, async (C) => {
    function Try() {
      return C.try(Boom);
    }
    assert.deepEqual((await parts(Try())).flat(), ['Boom', 'Try']);
    function Handler() {
      return C.try(Boom);
    }
    function Main() {
      return C.resolve().then(Handler);
    }
    assert.deepEqual((await parts(Main())).flat(), ['Boom', 'Handler', 'Main']);
  }));

  it('callbacks and coroutines', () => configured(ON, async (C) => {
    const fail = (callback) => setImmediate(() => callback(new Error('callback')));
    function Promisified() {
      return C.promisify(fail)();
    }
    assert.deepEqual((await parts(Promisified())).at(-1), ['Promisified']);
    function FromCallback() {
      return C.fromCallback(fail);
    }
    assert.deepEqual((await parts(FromCallback())).at(-1), ['FromCallback']);
    const coroutine = C.coroutine(function* Generator() {
      yield new C(setImmediate);
      yield C.resolve();
      Boom();
    });
    function Coroutine() {
      return coroutine();
    }
    const found = (await parts(Coroutine())).filter((part) => part.length > 0);
    assert.equal(found[0][0], 'Boom');
    assert.deepEqual(found.at(-1), ['Coroutine']);
  }));

  it('an error that is passed on keeps the trace of its origin', () => configured(ON, async (C) => {
    function Origin() {
      return C.resolve().then(Boom);
    }
    function PassedOn() {
      return Origin().then(() => {}).catch((e) => {
        throw e;
      });
    }
    const error = await rejection(Origin());
    assert.deepEqual(await parts(PassedOn()), [['Boom'], ['Origin', 'PassedOn']]);
    const { stack } = error;
    await rejection(C.resolve().then(() => {
      throw error;
    }));
    assert.equal(error.stack, stack);
  }));

  it('the stack starts with name and message, the separator stands on a line of its own', () => configured(ON, async (C) => {
    for (const message of ['one line', 'two\nlines', 'a list:\n    at home (x:1:2)\n    at work (y:1:2)', '']) {
      const { stack } = await rejection(C.resolve().then(() => {
        throw new RangeError(message);
      }));
      const head = message === '' ? 'RangeError' : `RangeError: ${message}`;
      assert.ok(stack.startsWith(`${head}\n    at `), stack);
      assert.equal(stack.split('\n').filter((line) => line === SEPARATOR).length, 1, stack);
      assert.ok(!stack.endsWith('\n'));
    }
  }));

  it('our own frames are not shown', () => configured(ON, async (C) => {
    function Handler() {
      return C.map([1], Boom).finally(() => {});
    }
    const { stack } = await rejection(C.resolve().then(Handler));
    const hidden = C === P ? `${root}${path.sep}lib${path.sep}` : `${path.sep}bluebird${path.sep}`;
    assert.ok(!stack.includes(hidden), stack);
  }));

  it('what is no error stays what it is', () => configured(ON, async (C) => {
    for (const reason of [undefined, null, 'text', 0, Symbol.iterator]) {
      assert.equal(await rejection(C.resolve().then(() => {
        throw reason;
      })), reason);
    }
    const object = { stack: 'mine' };
    assert.equal(await rejection(C.reject(object)), object);
    assert.equal(object.stack, 'mine');
  }));

  it('a loop shows each part once', () => configured(ON, async (C) => {
    let n = 0;
    function Loop() {
      if (++n === 200) throw new Error('end');
      return C.resolve().then(Loop);
    }
    function Start() {
      return C.resolve().then(Loop);
    }
    const found = await parts(Start());
    assert.equal(n, 200);
    assert.ok(found.length <= 4, `${found.length} parts`);
    if (C === P) assert.deepEqual(found, [['Loop'], ['Loop'], ['Start']]);
  }));

  it('nothing is added when they are off', () => configured({ longStackTraces: false }, async (C) => {
    assert.equal(C.hasLongStackTraces(), false);
    const { stack } = await rejection(C.resolve().then(() => C.resolve().then(Boom)));
    assert.ok(!stack.includes(SEPARATOR));
  }));
}

/** A function whose text is `depth` handlers deep, each in a line of its own. */
function nested(depth) {
  const open = Array.from({ length: depth }, (_, i) => `return P.resolve().then(function H${i}() {\n`);
  return vm.runInThisContext(`(function (P) {\n${open.join('')}throw new Error('deep');\n${'});\n'.repeat(depth)}})`);
}

function own(configured) {
  it('can be turned on and off at any time', async () => {
    const before = P.resolve().then(() => macro());
    assert.equal(P.hasLongStackTraces(), false);
    const late = before.then(Boom);
    assert.equal(P.longStackTraces(), undefined);
    try {
      assert.equal(P.hasLongStackTraces(), true);
      assert.deepEqual(await parts(before.then(Boom)), [['Boom'], []]);
      assert.deepEqual(await parts(late), [['Boom']]); // older than that: no trace
    } finally {
      P.config({ longStackTraces: false });
    }
    assert.equal(P.hasLongStackTraces(), false);
    assert.deepEqual(await parts(before.then(Boom)), [['Boom']]);
  });

  it('a handler that was attached while they were on runs as any other when they are off', async () => {
    let open;
    const gate = new P((resolve) => { open = resolve; });
    P.config(ON);
    const p = gate.then(Boom);
    P.config({ longStackTraces: false });
    open();
    assert.deepEqual(await parts(p), [['Boom']]);
  });

  it('internals of Node are not shown, but for those that threw', () => configured(ON, async () => {
    const error = await rejection(P.resolve().then(function Handler() {
      return Buffer.alloc('x');
    }));
    const lines = error.stack.split('\n');
    const user = lines.findIndex((line) => line.includes('Handler'));
    assert.ok(user > 1, error.stack);
    assert.ok(!lines.slice(user).some((line) => line.includes('node:internal')), error.stack);
    const { stack } = await rejection(sleep(1).then(() => P.resolve().then(() => P.resolve().then(Boom))));
    assert.ok(!stack.includes('node:internal'), stack);
  }));

  it('frames that a part has in common with the next one are shown once', () => configured(ON, async () => {
    function Common() {
      const error = new Error('made here');
      return P.resolve().then(function Thrower() {
        throw error;
      });
    }
    function Outer() {
      return Common();
    }
    const { stack } = await rejection(Outer());
    assert.equal(stack.split('Outer').length - 1, 1, stack);
  }));

  it('there are sixteen parts at most, however deep the handlers', () => configured(ON, async () => {
    const { stack } = await rejection(nested(60)(P));
    const lines = stack.split('\n');
    assert.equal(lines.filter((line) => line === SEPARATOR).length, 16);
    assert.match(lines[1], /H59/);
  }));

  it('thenables, getters, resolvers', () => configured(ON, async () => {
    function Thenable() {
      return P.resolve({ then: (resolve, reject) => setImmediate(() => reject(new Error('thenable'))) });
    }
    assert.deepEqual((await parts(Thenable())).at(-1), ['Thenable']);
    function Getter() {
      return P.resolve().then(() => ({
        get then() {
          throw new Error('getter');
        },
      }));
    }
    assert.deepEqual((await parts(Getter())).at(-1), ['Getter']);
    function Resolvers() {
      const { promise, reject } = P.withResolvers();
      setImmediate(() => reject(new Error('late')));
      return promise;
    }
    assert.deepEqual((await parts(Resolvers())).at(-1), ['Resolvers']);
  }));

  it('mapValues and mapIterator', () => configured(ON, async () => {
    function Values() {
      return P.mapValues({ a: 1 }, Boom);
    }
    assert.deepEqual(await parts(Values()), [['Boom'], ['Values']]);
    function Iterator() {
      return P.mapIterator([1], Boom).next();
    }
    assert.deepEqual((await parts(Iterator())).slice(0, 2), [['Boom'], ['Iterator']]);
  }));

  it('subclasses', () => configured(ON, async () => {
    class Sub extends P {}
    function Handler() {
      return new Sub((resolve, reject) => setImmediate(() => reject(new Error('sub'))));
    }
    function Main() {
      return Sub.resolve().then(Handler);
    }
    assert.deepEqual((await parts(Main())).slice(1), [['Sub', 'Handler'], ['Main']]);
    assert.ok(Main().catch(() => {}) instanceof Sub);
    function Foreign() {
      class Other extends P {
        static get [Symbol.species]() {
          return globalThis.Promise;
        }
      }
      return Other.resolve().then(Boom);
    }
    assert.deepEqual(await parts(Foreign()), [['Boom'], ['Foreign']]);
  }));

  it('async functions', () => configured(ON, async () => {
    async function Main() {
      await P.resolve().then(Boom);
    }
    const found = await parts(Main());
    assert.deepEqual(found.map((part) => part[0]), ['Boom', 'Main']);
  }));

  it('errors of another realm', () => configured(ON, async () => {
    const C = vm.runInThisContext('0') === 0 && vm.createContext({ P });
    function Main() {
      return P.resolve().then(vm.runInContext('(function Inner() { throw new TypeError("x"); })', C));
    }
    assert.deepEqual(await parts(Main()), [['Inner'], ['Main']]);
  }));

  it('errors that cannot be changed or read stay as they are', () => configured(ON, async () => {
    const frozen = Object.freeze(new Error('frozen'));
    const { stack } = frozen;
    const without = new Error('none');
    delete without.stack;
    Object.defineProperty(without, 'stack', { value: 7, configurable: true });
    const throwing = Object.defineProperty(new Error('getter'), 'stack', {
      get() {
        throw new Error('no');
      },
    });
    const { proxy, revoke } = Proxy.revocable(new Error('proxy'), {});
    revoke();
    for (const error of [frozen, without, throwing, proxy]) {
      const thrown = P.resolve().then(() => {
        throw error;
      });
      assert.equal((await outcome(thrown)).reason, error);
      assert.equal((await outcome(P.reject(error))).reason, error);
    }
    assert.equal(frozen.stack, stack);
    assert.equal(without.stack, 7);
  }));

  it('a message that is no string, an error without frames', () => configured(ON, async () => {
    const odd = new Error('m');
    odd.message = 5;
    const bare = new Error('bare');
    bare.stack = 'Error: bare';
    function Main(error) {
      return P.resolve().then(() => {
        throw error;
      });
    }
    assert.deepEqual((await parts(Main(odd))).at(-1), ['Main']);
    const { stack } = await rejection(Main(bare));
    assert.match(stack, /^Error: bare\n {4}at Main /);
  }));

  it('no stack is taken when Error.stackTraceLimit says so, and Error.prepareStackTrace may make anything of it', () => configured(ON, async () => {
    const { stackTraceLimit } = Error;
    for (const limit of [0, 1, undefined, 'x']) {
      Error.stackTraceLimit = limit;
      try {
        assert.equal((await rejection(P.resolve().then(Boom))).message, 'boom');
      } finally {
        Error.stackTraceLimit = stackTraceLimit;
      }
    }
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (error, sites) => sites;
    try {
      const error = await rejection(P.resolve().then(() => P.resolve().then(Boom)));
      assert.equal(error.message, 'boom');
      const text = Object.assign(new Error('text'), { stack: 'Error: text\n    at here' });
      assert.equal(await rejection(P.resolve().then(() => {
        throw text;
      })), text);
      assert.equal(text.stack, 'Error: text\n    at here');
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  }));

  it('errors that the library makes of others', () => configured(ON, async () => {
    const late = () => new P((resolve, reject) => setImmediate(() => reject(new Error('late'))));
    function Any() {
      return P.any([late()]);
    }
    function Some() {
      return P.some([late()], 1);
    }
    assert.deepEqual((await parts(Any())).at(-1), ['Any']);
    assert.deepEqual((await parts(Some())).at(-1), ['Some']);
  }));

  it('the function of using', () => configured(ON, async () => {
    function Main() {
      return P.using(P.resolve(1), Boom);
    }
    assert.deepEqual(await parts(Main()), [['Boom'], ['Main']]);
  }));

  it('the domain of a handler stays its own, and gets what is unhandled', async () => {
    const r = await runChild(`
      P.config({ longStackTraces: true, warnings: true, monitoring: true });
      const domains = [1, 2].map((name) => Object.assign(require('domain').create(), { name }));
      domains.forEach((d) => d.on('error', (e) => console.log('error', d.name, e.message, e.stack.includes('From previous event:'))));
      const wait = () => new P((resolve) => setTimeout(resolve, 1));
      for (const d of domains) {
        d.run(() => P.resolve().then(wait).then(() => console.log('handler', process.domain.name)).then(() => { throw new Error('e' + d.name); }));
      }
    `);
    assert.equal(r.stderr, '');
    assert.deepEqual(r.stdout.trim().split('\n').sort(), ['error 1 e1 true', 'error 2 e2 true', 'handler 1', 'handler 2']);
  });

  it('AsyncLocalStorage stores reach the handlers as ever', () => configured(ON, async () => {
    const { AsyncLocalStorage } = require('node:async_hooks');
    const storage = new AsyncLocalStorage();
    const seen = await storage.run('store', () => P.resolve().then(() => storage.getStore()).then((x) => [x, storage.getStore()]));
    assert.deepEqual(seen, ['store', 'store']);
    storage.disable();
  }));

  it('a loop that runs for ever keeps constant memory', async () => {
    const r = await runChild(`
      P.config({ longStackTraces: true });
      const heap = () => { gc(); return process.memoryUsage().heapUsed / 2 ** 20; };
      const f = P.promisify((callback) => callback());
      let n = 0; let base; let peak = 0;
      const loop = () => {
        if (++n % 2000 === 0) { const h = heap(); if (base === undefined) base = h; else peak = Math.max(peak, h - base); }
        return n === 20000 ? n : f().then(loop);
      };
      loop().then(() => console.log(peak));
    `, { flags: ['--expose-gc'] });
    assert.equal(r.stderr, '');
    assert.ok(r.stdout !== '' && Number(r.stdout) < 2, `grew by ${r.stdout} MiB`);
  });
}

diagnosticTests('long stack traces', shared, own);

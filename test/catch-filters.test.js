'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { P, Native } = require('./helpers/subject');
const { Sub, later, outcome, rejection, rejectionEvents } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

class MyError extends Error {}
class Deeper extends MyError {}

/** A class as they were written before there was a word for it. */
function OldError(message) {
  this.message = message;
}
OldError.prototype = Object.create(Error.prototype);
OldError.prototype.constructor = OldError;

const never = () => assert.fail('called');
const mark = (e) => ['caught', e];

function shared(C) {
  const caught = async (reason, ...filters) => {
    const result = await outcome(C.reject(reason).catch(...filters, mark));
    if (result.status === 'rejected') assert.equal(result.reason, reason);
    return result.status === 'fulfilled';
  };

  for (const name of ['catch', 'caught']) {
    it(`${name} calls the handler with the reason when the class is its own`, async () => {
      const e = new MyError('x');
      assert.deepEqual(await C.reject(e)[name](MyError, mark), ['caught', e]);
      assert.equal(await rejection(C.reject(e)[name](RangeError, never)), e);
      assert.equal(await C.resolve(1)[name](MyError, never), 1);
      assert.equal(await C.reject(e)[name](() => 2), 2);
    });
  }

  it('a class takes the instances of its subclasses', async () => {
    assert.equal(await caught(new Deeper(), MyError), true);
    assert.equal(await caught(new MyError(), Deeper), false);
    assert.equal(await caught(new Deeper(), Error), true);
    assert.equal(await caught(new OldError('old'), OldError), true);
    assert.equal(await caught(new OldError('old'), Error), true);
    assert.equal(await caught(new Error('x'), OldError), false);
  });

  it('what is no error is no instance of an error', async () => {
    for (const reason of [undefined, null, 0, 1, '', 'text', true, Symbol('s'), {}, [], { message: 'x' }]) {
      assert.equal(await caught(reason, Error), false);
      assert.equal(await caught(reason, TypeError, RangeError), false);
    }
  });

  it('several filters: one that takes the reason is enough', async () => {
    const filters = [RangeError, MyError, { code: 7 }, (e) => e.message === 'pick me'];
    for (const reason of [new RangeError('r'), new Deeper('d'), { code: 7 }, new TypeError('pick me')]) {
      assert.equal(await caught(reason, ...filters), true);
    }
    for (const reason of [new TypeError('t'), { code: 8 }, 'text', 7]) {
      assert.equal(await caught(reason, ...filters), false);
    }
  });

  it('filters are asked in their order, up to the first that takes the reason', async () => {
    const seen = [];
    const filters = [1, 2, 3].map((i) => (e) => seen.push([i, e]) && i === 2);
    assert.equal(await caught('why', ...filters), true);
    assert.deepEqual(seen, [[1, 'why'], [2, 'why']]);
  });

  it('a predicate takes what it gives something truthy for', async () => {
    for (const yes of [true, 1, 'x', {}, [], Native.resolve(false)]) assert.equal(await caught(0, () => yes), true);
    for (const no of [false, 0, '', null, undefined, NaN]) assert.equal(await caught(0, () => no), false);
    assert.equal(await caught(new Error('x'), function isError(e) { return e instanceof Error; }), true);
    assert.equal(await caught(3, async () => false), true);
  });

  it('predicates see primitives too', async () => {
    for (const reason of [undefined, null, 0, '', 'x', false]) assert.equal(await caught(reason, (e) => e === reason), true);
  });

  it('a predicate that throws rejects with its error, and asks no more', async () => {
    const error = new Error('predicate');
    assert.equal(await rejection(C.reject(1).catch(() => { throw error; }, never, never)), error);
  });

  it('converting functions are predicates', async () => {
    assert.equal(await caught(1, Boolean), true);
    assert.equal(await caught(0, Boolean), false);
    assert.equal(await caught('x', String), true);
    assert.equal(await caught('', String), false);
    assert.equal(await caught('12', Number), true);
    assert.equal(await caught('twelve', Number), false);
  });

  it('an object takes a reason with the same properties', async () => {
    const reason = Object.assign(new Error('gone'), { code: 'ENOENT', errno: -2 });
    assert.equal(await caught(reason, { code: 'ENOENT' }), true);
    assert.equal(await caught(reason, { code: 'ENOENT', errno: -2 }), true);
    assert.equal(await caught(reason, { code: 'ENOENT', errno: -3 }), false);
    assert.equal(await caught(reason, { code: 'EPERM' }), false);
    assert.equal(await caught(reason, { message: 'gone' }), true);
    assert.equal(await caught(reason, { absent: undefined }), true);
    assert.equal(await caught(reason, {}), true);
    assert.equal(await caught({ list: 1 }, { list: [1] }), true);
  });

  it('properties are compared as by ==, shallowly, and may be inherited by the reason', async () => {
    assert.equal(await caught({ code: '404' }, { code: 404 }), true);
    assert.equal(await caught({ code: null }, { code: undefined }), true);
    const inner = {};
    assert.equal(await caught({ inner }, { inner }), true);
    assert.equal(await caught({ inner: {} }, { inner: {} }), false);
    assert.equal(await caught(Object.create({ code: 1 }), { code: 1 }), true);
    assert.equal(await caught({}, Object.create({ code: 1 })), true); // of the pattern its own count
    assert.equal(await caught(Object.assign(() => {}, { code: 1 }), { code: 1 }), true);
  });

  it('an object takes no primitive', async () => {
    for (const reason of [undefined, null, 5, 'text', true]) {
      assert.equal(await caught(reason, {}), false);
      assert.equal(await caught(reason, { length: 4 }), false);
    }
  });

  it('a getter that throws rejects with its error', async () => {
    const error = new Error('getter');
    const bad = { get code() { throw error; } };
    assert.equal(await rejection(C.reject(bad).catch({ code: 1 }, never)), error);
    assert.equal(await rejection(C.reject({}).catch(bad, never)), error);
  });

  it('the handler decides what comes', async () => {
    assert.equal(await C.reject(new MyError()).catch(MyError, () => later(Native, 'fulfilled', 'fine')), 'fine');
    assert.equal(await rejection(C.reject(new MyError()).catch(MyError, () => later(C, 'rejected', 'worse'))), 'worse');
    assert.equal(await rejection(C.reject(new MyError()).catch(MyError, () => { throw new Error('bad'); })
      .catch((e) => { throw e.message; })), 'bad');
  });

  it('goes from one catch to the next', async () => {
    const seen = await later(C, 'rejected', new RangeError('r'))
      .catch(TypeError, never)
      .catch({ code: 1 }, never)
      .catch((e) => e === 2, never)
      .catch(RangeError, () => 'here')
      .catch(Error, never);
    assert.equal(seen, 'here');
  });

  it('waits for what is rejected later', async () => {
    assert.equal(await later(C, 'rejected', { code: 1 }).catch({ code: 1 }, () => 'yes'), 'yes');
    assert.equal(await C.resolve(later(Native, 'rejected', { code: 1 })).catch({ code: 1 }, () => 'yes'), 'yes');
  });

  it('a last argument that is no function throws a TypeError', () => {
    for (const bad of [undefined, null, 1, 'x', {}, MyError.prototype]) {
      const p = C.resolve(1);
      assert.throws(() => p.catch(MyError, bad), TypeError);
      assert.throws(() => p.catch(MyError, RangeError, bad), TypeError);
      assert.throws(() => p.caught({ code: 1 }, bad), TypeError);
    }
  });

  it('a filter that is neither function nor object rejects with a TypeError', async () => {
    for (const bad of [undefined, null, 1, 'ENOENT', true, Symbol('s')]) {
      assert.ok(await rejection(C.resolve(1).catch(bad, never)) instanceof TypeError);
      assert.ok(await rejection(C.resolve(1).catch(MyError, bad, never)) instanceof TypeError);
    }
  });

  it('no argument, or one that is no function, lets the reason pass', async () => {
    for (const args of [[], [undefined], [null], [{}]]) assert.equal(await rejection(C.reject(1).catch(...args)), 1);
  });

  describe('error', () => {
    it('takes operational errors', async () => {
      const e = Object.assign(new Error('expected'), { isOperational: true });
      assert.equal(await C.reject(e).error((x) => x), e);
      assert.deepEqual(await C.reject({ isOperational: true }).error(() => 'object'), 'object');
    });

    it('lets all others pass', async () => {
      for (const reason of [new Error('bug'), { isOperational: 1 }, undefined, null, 'x', 0]) {
        assert.equal(await rejection(C.reject(reason).error(never)), reason);
      }
      assert.equal(await C.resolve(1).error(never), 1);
    });

    it('throws a TypeError for what is no function', () => {
      for (const bad of [undefined, null, 1, {}]) assert.throws(() => C.resolve(1).error(bad), TypeError);
    });
  });

  describe('catchReturn and catchThrow', () => {
    it('replace the outcome of any rejection', async () => {
      assert.equal(await C.reject(1).catchReturn(2), 2);
      assert.equal(await C.reject(1).catchReturn(), undefined);
      assert.equal(await C.resolve(1).catchReturn(2), 1);
      assert.equal(await rejection(C.reject(1).catchThrow(2)), 2);
      assert.equal(await rejection(C.reject(1).catchThrow()), undefined);
      assert.equal(await C.resolve(1).catchThrow(2), 1);
    });

    it('or of those that one filter takes', async () => {
      const e = new MyError();
      assert.equal(await C.reject(e).catchReturn(MyError, 'fine'), 'fine');
      assert.equal(await C.reject(e).catchReturn(MyError, undefined), undefined);
      assert.equal(await rejection(C.reject(e).catchReturn(RangeError, 'fine')), e);
      assert.equal(await C.reject({ code: 1 }).catchReturn({ code: 1 }, 'fine'), 'fine');
      assert.equal(await C.reject(1).catchReturn((x) => x === 1, 'fine'), 'fine');
      assert.equal(await rejection(C.reject(e).catchThrow(MyError, 'new')), 'new');
      assert.equal(await rejection(C.reject(e).catchThrow(RangeError, 'new')), e);
    });

    it('a promise as the value is waited for, and reported by nobody else', async () => {
      assert.equal(await C.reject(1).catchReturn(later(Native, 'fulfilled', 2)), 2);
      const events = await rejectionEvents(async () => {
        assert.equal(await C.resolve(1).catchReturn(C.reject('unused')), 1);
        assert.equal(await C.resolve(1).catchReturn(MyError, C.reject('unused')), 1);
      });
      assert.deepEqual(events, []);
    });

    it('a function is a value', async () => {
      assert.equal(await C.reject(1).catchReturn(never), never);
      assert.equal(await rejection(C.reject(1).catchThrow(never)), never);
    });

    it('reject with a TypeError for a filter that is none', async () => {
      assert.ok(await rejection(C.resolve(1).catchReturn(5, 6)) instanceof TypeError);
      assert.ok(await rejection(C.resolve(1).catchThrow('x', 6)) instanceof TypeError);
    });
  });
}

function own() {
  const taken = async (reason, filter) => (await outcome(P.reject(reason).catch(filter, mark))).status === 'fulfilled';

  it('classes that are no errors take their instances, where Bluebird calls them', async () => {
    class Plain {}
    function Old() {}
    Old.prototype.method = () => {};
    function Derived() {}
    Derived.prototype = Object.create(Plain.prototype);
    function Bare() { assert.equal(this, undefined); }
    for (const C of [Plain, Old, Derived, Map, Array, Date]) {
      assert.equal(await taken(new C(), C), true, C.name);
      assert.equal(await taken({}, C), false, C.name);
      assert.equal(await taken('x', C), false, C.name);
    }
    assert.equal(await taken(Object.create(Bare.prototype), Bare), true);
    assert.equal(await taken({}, Bare), false); // a predicate for all that anybody knows
  });

  it('a class with Symbol.hasInstance of its own', async () => {
    class Even { static [Symbol.hasInstance](x) { return x % 2 === 0; } }
    assert.equal(await taken(2, Even), true);
    assert.equal(await taken(3, Even), false);
  });

  it('classes and predicates of another realm', async () => {
    const realm = vm.createContext({});
    const run = (code) => vm.runInContext(code, realm);
    assert.equal(await taken(run('new RangeError()'), run('RangeError')), true);
    assert.equal(await taken(new RangeError(), run('RangeError')), false);
    assert.equal(await taken(1, run('(function (x) { return x === 1; })')), true);
    assert.equal(await taken(2, run('(function (x) { return x === 1; })')), false);
  });

  it('functions without a prototype are predicates', async () => {
    assert.equal(await taken({ a: 1 }, function (x) { return x.a === this.a; }.bind({ a: 1 })), true);
    assert.equal(await taken({ a: 1 }, { f(x) { return x.a === 1; } }.f), true);
    assert.equal(await taken({}, new Proxy(MyError, {})), false);
    assert.equal(await taken(new MyError(), new Proxy(MyError, {})), true);
  });

  it('errors name the argument and what came', async () => {
    assert.throws(() => P.resolve().catch(Error, 'x'), /last argument of catch .*"x"/);
    assert.match((await rejection(P.resolve().catch(5, never))).message, /filter of catch .* 5$/);
    assert.match((await rejection(P.resolve().catch(Error, null, never))).message, /null/);
    assert.throws(() => P.resolve().error(7), /last argument of error .* 7$/);
  });

  it('handlers and predicates get the reason and nothing else, and no receiver', async () => {
    const seen = [];
    await P.reject(1).catch(
      function (...args) { seen.push([this, ...args]); return true; },
      function (...args) { seen.push([this, ...args]); },
    );
    assert.deepEqual(seen, [[undefined, 1], [undefined, 1]]);
  });

  it('what no filter takes is reported once', async () => {
    const events = await rejectionEvents(() => {
      P.reject('lost').catch(MyError, never);
    });
    assert.deepEqual(events.map((e) => [e.event, e.reason]), [['unhandledRejection', 'lost']]);
  });

  it('gives a promise of the subclass', async () => {
    const p = Sub.reject(new MyError()).catch(MyError, () => 1);
    assert.ok(p instanceof Sub);
    assert.equal(await p, 1);
  });

  it('goes through the then of any receiver', () => {
    const receiver = { then: (...args) => args };
    const [onFulfilled, onRejected] = P.prototype.catch.call(receiver, MyError, mark);
    assert.equal(onFulfilled, undefined);
    const e = new MyError();
    assert.deepEqual(onRejected(e), ['caught', e]);
    assert.throws(() => onRejected(1), (x) => x === 1);
    for (const bad of [undefined, null, 1, {}]) assert.throws(() => P.prototype.catch.call(bad, MyError, mark), TypeError);
  });
}

collectionTests('catch with filters', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { root } = require('./helpers/subject');
const { Bluebird, rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

const NAMES = { OperationalError: '', TimeoutError: 'timeout error', CancellationError: 'cancellation error' };

/** Another copy of the library in this process. */
function anotherCopy() {
  const saved = new Map();
  for (const key of Object.keys(require.cache)) {
    if (key.startsWith(root) && !key.includes('node_modules') && key.includes('lib')) {
      saved.set(key, require.cache[key]);
      delete require.cache[key];
    }
  }
  try {
    return require(root);
  } finally {
    for (const [key, module] of saved) require.cache[key] = module;
  }
}

function shared(C) {
  for (const name of Object.keys(NAMES)) {
    const E = C[name];

    it(`${name} is an Error with its name and message`, () => {
      const e = new E('text');
      assert.ok(e instanceof E && e instanceof Error);
      assert.equal(e.name, name);
      assert.equal(e.message, 'text');
      assert.equal(String(e), `${name}: text`);
      assert.match(e.stack, /errors\.test\.js/);
      assert.equal(Object.getPrototypeOf(e), E.prototype);
    });

    it(`${name} without new`, () => {
      const e = E('text');
      assert.ok(e instanceof E);
      assert.equal(e.message, 'text');
    });

    it(`${name}: other errors are none`, () => {
      for (const x of [new Error('x'), new TypeError('x'), {}, null, undefined, 1, () => {}]) assert.ok(!(x instanceof E));
    });
  }

  it('default messages', () => {
    assert.equal(new C.TimeoutError().message, 'timeout error');
    assert.equal(new C.CancellationError().message, 'cancellation error');
  });

  it('OperationalError of an error', () => {
    const cause = new RangeError('text');
    const e = new C.OperationalError(cause);
    assert.equal(e.cause, cause);
    assert.equal(e.message, 'text');
    assert.equal(e.stack, cause.stack);
    assert.equal(e.isOperational, true);
    assert.equal(new C.OperationalError('why').cause, 'why');
    assert.equal(C.RejectionError, C.OperationalError);
  });

  it('TypeError is that of the language', () => {
    assert.equal(C.TypeError, TypeError);
  });

  it('an error of a node-style callback is operational', async () => {
    const lifted = C.promisify((error, callback) => callback(error));
    const plain = new Error('plain');
    plain.code = 'CODE';
    const e = await rejection(lifted(plain));
    assert.ok(e instanceof C.OperationalError && e instanceof Error);
    assert.equal(e.isOperational, true);
    assert.equal(e.code, 'CODE');
    assert.equal(e.message, 'plain');
    assert.equal(e.stack, plain.stack);
    const typed = new TypeError('typed');
    assert.equal(await rejection(lifted(typed)), typed);
    assert.equal(typed.isOperational, true);
    assert.ok(!(typed instanceof C.OperationalError));
    const text = await rejection(lifted('text'));
    assert.ok(text instanceof C.OperationalError);
    assert.equal(text.message, 'text');
    const object = { no: 'error' };
    assert.equal(await rejection(lifted(object)), object);
    assert.equal(await lifted(null), undefined);
  });

  it('a frozen error', async () => {
    const frozen = Object.freeze(new Error('frozen'));
    const e = await rejection(C.promisify((callback) => callback(frozen))());
    assert.ok(e instanceof C.OperationalError);
    assert.equal(e.message, 'frozen');
  });

  it('AggregateError is array-like', async () => {
    const e = await rejection(C.some([C.reject(1), C.reject(2)], 1));
    assert.ok(e instanceof C.AggregateError);
    assert.deepEqual([e.length, e[0], e[1], e.isOperational], [2, 1, 2, true]);
  });
}

collectionTests('errors', shared, () => {
  it('a plain error of a callback stays the same object', async () => {
    const e = new Error('same');
    assert.equal(await rejection(P.promisify((callback) => callback(e))()), e);
    assert.deepEqual(Object.keys(e), []);
  });

  it('AggregateError is that of the language', () => {
    assert.equal(P.AggregateError, AggregateError);
  });

  it('errors of another copy of the library, and those of Bluebird, are instances', () => {
    const Q = anotherCopy();
    assert.notEqual(Q, P);
    for (const name of Object.keys(NAMES)) {
      assert.notEqual(Q[name], P[name]);
      assert.ok(new Q[name]('x') instanceof P[name]);
      assert.ok(new P[name]('x') instanceof Q[name]);
      assert.ok(new Bluebird[name]('x') instanceof P[name]);
      for (const other of Object.keys(NAMES)) {
        if (other !== name) assert.ok(!(new Q[name]('x') instanceof P[other]) && !(new Bluebird[name]('x') instanceof P[other]));
      }
    }
  });

  it('a class that extends one has its own instances', () => {
    class Mine extends P.TimeoutError {}
    const e = new Mine('x');
    assert.ok(e instanceof Mine && e instanceof P.TimeoutError && e instanceof Error);
    assert.equal(e.message, 'x');
    assert.ok(!(new P.TimeoutError('x') instanceof Mine));
  });
});

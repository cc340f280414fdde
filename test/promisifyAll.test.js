'use strict';

const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const { P, Native } = require('./helpers/subject');
const { rejection } = require('./helpers/util');
const { collectionTests } = require('./helpers/collections');

function shared(C) {
  it('gives each method a twin, and the object back', async () => {
    const object = { v: 7, add(a, cb) { cb(null, this.v + a); }, fail(cb) { cb(new Error('no')); }, text: 'text' };
    assert.equal(C.promisifyAll(object), object);
    assert.equal(await object.addAsync(1), 8);
    assert.equal((await rejection(object.failAsync())).message, 'no');
    assert.ok(object.addAsync(1) instanceof C);
    assert.ok(!('textAsync' in object) && !('vAsync' in object));
  });

  it('methods of classes: own, inherited, static', async () => {
    class A {
      a(cb) { cb(null, 'a'); }
      static s(cb) { cb(null, 's'); }
    }
    class B extends A {
      b(cb) { cb(null, `b${this.x}`); }
    }
    const library = { A, B };
    C.promisifyAll(library);
    const b = new B();
    b.x = 1;
    assert.deepEqual([await b.aAsync(), await b.bAsync(), await A.sAsync(), await B.sAsync()], ['a', 'b1', 's', 's']);
  });

  it('of a prototype and of an instance', async () => {
    class A {
      a(cb) { cb(null, 'a'); }
    }
    C.promisifyAll(A.prototype);
    assert.equal(await new A().aAsync(), 'a');
    class B {
      b(cb) { cb(null, 'b'); }
    }
    const b = C.promisifyAll(new B());
    assert.equal(await b.bAsync(), 'b');
    assert.equal(B.prototype.bAsync, undefined);
  });

  it('calls the method that the receiver has then', async () => {
    const object = C.promisifyAll({ f(cb) { cb(null, 'old'); } });
    object.f = (cb) => cb(null, 'new');
    assert.equal(await object.fAsync(), 'new');
    const heir = Object.create(object);
    heir.f = (cb) => cb(null, 'heir');
    assert.equal(await heir.fAsync(), 'heir');
  });

  it('a second call changes nothing', () => {
    const object = C.promisifyAll({ f() {} });
    const { fAsync } = object;
    C.promisifyAll(object);
    assert.equal(object.fAsync, fAsync);
    assert.deepEqual(Object.keys(object), ['f', 'fAsync']);
  });

  it('leaves names with an underscore, symbols and getters alone', () => {
    let calls = 0;
    const symbol = Symbol('s');
    const object = C.promisifyAll({ _f() {}, [symbol]() {}, get g() { calls++; return () => {}; }, h() {} });
    assert.deepEqual(Object.keys(object), ['_f', 'g', 'h', 'hAsync']);
    assert.equal(calls, 0);
  });

  it('options: suffix, filter, multiArgs, promisifier', async () => {
    const make = () => ({ f(cb) { cb(null, 1, 2); }, g(cb) { cb(null, 3, 4); } });
    assert.equal(await C.promisifyAll(make(), { suffix: 'Promised' }).fPromised(), 1);
    assert.deepEqual(await C.promisifyAll(make(), { multiArgs: true }).fAsync(), [1, 2]);
    const seen = [];
    const filtered = C.promisifyAll(make(), { filter(name, fn, target, passes) { seen.push([name, typeof fn, target.f === make.f, passes]); return name === 'g'; } });
    assert.deepEqual(Object.keys(filtered), ['f', 'g', 'gAsync']);
    assert.deepEqual(seen, [['f', 'function', false, true], ['g', 'function', false, true]]);
    const promisified = C.promisifyAll(make(), {
      promisifier: (fn, byDefault) => {
        const standard = byDefault();
        return function () { return standard.call(this).then((x) => x * 10); };
      },
    });
    assert.equal(await promisified.fAsync(), 10);
    assert.equal(await promisified.gAsync(), 30);
  });

  it('a method with the suffix beside the one without', () => {
    assert.throws(() => C.promisifyAll({ f() {}, fAsync() {} }), TypeError);
    assert.doesNotThrow(() => C.promisifyAll({ fAsync() {} }));
  });

  it('wrong arguments', () => {
    for (const x of [undefined, 1, 'x', true, Symbol('s')]) assert.throws(() => C.promisifyAll(x), TypeError);
    for (const suffix of ['', 'a b', '1', '-']) assert.throws(() => C.promisifyAll({}, { suffix }), RangeError);
  });

  it('a class gets a twin too; options that are null count as absent', () => {
    class A {
      m() {}
    }
    const options = { suffix: null, filter: null, promisifier: null };
    assert.deepEqual(Object.keys(C.promisifyAll({ A, f() {} }, options)), ['A', 'f', 'AAsync', 'fAsync']);
  });

  it('any number of arguments', async () => {
    const object = C.promisifyAll({ f(...args) { args.pop()(null, args); } });
    for (let n = 0; n < 8; n++) {
      const args = Array.from({ length: n }, (_, i) => i);
      assert.deepEqual(await object.fAsync(...args), args);
    }
  });

  it('a twin without a receiver calls the original; a receiver without the method rejects', async () => {
    const { fAsync } = C.promisifyAll({ f(cb) { cb(null, 'original'); } });
    assert.equal(await fAsync(), 'original');
    assert.ok((await rejection(fAsync.call({}))) instanceof TypeError);
  });

  it('an object that cannot be extended', () => {
    assert.throws(() => C.promisifyAll(Object.freeze({ f() {} })), TypeError);
  });

  it('node modules', async () => {
    const fs = C.promisifyAll({ ...require('node:fs') });
    assert.match(await fs.readFileAsync(__filename, 'utf8'), /node modules/);
    const e = await rejection(fs.readFileAsync('/no/such/file'));
    assert.equal(e.code, 'ENOENT');
    assert.equal(e.isOperational, true);
  });
}

collectionTests('promisifyAll', shared, () => {
  it('any name', async () => {
    const object = P.promisifyAll({ $(cb) { cb(null, 1); }, 'two words'(cb) { cb(null, 2); }, 'x-y'(cb) { cb(null, 3); }, ünï(cb) { cb(null, 4); } });
    assert.equal(await object.$Async(), 1);
    assert.deepEqual([await object['two wordsAsync'](), await object['x-yAsync'](), await object.ünïAsync()], [2, 3, 4]);
  });

  it('twins have name, length and properties of the method', () => {
    const object = { f(a, b, cb) { cb(a, b); } };
    object.f.extra = 1;
    P.promisifyAll(object);
    const { name, length, extra } = object.fAsync;
    assert.deepEqual({ name, length, extra }, { name: 'f', length: 2, extra: 1 });
  });

  it('a custom implementation is used, unless all values are wanted', async () => {
    const make = () => {
      const object = { f(cb) { cb(null, 1, 2); } };
      object.f[promisify.custom] = async function (x) { return [this === object, x]; };
      return object;
    };
    const object = P.promisifyAll(make());
    assert.deepEqual(await object.fAsync(3), [true, 3]);
    assert.deepEqual(await P.promisifyAll(make(), { multiArgs: true }).fAsync(), [1, 2]);
    object.f = (cb) => cb(null, 'other');
    assert.equal(await object.fAsync(), 'other');
    assert.equal(await P.promisifyAll({ ...require('node:fs') }).existsAsync(__filename), true);
  });

  it('a getter in the place of a twin is left alone', () => {
    const object = { f() {}, get fAsync() { throw new Error('called'); } };
    assert.equal(P.promisifyAll(object), object);
  });

  it('wrong options name themselves', () => {
    assert.throws(() => P.promisifyAll({}, { suffix: 1 }), { name: 'TypeError', message: 'expecting suffix to be a string but got 1' });
    assert.throws(() => P.promisifyAll({}, { filter: 1 }), { name: 'TypeError', message: 'expecting filter to be a function but got 1' });
    assert.throws(() => P.promisifyAll(null), { name: 'TypeError', message: 'expecting target to be an object or a function but got null' });
  });

  it('what a promisifier gives that is no function', () => {
    assert.throws(() => P.promisifyAll({ f() {} }, { promisifier: () => 1 }), TypeError);
  });

  it('a class and what it makes', async () => {
    class A {
      m(cb) { cb(null, this); }
    }
    assert.equal(P.promisifyAll(A), A);
    const native = Native.resolve(1);
    assert.equal(P.promisifyAll(native), native);
    assert.equal(A.prototype.mAsync, undefined);
  });
});

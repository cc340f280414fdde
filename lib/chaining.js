'use strict';
/** Methods that put one step after another: lastly, tap, spread, return, throw, get, call. */
const { CPromise } = require('./core');
const { promiseOf, react, rejected, isObject, describe } = require('./promise');
const { noteReturned } = require('./features');
const { silence } = require('./inputs');
const { install } = require('./install');

function call(object, name, args) {
  const method = object === null || object === undefined ? undefined : object[name];
  if (typeof method !== 'function') throw new TypeError(`${describe(object)} has no method ${describe(name)}`);
  return Reflect.apply(method, object, args);
}

/** An element; those of negative index are counted from the end, and start at the first. */
function elementOf(array, index) {
  return array[index < 0 ? Math.max(0, index + array.length) : index];
}

const methods = {
  /**
   * Calls `handler(value)`, waits for its result and passes the value on; unless the
   * handler fails, which rejects with its error.
   * @param {(value: any) => any} handler anything else is passed over
   * @see http://bluebirdjs.com/docs/api/tap.html
   */
  tap(handler) {
    if (typeof handler !== 'function') return this.then();
    return this.then(function (value) {
      const result = Reflect.apply(handler, this, [value]);
      noteReturned(result);
      return isObject(result) ? react(promiseOf(result), () => value) : value;
    });
  },

  /**
   * Waits for the elements of the value, as all does, and calls `fn(...values)`.
   * @param {(...values: any[]) => any} fn
   * @returns {CPromise} rejected with a TypeError when fn is no function or the value is not iterable
   * @see http://bluebirdjs.com/docs/api/spread.html
   */
  spread(fn) {
    if (typeof fn !== 'function') return rejected(new TypeError(`expecting a function but got ${describe(fn)}`));
    return this.all().then(function (values) {
      return Reflect.apply(fn, this, values);
    });
  },

  /**
   * Fulfills with `value` in place of the value; a promise is waited for, and its
   * rejection is not reported meanwhile.
   * @see http://bluebirdjs.com/docs/api/return.html
   */
  return(value) {
    silence(value);
    return this.then(() => value);
  },

  /**
   * Rejects with `reason` where the promise is fulfilled.
   * @see http://bluebirdjs.com/docs/api/throw.html
   */
  throw(reason) {
    return this.then(() => {
      throw reason;
    });
  },

  /**
   * The property `key` of the value. A negative number counts from the end.
   * @param {string|symbol|number} key
   * @see http://bluebirdjs.com/docs/api/get.html
   */
  get(key) {
    return this.then((value) => (typeof key === 'number' ? elementOf(value, key) : value[key]));
  },

  /**
   * Calls the method `name` of the value with `args`.
   * @param {string|symbol} name
   * @returns {CPromise} rejected with a TypeError when there is no such method
   * @see http://bluebirdjs.com/docs/api/call.html
   */
  call(name, ...args) {
    return this.then((value) => call(value, name, args));
  },
};

install(CPromise.prototype, methods);
install(CPromise.prototype, { thenReturn: methods.return, thenThrow: methods.throw, lastly: CPromise.prototype.finally });

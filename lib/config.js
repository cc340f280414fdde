'use strict';
/** Bluebird's Promise.config, the names of the environment, and the two old functions for long stack traces. */
const { environment } = require('#runtime');
const { CPromise } = require('./core');
const { describe } = require('./promise');
const { LONG_STACK_TRACES, WARNINGS, FORGOTTEN_RETURNS, MONITORING, turn, isOn } = require('./features');
const { install } = require('./install');
const { setCancellation } = require('./cancellation');
require('./observe');

/** What each option does with its value, a boolean. */
const options = {
  longStackTraces: (on) => turn(LONG_STACK_TRACES, on),
  warnings: (on) => turn(WARNINGS | FORGOTTEN_RETURNS, on),
  wForgottenReturn: (on) => turn(FORGOTTEN_RETURNS, on),
  monitoring: (on) => turn(MONITORING, on),
  cancellation: (on) => setCancellation(on),
  asyncHooks() {}, // contexts are always kept
};

/**
 * The options that are given, as [name, boolean], in the order of `options`.
 * @throws {TypeError} naming the option and its value
 */
function read(given) {
  const flat = { ...given };
  if (isRecord(flat.warnings)) {
    Object.assign(flat, { warnings: true, wForgottenReturn: flat.warnings.wForgottenReturn ?? flat.wForgottenReturn });
  }
  const list = [];
  for (const name of Object.keys(options)) {
    const value = flat[name];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') {
      const expected = name === 'warnings' ? 'a boolean or an object' : 'a boolean';
      throw new TypeError(`expecting ${name} to be ${expected} but got ${describe(value)}`);
    }
    list.push([name, value]);
  }
  return list;
}

const isRecord = (value) => typeof value === 'object' && value !== null;

const statics = {
  /**
   * Turns features on and off, at any time. What is not given stays as it is.
   * @param {object} [given]
   * @param {boolean} [given.longStackTraces] errors show the events that led to them
   * @param {boolean|{wForgottenReturn?: boolean}} [given.warnings] all of them, or without one kind
   * @param {boolean} [given.wForgottenReturn] warn of promises that a handler makes and does not return
   * @param {boolean} [given.monitoring] the process emits events about promises that are made from now on
   * @param {boolean} [given.cancellation] promises that are made from now on can be cancelled
   * @param {boolean} [given.asyncHooks] accepted for the sake of Bluebird: contexts are always kept
   * @returns {Function} the class
   * @throws {TypeError} a value of a wrong type; nothing has changed
   * @see http://bluebirdjs.com/docs/api/promise.config.html
   */
  config(given = {}) {
    if (!isRecord(given)) throw new TypeError(`expecting options to be an object but got ${describe(given)}`);
    for (const [name, on] of read(given)) options[name](on);
    return CPromise;
  },

  /**
   * The same as `config({longStackTraces: true})`.
   * @see http://bluebirdjs.com/docs/api/promise.longstacktraces.html
   */
  longStackTraces() {
    turn(LONG_STACK_TRACES, true);
  },

  /** Whether long stack traces are on. */
  hasLongStackTraces() {
    return isOn(LONG_STACK_TRACES);
  },
};

/** What Bluebird takes for on: all but 0 and nothing. */
const isSet = (text) => text.trim() !== '' && Number(text) !== 0;

/**
 * The environment: CPROMISE_ names come before BLUEBIRD_ names. A variable that is
 * set turns its feature on, unless it is empty, 0, or, of a CPROMISE_ name, false.
 * DEBUG stands for warnings and long stack traces, which may be turned off on their own.
 */
function readEnvironment() {
  const flag = (name, otherwise) => {
    const ours = environment(`CPROMISE_${name}`);
    if (ours !== undefined) return isSet(ours) && ours.trim().toLowerCase() !== 'false';
    const theirs = environment(`BLUEBIRD_${name}`);
    return theirs === undefined ? otherwise : isSet(theirs);
  };
  const debug = flag('DEBUG', false);
  const warnings = flag('WARNINGS', debug);
  return {
    longStackTraces: flag('LONG_STACK_TRACES', debug),
    warnings,
    wForgottenReturn: flag('W_FORGOTTEN_RETURN', warnings),
  };
}

install(CPromise, statics);
statics.config(readEnvironment());

'use strict';
/**
 * Warnings, as Bluebird has them: the process emits them as `warning` events with
 * the name `Warning`, which Node prints unless it is told not to.
 * @see http://bluebirdjs.com/docs/warning-explanations.html
 */
const { process } = require('#runtime');
const { WARNINGS, LONG_STACK_TRACES, isOn } = require('./features');
const { attach } = require('./long-traces');

class Warning extends Error {}

// As of the errors of the language: on the prototype, not enumerable.
Object.defineProperty(Warning.prototype, 'name', { value: 'Warning', writable: true, configurable: true });

/**
 * Warns, if warnings are on.
 * @param {string} message
 * @param {Trace} [trace] where the promise in question was made
 */
function warn(message, trace) {
  if (!isOn(WARNINGS)) return;
  const warning = new Warning(message);
  attach(warning, isOn(LONG_STACK_TRACES) ? trace : undefined);
  try {
    process.emitWarning(warning);
  } catch {
    process.emit('warning', warning); // our Error is that of another realm than Node's
  }
}

/** What a value is, in the words of these warnings: [object Null]. */
function classOf(value) {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return '[object Object]';
  }
}

module.exports = { warn, classOf };

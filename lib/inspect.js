'use strict';
/** What util.inspect and console.log show of a promise: what they show of a native one. */
const { CPromise } = require('./core');
const { isPromise } = require('./promise');
const { FULFILLED, REJECTED, HANDLED, FOLLOWING, target } = require('./state');
const { install } = require('./install');

const OWN_FIELDS = new Set(['_s', '_v', '_f', '_r']);

/** The state of a promise as [state, value], seen through what it follows. */
function stateOf(promise) {
  const p = promise._s === FOLLOWING ? target(promise) : promise;
  return [p._s, p._v];
}

/** The name under which util.inspect shows an object of this class. */
function label(promise) {
  const C = promise.constructor;
  const name = typeof C === 'function' && typeof C.name === 'string' && C.name !== '' ? C.name : 'Promise';
  return name === 'Promise' ? 'Promise' : `${name} [Promise]`;
}

const methods = {
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (!isPromise(this)) return inspect(this, { ...options, customInspect: false });
    const name = label(this);
    if (depth < 0) return options.stylize(`[${name}]`, 'special');
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    const [state, value] = stateOf(this);
    const parts = [];
    if (state === FULFILLED) parts.push(inspect(value, inner));
    else if (state === REJECTED || state === HANDLED) {
      parts.push(`${options.stylize('<rejected>', 'special')} ${inspect(value, inner)}`);
    } else parts.push(options.stylize('<pending>', 'special'));
    for (const key of Object.keys(this)) {
      if (!OWN_FIELDS.has(key)) parts.push(`${key}: ${inspect(this[key], inner)}`);
    }
    return layout(name, parts, options);
  },
};

/** On one line where it fits, else one part a line, as util.inspect lays objects out. */
function layout(name, parts, options) {
  const line = `${name} { ${parts.join(', ')} }`;
  if (line.length <= (options.breakLength ?? 80) && !line.includes('\n')) return line;
  return `${name} {\n  ${parts.map((part) => part.replaceAll('\n', '\n  ')).join(',\n  ')}\n}`;
}

install(CPromise.prototype, methods);

module.exports = { stateOf };

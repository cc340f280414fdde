'use strict';

const path = require('node:path');
const { root } = require('./subject');

/**
 * A copy of the library whose engine can be made to run out of memory.
 *
 * @returns {{P: PromiseConstructor, engine: object, exhaust: () => void, refill: () => void}}
 *   exhaust uses up what is left of all pages that are open
 */
function exhaustible() {
  const lib = path.join(root, 'lib') + path.sep;
  const ours = () => Object.keys(require.cache).filter((file) => file.startsWith(lib));
  const others = ours().map((file) => [file, require.cache[file]]);
  for (const file of ours()) delete require.cache[file];
  try {
    const host = require('../../lib/binding');
    let isEmpty = false;
    const guard = (call) => (...args) => {
      if (isEmpty) throw new RangeError('out of memory');
      return call(...args);
    };
    Object.assign(host, { open: guard(host.open), reserve: guard(host.reserve) });
    const P = require('../..');
    const engine = require('../../lib/engine');
    const useUp = (take) => {
      try {
        for (;;) take();
      } catch {
        // Nothing is left.
      }
    };
    return {
      P,
      engine,
      exhaust() {
        isEmpty = true;
        useUp(engine.takeSlot);
        useUp(() => engine.takePinned(undefined));
        useUp(() => engine.takeTimed(undefined));
      },
      refill() {
        isEmpty = false;
      },
    };
  } finally {
    for (const file of ours()) delete require.cache[file];
    for (const [file, module] of others) require.cache[file] = module;
  }
}

module.exports = { exhaustible };

'use strict';

/** This library with its engine in WebAssembly, as where no addon can be loaded. */
module.exports = {
  name: 'cpromise-wasm',
  style: 'promises',
  load() {
    process.env.CPROMISE_HOST = 'wasm';
    return require('./cpromise.js').load();
  },
};

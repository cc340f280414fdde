'use strict';
/** Figures of the engine, for monitoring. */
const { CPromise } = require('./core');
const engine = require('./engine');
const { install } = require('./install');

const statics = {
  /**
   * @returns {{calls: number, turns: number, commands: number, slots: number, pages: number, bytes: number}}
   *   calls: times the engine in C has been entered; turns: drains among them;
   *   commands: what it was told; slots: promises that wait or are waited for,
   *   and slots of open pages not handed out yet; pages: open pages of 256 slots;
   *   bytes: memory held outside of the JavaScript heap.
   */
  stats() {
    return engine.stats();
  },
};

install(CPromise, statics);

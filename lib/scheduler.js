'use strict';
/** Bluebird's Promise.setScheduler. */
const { CPromise } = require('./core');
const { describe } = require('./promise');
const { setSchedule } = require('./engine');
const { install } = require('./install');

/** The scheduler of the user; undefined while it is our own. */
let current;

const statics = {
  /**
   * Replaces the scheduler: from now on `scheduler(run)` is called whenever
   * handlers have become ready, and is to call `run` later. One call runs all
   * that is ready by then, in order. `run` does nothing inside the call of the
   * scheduler itself: handlers then run in a microtask, as usual.
   * @param {((run: () => void) => void) | undefined} scheduler undefined restores the microtask
   * @returns {Function | undefined} the scheduler that was replaced
   * @throws {TypeError} scheduler is no function
   * @see http://bluebirdjs.com/docs/api/promise.setscheduler.html
   */
  setScheduler(scheduler) {
    if (scheduler !== undefined && typeof scheduler !== 'function') {
      throw new TypeError(`expecting scheduler to be a function but got ${describe(scheduler)}`);
    }
    const previous = current;
    current = scheduler;
    setSchedule(scheduler);
    return previous;
  },
};

install(CPromise, statics);

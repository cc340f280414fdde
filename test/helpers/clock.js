'use strict';

// A clock made by hand, as the fake timers of test runners are.

const real = { setTimeout, clearTimeout, now: Date.now, performanceNow: performance.now };

/**
 * Puts setTimeout, clearTimeout, Date.now and performance.now of its own into the
 * global place. `tick(ms)` moves the time and calls what has come, in order.
 */
function fakeClock() {
  let now = 1000;
  let order = 0;
  const timers = new Map();

  class Timer {
    constructor(fn, at) {
      this.fn = fn;
      this.at = at;
      this.order = order++;
      this.isRef = true;
    }

    unref() {
      this.isRef = false;
      return this;
    }
  }

  globalThis.setTimeout = (fn, ms = 0) => {
    const timer = new Timer(fn, now + ms);
    timers.set(timer, timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer);
  };
  Date.now = () => now;
  performance.now = () => now;

  const next = () => [...timers.values()].sort((a, b) => a.at - b.at || a.order - b.order)[0];

  return {
    tick(ms) {
      const end = now + ms;
      for (let timer = next(); timer !== undefined && timer.at <= end; timer = next()) {
        now = timer.at;
        timers.delete(timer);
        timer.fn();
      }
      now = end;
    },
    /** Timers that have been set and neither called nor cleared. */
    get pending() {
      return timers.size;
    },
    get pendingRefs() {
      return [...timers.values()].filter((timer) => timer.isRef).length;
    },
    restore() {
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
      Date.now = real.now;
      performance.now = real.performanceNow;
    },
  };
}

/** Runs `body` with a clock of its own. */
async function withFakeClock(body) {
  const clock = fakeClock();
  try {
    return await body(clock);
  } finally {
    clock.restore();
  }
}

/** What is known of a promise now: 'pending', or its outcome. */
function watched(promise) {
  const seen = { state: 'pending', value: undefined };
  promise.then(
    (value) => { seen.state = 'fulfilled'; seen.value = value; },
    (reason) => { seen.state = 'rejected'; seen.value = reason; },
  );
  return seen;
}

/** Keeps the loop busy for at least `ms`. */
function block(ms) {
  const end = real.performanceNow.call(performance) + ms;
  while (real.performanceNow.call(performance) < end);
}

module.exports = { watched, withFakeClock, block };

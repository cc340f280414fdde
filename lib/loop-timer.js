'use strict';
/**
 * The clock of deadlines where libuv must not be called: one timer of the runtime
 * does what the one of src/host_uv.c does.
 */
const { now, setTimeout, clearTimeout } = require('#runtime');

/** Behind the log of deadlines, as in src/engine.h. */
const afterLog = (deadlines) => deadlines.length - 2;

/** A timer of the runtime counts no further, and complains about less than nothing. */
const LONGEST = 0x7fffffff;

/**
 * The same host with a clock of its own.
 * @param {object} host see src/host_node.c
 */
function withTimer(host) {
  const { deadlines } = host;
  const NEXT = afterLog(deadlines);
  const REFS = NEXT + 1;
  let wake; // undefined until the clock is started
  let timer;
  let armed = Infinity; // what it is set for
  let told = -Infinity; // what time the engine has been told last

  function onTimer() {
    timer = undefined;
    armed = Infinity;
    const time = now();
    try {
      if (deadlines[NEXT] <= time) {
        host.due(time);
        wake();
        told = time;
      }
    } finally {
      update();
    }
  }

  /** Sets the timer as it is to be: at once when a deadline is earlier, else when it has come. */
  function update() {
    if (wake === undefined) return;
    const next = deadlines[NEXT];
    if (next < armed && next > told) {
      clearTimeout(timer);
      timer = setTimeout(onTimer, Math.min(Math.max(Math.ceil(next - now()), 0), LONGEST));
      armed = next;
    }
    if (deadlines[REFS] > 0) timer?.ref?.();
    else timer?.unref?.();
  }

  const updating = (call) => () => {
    try {
      call();
    } finally {
      update();
    }
  };

  return {
    ...host,
    turn: updating(host.turn),
    flush: updating(host.flush),
    reserve: updating(host.reserve),
    clock(callback) {
      wake = callback;
    },
    now,
  };
}

module.exports = { withTimer };

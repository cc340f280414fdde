'use strict';
/**
 * The JavaScript end of the engine: hands out slots, logs commands, holds the
 * pins, schedules and runs the drain. It knows slots and pins, but nothing
 * about promises. The contract is src/engine.h.
 *
 * A pin is a strong reference from a slot to the promise that has something to
 * run when the slot becomes ready. Pins live in one array per page, which is
 * born with the page and dies young; one old array for all of them would make
 * the garbage collector re-scan it at every store.
 */
const host = require('./binding');
const { microtask, NativePromise, nativeThen } = require('#runtime');

const { commands, window, header, deadlines, turn, flush, open, reserve } = host;

/** Operations, as in src/engine.h. A command is [slot << 4 | op, argument]. */
const YIELD = 0;
const THEN = 1;
const NOW = 2;
const JOB = 3;
const SETTLE = 4;
const MERGE = 5;
const COMBINE = 6;
const USE = 7;
const ITEM = 8;
const NEED = 9;
const SLACK = 10;
const FIRE = 11;
const DROP = 12;
const COUNT = 13;
const WINDOW = 14;
const DONE = 15;

/** Words of the header. */
const COMMANDS = 0;
const READY = 1;
const MORE = 2;
const OPEN_PAGES = 3;
const DEADLINES = 4;
const ROOM = 5;

/** What the window shows beside a promise that is due. */
const DUE = -0x80000000;

const FULL = commands.length;
const PAGE = 256;

/** Pins of each page; undefined while a page has none. @type {(any[]|undefined)[]} */
const pages = [];
/** The epoch in which each of these arrays was born. @type {number[]} */
const born = [];

let logged = 0; // words in `commands`
let next = 0; // the slot to hand out next, of those that pin something
let limit = 0; // where its page ends
let pins; // the pins of its page
let nextBare = 0; // the same for slots without a pin: their pages need no array
let limitBare = 0;
let nextTimed = 0; // the same for promises with deadlines, which may live for long
let limitTimed = 0;
let timed = 0; // pairs in `deadlines`
let started = false; // the clock runs
let epoch = 0;
let opened = 0; // pages opened since the last sweep
let threshold = Infinity; // a sweep comes after this many
let soon = Infinity; // or after this many, when isDue(opened) says so
let urgent = false; // something that was logged may make a slot ready
let scheduled = false;

/** What the layers above do with ready slots, and when a drain has ended. */
let dispatch;
let afterDrain;
let sweep;
let isDue;

function openPage() {
  if (opened >= soon && isDue(opened)) threshold = opened;
  if (opened >= threshold && !scheduled) {
    // Not by the user's scheduler, which is code that might come back here.
    defaultSchedule(drain);
    scheduled = true;
  }
  const page = open();
  opened++;
  while (pages.length <= page) {
    pages.push(undefined);
    born.push(0);
  }
  return page;
}

function openPinned() {
  const page = openPage();
  pages[page] = pins = new Array(PAGE);
  born[page] = epoch;
  next = page * PAGE;
  limit = next + PAGE;
}

function openBare() {
  const page = openPage();
  pages[page] = undefined;
  nextBare = page * PAGE;
  limitBare = nextBare + PAGE;
}

function openTimed() {
  const page = openPage();
  pages[page] = undefined;
  nextTimed = page * PAGE;
  limitTimed = nextTimed + PAGE;
}

/** A slot without a pin. @throws {RangeError} out of memory or slots; nothing has changed */
function takeSlot() {
  if (nextBare === limitBare) openBare();
  return nextBare++;
}

/** A slot that pins `value`. @throws {RangeError} as takeSlot */
function takePinned(value) {
  if (next === limit) openPinned();
  pins[next & (PAGE - 1)] = value;
  return next++;
}

/** A slot that pins `value`, for a promise that will have a deadline. @throws {RangeError} as takeSlot */
function takeTimed(value) {
  if (nextTimed === limitTimed) openTimed();
  pin(nextTimed, value);
  return nextTimed++;
}

/** Pins `value` to a slot taken before. */
function pin(slot, value) {
  const page = slot >> 8;
  let array = pages[page];
  if (array === undefined) {
    array = pages[page] = new Array(PAGE);
    born[page] = epoch;
  }
  array[slot & (PAGE - 1)] = value;
}

/** The value pinned to a slot. */
function pinned(slot) {
  const array = pages[slot >> 8];
  return array === undefined ? undefined : array[slot & (PAGE - 1)];
}

/** Takes the pin of a slot that has one. */
function unpin(slot) {
  const array = pages[slot >> 8];
  const value = array[slot & (PAGE - 1)];
  array[slot & (PAGE - 1)] = undefined;
  return value;
}

/**
 * Logs a command that makes nothing ready by itself. What can throw (a flush
 * near the end of the stack) comes before anything changes.
 */
function log(word, argument) {
  if (logged === FULL) flushAll();
  commands[logged] = word;
  commands[logged + 1] = argument;
  logged += 2;
}

/** Logs a command that may make slots ready, and sees to it that a drain comes. */
function logReady(word, argument) {
  if (!scheduled) wake();
  if (logged === FULL) flushAll();
  commands[logged] = word;
  commands[logged + 1] = argument;
  logged += 2;
  urgent = true;
}

/** Makes sure that the next deadline can be set. @throws {RangeError} out of memory */
function reserveDeadline() {
  if (!scheduled) wake();
  if (timed === header[ROOM]) makeRoom();
}

function makeRoom() {
  if (!started) {
    host.clock(wake);
    started = true;
  }
  header[DEADLINES] = timed;
  timed = 0;
  reserve();
}

/**
 * Gives the promise of a slot, which waits for nothing or for a combinator, a
 * deadline in place of the one that it may have: then it becomes ready as a job
 * with the argument DUE. It loses it when it becomes ready by something else.
 * @param {number} slot
 * @param {number} deadline on the clock of clock.js; -Infinity: at once
 * @param {number} ref 1: the process is to wait for it, else 0
 * @throws {RangeError} as reserveDeadline, and only where that was not called before
 */
function setDeadline(slot, deadline, ref) {
  reserveDeadline();
  const at = 2 * timed++;
  deadlines[at] = deadline;
  deadlines[at + 1] = 2 * slot + ref;
  urgent = true;
}

/** The combinator that items are added to, and the index that the next one gets. */
let combinatorInUse = 0;
let nextIndex = 0;

/** Makes `slot` a combinator for the promise with slot `owner`. */
function combine(slot, owner) {
  log((slot << 4) | COMBINE, owner);
  combinatorInUse = slot;
  nextIndex = 0;
}

function use(combinator, index) {
  if (combinator === combinatorInUse && index === nextIndex) return;
  log((combinator << 4) | USE, index);
  combinatorInUse = combinator;
  nextIndex = index;
}

/** Puts an item of `combinator` into the reactions of the promise with slot `parent`. */
function addItem(combinator, index, parent) {
  const item = takeSlot();
  use(combinator, index);
  log((parent << 4) | ITEM, item);
  nextIndex++;
}

/** Makes `count` fresh slots from `slot` on carry items of `combinator`. */
function addCarriers(combinator, index, slot, count) {
  use(combinator, index);
  log((slot << 4) | COUNT, count);
  nextIndex += count;
}

function flushAll() {
  header[COMMANDS] = FULL >> 1;
  logged = 0;
  header[DEADLINES] = timed;
  timed = 0;
  try {
    flush();
  } catch (e) {
    throwLater(e);
  }
}

/**
 * A command that made no sense is a fault of this library. The engine has passed
 * it over and goes on; the process hears of it.
 */
function throwLater(error) {
  microtask(() => {
    throw error;
  });
}

/** Makes sure that a drain runs in this turn of the event loop. */
function wake() {
  if (scheduled) return;
  if (enter === undefined) schedule(drain);
  else enter(schedule, drain);
  scheduled = true;
}

/** Lets the next sweep come after `count` new pages in all, if not before. */
function sweepAfter(count) {
  if (count < threshold) threshold = count;
  if (opened >= threshold) wake();
}

/** Pages that hold slots, as of the last turn. */
function openPages() {
  return header[OPEN_PAGES];
}

/**
 * Hands all commands to the engine and runs what has become ready, until
 * nothing is. A second turn is needed only when something logged meanwhile can
 * make slots ready or the window could not hold them all.
 */
function drain() {
  do {
    urgent = false;
    header[COMMANDS] = logged >> 1;
    logged = 0;
    header[DEADLINES] = timed;
    timed = 0;
    try {
      turn();
    } catch (e) {
      throwLater(e);
    }
    dispatch(header[READY]);
    if (!urgent && header[MORE] === 0) afterDrain();
  } while (urgent || header[MORE] !== 0);
  scheduled = false;
  if (opened >= threshold) {
    threshold = sweep(next === limit ? 0 : next >> 8, epoch);
    epoch++;
    opened = 0;
  }
}

// ------------------------------------------------------------------ scheduling

const settledPromise = NativePromise.resolve();

/**
 * One microtask, as a reaction on a kept native promise: on Node 20, 22, 24 and
 * 26 it costs half of queueMicrotask, which makes an AsyncResource.
 */
const defaultSchedule = (run) => { nativeThen.call(settledPromise, run); };

let schedule = defaultSchedule;
let enter;

/**
 * Replaces the way in which drains are scheduled; undefined restores it.
 * A scheduler that calls back at once is not obeyed: a drain never runs inside
 * the call that asked for it.
 */
function setSchedule(custom) {
  if (custom === undefined) {
    schedule = defaultSchedule;
    return;
  }
  schedule = (run) => {
    let inside = true;
    let called = false;
    custom(() => {
      if (called) return;
      called = true;
      if (inside) defaultSchedule(run);
      else run();
    });
    inside = false;
  };
}

/** Makes every drain be scheduled through enter(schedule, drain). */
function setEntry(custom) {
  enter = custom;
}

/** Connects the layers above; called once. */
function start(hooks) {
  ({ dispatch, afterDrain, sweep, isDue, soon } = hooks);
}

/** Figures of the engine. See the type CPromiseStats in the documentation of `stats`. */
function stats() {
  return host.stats();
}

module.exports = {
  THEN, NOW, JOB, SETTLE, MERGE, COMBINE, USE, ITEM, NEED, SLACK, FIRE, DROP, COUNT, WINDOW, DONE, YIELD,
  DUE, window, pages, born, takeSlot, takePinned, takeTimed, pin, pinned, unpin, log, logReady, wake, combine, addItem, addCarriers,
  reserveDeadline, setDeadline,
  sweepAfter, openPages,
  setSchedule, setEntry,
  start, stats, check: host.check, host: host.host,
};

'use strict';
/**
 * Tenure: what becomes of promises that stay pending for long.
 *
 * A pin keeps a waiting promise alive whether or not anybody can ever settle
 * what it waits for. So pins are for the young. A sweep takes each pin that has
 * survived an epoch and hands the waiting promise to the promise it waits for:
 *
 *   young:    page ==pin==> child --_v--> parent
 *   tenured:  parent --_f--> Tenured.kids ==> child --_v--> parent
 *
 * From then on ordinary reachability decides. When the parent settles, its kids
 * are pinned again and run as usual. When it is collected, a finalizer drops
 * its slot.
 */
const { DROP, pages, born, takeSlot, pin, log, sweepAfter, openPages } = require('./engine');
const { now } = require('#runtime');
const { PENDING, FOLLOWING, Handlers, Continuation, jobOf, target } = require('./state');

/** What `_f` of a tenured promise holds. */
class Tenured {
  constructor(f, r, cell) {
    this.f = f;
    this.r = r;
    this.kids = [];
    this.cell = cell;
  }
}

/**
 * When to sweep. Tenure costs a promise about 2 µs, which is lost on those that
 * are settled after all and well spent on those that are abandoned; nobody can
 * tell them apart beforehand. So the next sweep is put off for as long as it
 * takes to open twice as many pages as there are, unless half of what has been
 * tenured lately was abandoned.
 */
const YOUNG_PAGES = 512;
let tenured = 0; // lately
let dropped = 0;

const registry = new FinalizationRegistry((cell) => {
  if (cell.slot === 0) return;
  log((cell.slot << 4) | DROP, 0);
  if (++dropped * 2 > tenured) sweepAfter(YOUNG_PAGES);
});

/**
 * With time, sweeps get cheaper: what has waited for long may as well be tenured,
 * if there is not too much of it. `opened` are the pages opened since the last sweep.
 */
const SOON_PAGES = 256;
const SOON_TIME = 500; // ms
const SOON_OLD_PAGES = 64;

function isDue(opened) {
  return openPages() - opened <= SOON_OLD_PAGES && now() - swept >= SOON_TIME;
}

/**
 * Pages tell how many promises wait, not how much memory they hold on to. So a
 * full garbage collection asks for a sweep as well, at most once a second and
 * while there are few: what has lived that long can bear the price of tenure.
 */
const SWEEP_INTERVAL = 1000; // ms
const FEW_PAGES = 64;
let swept = now();

const collections = new FinalizationRegistry(() => {
  collections.register({});
  if (now() - swept >= SWEEP_INTERVAL && openPages() <= FEW_PAGES) sweepAfter(0);
});
collections.register({});

/** Makes a pending promise tenured, unless it is, and returns its record. */
function tenure(promise) {
  const s = promise._s;
  if (s < 0) return promise._f;
  const slot = s === 0 ? takeSlot() : s >> 2;
  const cell = { slot };
  let f = promise._f;
  let r = promise._r;
  if (f instanceof Handlers) {
    promise._r = f.representative;
    r = f.r;
    f = f.f;
  } else if (f instanceof Continuation) {
    if (r === f) promise._r = undefined;
    r = f;
  } else if (typeof r === 'function') {
    promise._r = undefined;
  } else {
    r = undefined;
  }
  const record = new Tenured(f, r, cell);
  promise._f = record;
  promise._s = s === 0 ? -(slot << 2) : -s;
  registry.register(promise, cell);
  tenured++;
  return record;
}

/**
 * Takes the slot back from a tenured promise that is about to settle or to
 * follow another: its kids are pinned again.
 */
function untenure(promise) {
  const record = promise._f;
  record.cell.slot = 0;
  for (const kid of record.kids) {
    if (kid._s < 0) pin(-kid._s >> 2, kid);
  }
  promise._f = undefined;
}

const isJob = (job) => typeof job === 'object' && job !== null;

/**
 * How far up a chain a deadline is looked for. A chain that is longer is tenured
 * below, which is slower and nothing else.
 */
const NEAR = 16;

/**
 * Whether a pending promise will be settled at a deadline, or when one has been
 * that will. The clock holds it, so nothing is gained by tenuring those who wait
 * for it, and 100,000 at a time would take long.
 */
function isHeld(promise, near = NEAR) {
  for (; near > 0; near--) {
    const s = promise._s;
    if (s > 0 && s <= FOLLOWING) return false;
    const job = jobOf(promise);
    if (isJob(job)) {
      if (job.isHeld === true) return true;
      if (typeof job.eachPending === 'function') {
        const rest = near - 1;
        return job.eachPending((input) => isHeld(input, rest)) === true;
      }
    }
    promise = promise._v;
    if (promise === undefined) return false;
    if (promise._s === FOLLOWING) promise = target(promise);
  }
  return false;
}

/** Hands a promise whose pin has survived to whatever can settle it. */
function handOver(promise) {
  const record = tenure(promise);
  const job = record.f;
  if (isJob(job) && typeof job.eachPending === 'function') {
    job.eachPending((input) => tenure(input).kids.push(promise));
  } else if (promise._v !== undefined) {
    let parent = promise._v;
    if (parent._s === FOLLOWING) parent = target(parent);
    tenure(parent).kids.push(promise);
  }
}

/**
 * Hands over all pins that were not born in `epoch` and that no deadline holds,
 * and lets go of their arrays. Runs when nothing is ready. `open` is the page that is being handed
 * out, whose array stays (0: none).
 * @returns {number} after how many new pages to sweep again
 */
function sweep(open, epoch) {
  swept = now();
  tenured >>= 1;
  dropped >>= 1;
  // Tenuring takes slots and so may open pages: those are young.
  const end = pages.length;
  for (let page = 1; page < end; page++) {
    const pins = pages[page];
    if (pins === undefined || born[page] === epoch) continue;
    let isKept = page === open;
    for (let i = 0; i < pins.length; i++) {
      const promise = pins[i];
      if (promise === undefined) continue;
      if (isHeld(promise)) {
        isKept = true;
        continue;
      }
      pins[i] = undefined;
      if (promise._s <= PENDING || promise._s > FOLLOWING) handOver(promise);
    }
    if (!isKept) pages[page] = undefined;
  }
  return dropped * 2 > tenured ? YOUNG_PAGES : Math.max(YOUNG_PAGES, 2 * openPages());
}

sweepAfter(YOUNG_PAGES);

module.exports = { tenure, untenure, sweep, isDue, SOON_PAGES };

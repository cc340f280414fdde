'use strict';
/**
 * A line of work: tasks wait in it for one of so many places. Who is next, and how
 * many are under way, is kept by the engine (see lines in src/engine.h).
 */
const { THEN, COMBINE, WINDOW, DONE, FIRE, DROP, takeSlot, log, logReady } = require('./engine');
const { slotPinned, setJob } = require('./promise');

/** The engine's word for no limit. */
const UNLIMITED = 2 ** 27;

/** What a task is completed with when the line has been cleared. */
const CLEARED = -1;

/** A line that nobody can use any more gives its slots back. */
const registry = new FinalizationRegistry((slot) => log((slot << 4) | DROP, 0));

class Line {
  /** @param {number} places 0 or more, or Infinity. @throws {RangeError} out of slots */
  constructor(places) {
    this.slot = takeSlot();
    this.places = places;
    this.lanes = []; // {priority, slot}, the highest priority first
    log((this.slot << 4) | WINDOW, Math.min(places, UNLIMITED));
    registry.register(this, this.slot);
  }

  /** From now on there are so many places. What is under way stays. */
  setPlaces(places) {
    if (places === this.places) return;
    this.places = places;
    logReady((this.slot << 4) | WINDOW, Math.min(places, UNLIMITED));
  }

  /**
   * Makes a fresh promise wait: task.complete(promise, 0) is called when it has a
   * place, or with CLEARED. Among those of a priority first come, first served.
   * @throws {RangeError} out of slots
   */
  wait(promise, task, priority = 0) {
    const lane = this.laneOf(priority);
    const slot = slotPinned(promise);
    setJob(promise, task);
    log((lane << 4) | THEN, slot);
    logReady((this.slot << 4) | DONE, 0);
  }

  /** The lane of a priority. */
  laneOf(priority) {
    const { lanes } = this;
    let i = 0;
    while (i < lanes.length && lanes[i].priority > priority) i++;
    if (i < lanes.length && lanes[i].priority === priority) return lanes[i].slot;
    const slot = takeSlot();
    log((slot << 4) | COMBINE, i === 0 ? this.slot : lanes[i - 1].slot);
    lanes.splice(i, 0, { priority, slot });
    return slot;
  }

  /** A place is given back. */
  free() {
    logReady((this.slot << 4) | DONE, 1);
  }

  /** Completes all tasks that wait with CLEARED, in a job each. */
  clear() {
    logReady((this.slot << 4) | FIRE, CLEARED);
  }
}

module.exports = { Line, CLEARED };

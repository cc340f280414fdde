'use strict';

// The engine on both hosts, given the same commands: the same windows, headers,
// errors and figures. What the engine is to do is tested elsewhere.

const assert = require('node:assert/strict');
const { P, isNative } = require('./helpers/subject');
const { random } = require('./helpers/program');
const { loadAddon } = require('../lib/native');
const wasm = require('../lib/wasm-host');

const OPS = {
  YIELD: 0, THEN: 1, NOW: 2, JOB: 3, SETTLE: 4, MERGE: 5, COMBINE: 6, USE: 7,
  ITEM: 8, NEED: 9, SLACK: 10, FIRE: 11, DROP: 12, COUNT: 13, WINDOW: 14, DONE: 15,
};
const PAIRS = 4096;
const [COMMANDS, READY, MORE, DEADLINES, ROOM] = [0, 1, 2, 4, 5]; // words of the header
const PAGE = 256;
const LENGTH = 20000; // commands, about; or more

/**
 * Random commands, most of which make sense. Slots are handed out as
 * lib/engine.js does; what becomes of them is not followed closely.
 */
class Player {
  constructor(seed, hosts) {
    this.random = random(seed);
    this.hosts = hosts;
    this.next = 0;
    this.pairs = 0;
    this.promises = [];
    this.combinators = [];
    this.shown = 0;
    this.errors = 0;
    this.timed = 0; // deadlines logged
    this.now = 0;
  }

  /** What each host makes of a call; they must agree. */
  both(call) {
    const [a, b] = this.hosts.map((host) => {
      try {
        return { result: call(host) };
      } catch (e) {
        return { error: [e.name, e.code, e.message] };
      }
    });
    assert.deepEqual(a, b);
    if (a.error !== undefined) this.errors++;
    return a.result;
  }

  slot() {
    if (this.next % PAGE === 0) this.next = this.both((host) => host.open()) * PAGE;
    return this.next++;
  }

  log(op, slot, argument) {
    for (const { commands } of this.hosts) {
      commands[2 * this.pairs] = (slot << 4) | op;
      commands[2 * this.pairs + 1] = argument;
    }
    this.pairs++;
    if (this.pairs === PAIRS) this.send('flush');
  }

  send(name) {
    for (const { header } of this.hosts) {
      header[COMMANDS] = this.pairs;
      header[DEADLINES] = this.timed;
    }
    this.pairs = 0;
    this.timed = 0;
    this.both((host) => host[name]());
    this.both(({ deadlines }) => Array.from(deadlines.subarray(-2)));
  }

  /** A deadline, or none any more; there must be room in the log. */
  deadline(slot) {
    if (this.timed >= this.hosts[0].header[ROOM]) {
      for (const { header } of this.hosts) header[DEADLINES] = this.timed;
      this.timed = 0;
      this.both((host) => host.reserve());
    }
    const deadline = this.random(10) === 0 ? Infinity : this.now + this.random(50);
    const word = (slot << 1) | this.random(2);
    for (const { deadlines } of this.hosts) deadlines.set([deadline, word], 2 * this.timed);
    this.timed++;
  }

  pick(list) {
    return list[this.random(list.length)];
  }

  take(list) {
    const i = this.random(list.length);
    const slot = list[i];
    list[i] = list.at(-1);
    list.pop();
    return slot;
  }

  promise() {
    const slot = this.slot();
    this.promises.push(slot);
    return slot;
  }

  combinator() {
    const combinator = this.slot();
    const count = this.random(6);
    this.log(OPS.COMBINE, combinator, this.promise());
    if (this.random(4) === 0) {
      this.log(OPS.WINDOW, combinator, 1 + this.random(4));
      this.combinators.push(combinator);
    }
    for (let i = 0; i < count; i++) this.log(OPS.ITEM, this.pick(this.promises), this.slot());
    if (this.random(2) === 0) {
      const slot = this.promise();
      const more = Math.min(1 + this.random(5), PAGE - (slot % PAGE));
      while (this.next < slot + more) this.promise();
      this.log(OPS.COUNT, slot, more);
    }
    this.log(OPS.NEED, combinator, 1 + this.random(count + 3));
    this.log(OPS.SLACK, combinator, this.random(3));
    if (this.random(3) === 0) this.log(OPS.FIRE, combinator, -1);
  }

  command() {
    const { promises, combinators } = this;
    const kind = this.random(23);
    if (promises.length === 0) this.promise();
    if (kind < 8) this.log(OPS.THEN, this.pick(promises), this.promise());
    else if (kind < 13) this.log(OPS.SETTLE, this.take(promises), 1 + this.random(2));
    else if (kind === 13) this.log(OPS.NOW, this.promise(), 0);
    else if (kind === 14) this.log(OPS.JOB, this.promise(), this.random(1000));
    else if (kind === 15) this.log(OPS.MERGE, this.promise(), this.pick(promises));
    else if (kind === 16) this.log(OPS.DROP, this.take(promises), 0);
    else if (kind === 17) this.combinator();
    else if (kind === 18 && combinators.length > 0) this.log(this.pick([OPS.DONE, OPS.YIELD, OPS.USE]), this.pick(combinators), 1);
    else if (kind >= 20) this.deadline(this.random(3) === 0 ? this.pick(promises) : this.promise());
    else if (this.random(30) === 0) this.log(this.random(16), this.random(1 << 27), this.random(1 << 28));
  }

  turn() {
    this.now += this.random(20);
    this.both((host) => host.due(this.now));
    do {
      this.send('turn');
      const [a, b] = this.hosts.map(({ header, window }) => [Array.from(header), Array.from(window.subarray(0, header[READY]))]);
      assert.deepEqual(a, b);
      this.shown += a[1].length;
    } while (this.hosts[0].header[MORE] !== 0);
  }

  compare() {
    const fault = this.both((host) => host.check());
    assert.equal(fault, null);
    this.both((host) => host.stats().slots);
    this.both(({ stats }) => ({ ...stats(), bytes: 0 }));
  }
}

/** Without the addon there is nothing to compare with. */
function addon() {
  try {
    return loadAddon();
  } catch {
    return undefined;
  }
}

(isNative || addon() === undefined ? describe.skip : describe)('both hosts', () => {
  for (const [seed, batch] of [[1, 1], [2, 30], [3, 1000], [4, 20000]]) {
    it(`show the same for the same commands, about ${batch} to a turn`, () => {
      const player = new Player(seed, [addon().create(), wasm.create()]);
      for (let turns = Math.max(LENGTH / batch, 8); turns > 0; turns--) {
        for (let k = player.random(2 * batch); k >= 0; k--) player.command();
        player.turn();
        if (player.random(20) === 0) player.compare();
      }
      while (player.promises.length > 0) player.log(OPS.DROP, player.take(player.promises), 0);
      player.turn();
      player.compare();
      assert.ok(player.shown > 4000);
      assert.ok(player.errors > 0);
    });
  }

  it('have the same names, but that the addon has a clock', () => {
    const names = (host) => Object.keys(host).filter((name) => name !== 'clock' && name !== 'now').sort();
    assert.deepEqual(names(wasm.create()), names(addon().create()));
    assert.equal(typeof P.stats().bytes, 'number');
  });
});

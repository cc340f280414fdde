'use strict';

// Random programs over promises, made from a seed: the same program runs on two
// classes, and what it logs is compared. No handler returns a promise.

const { Native } = require('./subject');
const { macro, rejectionEvents } = require('./util');

function random(seed) {
  let a = seed >>> 0;
  return (n) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const COMBINATORS = ['all', 'allSettled', 'any', 'race'];

function generate(seed, options = {}) {
  const { combinators = false, loop = false, stores = false, gc = false, size = 60 } = options;
  const rnd = random(seed);
  let left = size;
  let ids = 0;

  function handler(depth) {
    const ends = ['value', 'value', 'undefined', 'throw'];
    return { id: ids++, body: actions(depth + 1), end: ends[rnd(4)] };
  }

  function action(depth) {
    if (gc && rnd(12) === 0) return { op: 'gc' };
    if (stores && rnd(4) === 0) {
      const op = ['run', 'run', 'enter', 'exit'][rnd(4)];
      return { op, store: rnd(100), body: actions(depth + 1) };
    }
    const kind = rnd(combinators || loop ? 14 : 10);
    if (kind === 0) return { op: 'defer' };
    if (kind === 1) return { op: 'resolve', value: ids++ };
    if (kind === 2) return { op: 'reject', value: ids++ };
    if (kind === 3 || kind === 4) {
      return { op: 'settle', which: rnd(1000), how: rnd(3) ? 'resolve' : 'reject', value: ids++ };
    }
    if (kind === 10 && loop) return { op: 'tick', f: handler(depth) };
    if (kind === 11 && loop) return { op: 'immediate', f: handler(depth) };
    if (kind >= 10 && combinators) {
      const inputs = Array.from({ length: rnd(5) }, () => (rnd(4) ? rnd(1000) : -1));
      return { op: COMBINATORS[rnd(4)], inputs };
    }
    const form = rnd(5);
    return {
      op: 'then',
      which: rnd(1000),
      f: form !== 0 ? handler(depth) : undefined,
      r: form !== 1 ? handler(depth) : undefined,
    };
  }

  function actions(depth) {
    const list = [];
    const n = depth === 0 ? size : rnd(depth > 4 ? 1 : 4);
    for (let i = 0; i < n && left > 0; i++) {
      left--;
      list.push(action(depth));
    }
    return list;
  }

  return [{ op: 'defer' }, { op: 'resolve', value: 'first' }, ...actions(0)];
}

/**
 * Runs `program` on the class C in a turn of its own; gives the log. Options: `reports`
 * adds the rejection events, `storage` is the AsyncLocalStorage whose store each line shows,
 * `gc` the function for the program's collections.
 */
async function run(C, program, { reports = false, storage, gc } = {}) {
  const log = [];
  const labels = new Map();
  const pool = [];
  const resolvers = [];

  function add(promise, label) {
    labels.set(promise, label);
    pool.push(promise);
  }

  function describe(x) {
    if (x instanceof Error) return `${x.constructor.name} of ${(x.errors || []).map(describe)}`;
    return typeof x === 'object' ? JSON.stringify(x) : String(x);
  }

  function store() {
    return storage ? ` in ${storage.getStore()}` : '';
  }

  function callback(h, label) {
    if (h === undefined) return undefined;
    return (x) => {
      log.push(`${label}${h.id}(${describe(x)})${store()}`);
      h.body.forEach(perform);
      if (h.end === 'throw') throw `thrown by ${h.id}`;
      return h.end === 'value' ? h.id : undefined;
    };
  }

  function outside(h) {
    return () => {
      log.push(`t${h.id}${store()}`);
      h.body.forEach(perform);
    };
  }

  function perform(a) {
    const label = `#${pool.length}`;
    if (a.op === 'defer') {
      add(new C((resolve, reject) => resolvers.push({ resolve, reject })), label);
    } else if (a.op === 'resolve' || a.op === 'reject') {
      add(C[a.op](a.value), label);
    } else if (a.op === 'settle') {
      resolvers[a.which % resolvers.length][a.how](a.value);
    } else if (a.op === 'then') {
      add(pool[a.which % pool.length].then(callback(a.f, 'f'), callback(a.r, 'r')), label);
    } else if (a.op === 'tick') {
      process.nextTick(outside(a.f));
    } else if (a.op === 'immediate') {
      setImmediate(outside(a.f));
    } else if (a.op === 'gc') {
      gc?.();
    } else if (a.op === 'run') {
      storage.run(a.store, () => a.body.forEach(perform));
    } else if (a.op === 'exit') {
      storage.exit(() => a.body.forEach(perform));
    } else if (a.op === 'enter') {
      storage.enterWith(a.store);
      a.body.forEach(perform);
    } else {
      add(C[a.op](a.inputs.map((i) => (i < 0 ? i : pool[i % pool.length]))), label);
    }
  }

  const events = await rejectionEvents(async (list) => {
    await new Native((resolve) => setImmediate(() => {
      program.forEach(perform);
      resolve();
    }));
    for (let i = 0; i < 6; i++) await macro();
    // Last, so that the promises left over count as handled in both runs.
    if (reports) {
      for (const e of list) {
        log.push(`${e.event} ${labels.get(e.promise)} ${describe(e.reason)}`);
      }
    }
  });
  log.push(`${events.length > 0 ? 'with' : 'without'} reports, ${pool.length} promises`);
  return log;
}

module.exports = { generate, random, run };

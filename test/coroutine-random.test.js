'use strict';

// Random coroutines. Each program runs as usual and with a feature on, where coroutines
// go the way of `then`: what is logged must be the same.

const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { P, Native, isNative } = require('./helpers/subject');
const { deferred, macro, rejectionEvents, sleep } = require('./helpers/util');
const { random } = require('./helpers/program');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

/** Young work, which makes the engine move what is old. */
async function growOld() {
  for (let k = 0; k < 5; k++) {
    for (let i = 0; i < 70000; i++) P.resolve(i).then(() => {});
    gc();
    await sleep(1);
  }
}

function generate(seed, size) {
  const rnd = random(seed);
  const KINDS = ['deferred', 'deferred', 'deferred', 'settled', 'rejected', 'coroutine', 'coroutine', 'thenable', 'native', 'value'];
  const EFFECTS = ['settle', 'settle', 'start', 'then', 'follow', 'none', 'none'];
  const ENDS = ['value', 'value', 'throw', 'deferred', 'coroutine'];
  const coroutines = Array.from({ length: size }, () => ({
    steps: Array.from({ length: rnd(6) }, () => ({
      effect: EFFECTS[rnd(EFFECTS.length)], kind: KINDS[rnd(KINDS.length)], which: rnd(1000), fails: rnd(4) === 0, catches: rnd(3) !== 0,
    })),
    end: ENDS[rnd(ENDS.length)],
    which: rnd(1000),
    noted: rnd(3) === 0,
  }));
  const settlements = Array.from({ length: 12 }, (_, i) => ({ which: i, fails: rnd(4) === 0, turn: rnd(3) === 0 }));
  return { coroutines, settlements: settlements.sort((a, b) => (a.which * 7 + seed) % 12 - (b.which * 7 + seed) % 12) };
}

/** What a program logs, and which rejections are reported. */
async function run(program, age) {
  const log = [];
  const events = await rejectionEvents(() => perform(program, log, age));
  return [...log, ...events.map(({ event, reason }) => `${event} ${reason}`)];
}

async function perform({ coroutines, settlements }, log, age = () => {}) {
  const deferreds = settlements.map(() => deferred());
  const started = [];
  const note = (name) => [(x) => { log.push(`${name} ${x}`); }, (x) => { log.push(`${name} failed ${x}`); }];
  const pick = (list, which) => list[which % list.length];

  function settle({ which, fails }) {
    const { resolve, reject } = pick(deferreds, which);
    if (fails) reject(`d${which}`);
    else resolve(`d${which}`);
  }

  function make({ kind, which }) {
    switch (kind) {
      case 'deferred': return pick(deferreds, which).promise;
      case 'settled': return P.resolve(which);
      case 'rejected': return P.reject(which);
      case 'coroutine': return started.length > 0 ? pick(started, which) : P.resolve('none');
      case 'thenable': return { then(resolve) { log.push('thenable'); resolve(which); } };
      case 'native': return Native.resolve(which);
      default: return which;
    }
  }

  function act(step, name) {
    const { effect, which } = step;
    if (effect === 'settle') settle(step);
    else if (effect === 'start') start(which % coroutines.length);
    else if (effect === 'then' && started.length > 0) pick(started, which).then(...note(`${name} then`));
    else if (effect === 'follow' && started.length > 0) P.resolve().then(() => pick(started, which)).then(...note(`${name} follow`));
  }

  const body = P.coroutine(function* (index, name) {
    const { steps, end, which } = coroutines[index];
    for (const step of steps) {
      act(step, name);
      try {
        log.push(`${name} got ${yield make(step)}`);
      } catch (e) {
        log.push(`${name} caught ${e}`);
        if (!step.catches) throw e;
      }
    }
    if (end === 'throw') throw `thrown by ${name}`;
    return end === 'value' ? name : make({ kind: end, which });
  });

  function start(index) {
    if (started.length >= 60) return;
    const name = `c${started.length}`;
    const at = started.length;
    started.push(P.resolve('starting'));
    started[at] = body(index, name);
    if (coroutines[index].noted) started[at].then(...note(name));
  }

  await new Native((resolve) => setImmediate(() => {
    for (let i = 0; i < coroutines.length; i++) start(i);
    resolve();
  }));
  await macro();
  await age();
  for (const settlement of settlements) {
    settle(settlement);
    if (settlement.turn) await macro();
  }
  for (let i = 0; i < 6; i++) await macro();
}

async function runObserved(program) {
  P.config({ monitoring: true });
  try {
    return await run(program);
  } finally {
    P.config({ monitoring: false });
  }
}

(isNative ? describe.skip : describe)('random coroutines', () => {
  it('wait as by then', async () => {
    for (let seed = 1; seed <= 400; seed++) {
      const program = generate(seed, 1 + seed % 12);
      assert.deepEqual(await run(program), await runObserved(program), `seed ${seed}`);
    }
  });

  it('that have grown old go on in the same way', async () => {
    for (let seed = 1001; seed <= 1012; seed++) {
      const program = generate(seed, 12);
      assert.deepEqual(await run(program, growOld), await run(program), `seed ${seed}`);
    }
  });

  it('that a collection comes upon at any time', async () => {
    for (let seed = 2001; seed <= 2030; seed++) {
      const program = generate(seed, 8);
      assert.deepEqual(await run(program, gc), await run(program), `seed ${seed}`);
    }
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { macro } = require('./helpers/util');
const { generate, run } = require('./helpers/program');

/** The log of `program`, started in a turn of its own. */
async function logOf(C, program) {
  const log = [];
  await new Native((resolve) => setImmediate(() => {
    program(C, (x) => log.push(x));
    resolve();
  }));
  for (let i = 0; i < 4; i++) await macro();
  await new Native((resolve) => setTimeout(resolve, 2)); // after all timers of 1 ms
  return log;
}

function sameAsNative(title, program, expected) {
  it(title, async () => {
    const log = await logOf(P, program);
    assert.deepEqual(log, await logOf(Native, program));
    if (expected) assert.equal(log.join(' '), expected);
  });
}

function chain(p, name, n, log) {
  for (let i = 1; i <= n; i++) p = p.then(() => log(name + i));
  return p;
}

describe('order', () => {
  sameAsNative('handlers never run inside the call that makes them ready', (C, log) => {
    let resolve;
    const p = new C((r) => {
      resolve = r;
      log('executor');
    });
    p.then(() => log('handler'));
    resolve();
    log('resolved');
    C.resolve().then(() => log('second'));
    log('end');
  }, 'executor resolved end handler second');

  sameAsNative('chains advance step by step, side by side', (C, log) => {
    chain(C.resolve(), 'a', 3, log);
    chain(C.resolve(), 'b', 3, log);
    chain(C.resolve(), 'c', 3, log);
  }, 'a1 b1 c1 a2 b2 c2 a3 b3 c3');

  sameAsNative('handlers of one promise run in the order of their then calls', (C, log) => {
    let resolve;
    const p = new C((r) => { resolve = r; });
    for (let i = 0; i < 5; i++) p.then(() => log(i));
    resolve();
    for (let i = 5; i < 9; i++) p.then(() => log(i));
  }, '0 1 2 3 4 5 6 7 8');

  sameAsNative('promises settled in another order than made run in settling order', (C, log) => {
    const rs = [];
    for (let i = 0; i < 5; i++) {
      new C((r) => rs.push(r)).then(() => log('a' + i)).then(() => log('b' + i));
    }
    for (const i of [3, 0, 4, 1, 2]) rs[i]();
  }, 'a3 a0 a4 a1 a2 b3 b0 b4 b1 b2');

  sameAsNative('a handler added inside a handler waits its turn', (C, log) => {
    const p = C.resolve();
    p.then(() => {
      log('a');
      p.then(() => log('c'));
      log('still a');
    });
    p.then(() => log('b'));
  }, 'a still a b c');

  sameAsNative('a rejection passes through a link without handler in one job', (C, log) => {
    C.reject('x').then(() => log('never')).then(null, () => log('caught'));
    C.resolve().then(() => log('a1')).then(() => log('a2')).then(() => log('a3'));
  }, 'a1 caught a2 a3');

  sameAsNative('a resolver called inside a handler of another promise', (C, log) => {
    let resolve;
    const late = new C((r) => { resolve = r; });
    late.then(() => log('late'));
    C.resolve().then(() => {
      log('first');
      resolve();
      C.resolve().then(() => log('after late'));
    }).then(() => log('second'));
  }, 'first late after late second');

  sameAsNative('the then of a thenable is called in a job of its own', (C, log) => {
    C.resolve({ then(f) { log('then called'); f(1); } }).then(() => log('adopted'));
    chain(C.resolve(), 'a', 4, log);
    log('sync');
  }, 'sync then called a1 adopted a2 a3 a4');

  for (const method of ['all', 'allSettled', 'any', 'race']) {
    sameAsNative(`${method} over settled promises and values takes its number of jobs`, (C, log) => {
      chain(C.resolve(), 'a', 2, log);
      C[method]([C.resolve(1), 2, C.resolve(3)]).then(() => log('combined'));
      chain(C.resolve(), 'b', 4, log);
    });
    sameAsNative(`${method} over pending promises`, (C, log) => {
      const rs = [];
      const ps = [0, 1, 2].map(() => new C((r) => rs.push(r)));
      ps[2].then(() => log('before'));
      C[method](ps).then(() => log('combined'));
      ps[2].then(() => log('after'));
      [1, 0, 2].forEach((i) => rs[i]());
      chain(C.resolve(), 'b', 4, log);
    });
    sameAsNative(`${method} over rejected promises`, (C, log) => {
      C[method]([C.reject(1), C.reject(2)]).then(() => log('value'), () => log('reason'));
      chain(C.resolve(), 'b', 4, log);
    });
    sameAsNative(`${method} over nothing`, (C, log) => {
      C[method]([]).then(() => log('value'), () => log('reason'));
      chain(C.resolve(), 'b', 4, log);
    });
  }

  sameAsNative('process.nextTick comes before, setImmediate and timers after', (C, log) => {
    // Which of these two comes first depends on the clock.
    setTimeout(() => log('later'), 0);
    setImmediate(() => log('later'));
    C.resolve().then(() => log('a1')).then(() => log('a2'));
    process.nextTick(() => log('tick'));
  });

  sameAsNative('a tick queued by a handler waits until all handlers have run', (C, log) => {
    C.resolve().then(() => {
      process.nextTick(() => {
        log('tick');
        C.resolve().then(() => log('from tick'));
        process.nextTick(() => log('tick 2'));
      });
    }).then(() => log('a2')).then(() => log('a3'));
    chain(C.resolve(), 'b', 5, log);
  }, 'b1 a2 b2 a3 b3 b4 b5 tick tick 2 from tick');

  sameAsNative('handlers queued by one callback of the loop run before the next one', (C, log) => {
    for (let i = 0; i < 3; i++) {
      setImmediate(() => {
        log('i' + i);
        C.resolve().then(() => log('h' + i)).then(() => log('g' + i));
      });
    }
  }, 'i0 h0 g0 i1 h1 g1 i2 h2 g2');

  it('a burst begins in line with native jobs', async () => {
    const a = await logOf(P, (C, log) => {
      C.resolve().then(() => log('ours'));
      Native.resolve().then(() => log('native'));
    });
    const b = await logOf(P, (C, log) => {
      Native.resolve().then(() => log('native'));
      C.resolve().then(() => log('ours'));
    });
    assert.equal(a.join(), 'ours,native');
    assert.equal(b.join(), 'native,ours');
  });

  it('neither ours nor native jobs starve, all run before the loop turns', async () => {
    const log = await logOf(P, (C, push) => {
      setImmediate(() => push('immediate'));
      chain(C.resolve(), 'p', 50, push);
      chain(Native.resolve(), 'n', 50, push);
    });
    assert.equal(log.length, 101);
    assert.equal(log[100], 'immediate');
    for (const name of ['p', 'n']) {
      const own = log.filter((x) => x.startsWith(name));
      assert.deepEqual(own, Array.from({ length: 50 }, (_, i) => name + (i + 1)));
    }
  });

  it('ours made ready by a native job, and the other way round, within one turn', async () => {
    const log = await logOf(P, (C, push) => {
      setImmediate(() => push('immediate'));
      let n = 0;
      (function hop() {
        push(n);
        if (++n < 20) (n % 2 ? C : Native).resolve().then(hop);
      })();
    });
    assert.deepEqual(log, [...Array.from({ length: 20 }, (_, i) => i), 'immediate']);
  });

  it('more handlers than any internal window holds keep their order', async () => {
    const n = 30000;
    const seen = [];
    const rs = [];
    for (let i = 0; i < n; i++) new P((r) => rs.push(r)).then((x) => seen.push(x));
    for (let i = 0; i < n; i++) P.resolve(n + i).then((x) => seen.push(x));
    rs.forEach((r, i) => r(i));
    await macro();
    assert.equal(seen.length, 2 * n);
    const half = seen.splice(n);
    for (let i = 0; i < n; i++) {
      if (seen[i] !== n + i || half[i] !== i) assert.fail(`wrong at ${i}`);
    }
  });

  describe('random programs log the same as on native promises', () => {
    const forms = [
      ['then, resolve and reject', {}, 300],
      ['with combinators', { combinators: true }, 300],
      ['with ticks and turns of the loop', { loop: true }, 150],
      ['everything, larger', { combinators: true, loop: true, size: 400 }, 60],
    ];
    forms.forEach(([title, options, count], form) => {
      it(`${count} programs: ${title}`, async () => {
        for (let i = 0; i < count; i++) {
          const seed = form * 10000 + i;
          const program = generate(seed, options);
          const ours = await run(P, program);
          const theirs = await run(Native, program);
          assert.deepEqual(ours, theirs, `seed ${seed}, options ${JSON.stringify(options)}`);
        }
      });
    });
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P, Native } = require('./helpers/subject');
const { macro, rejectionEvents } = require('./helpers/util');
const { normal, run: runChild } = require('./helpers/child');
const { generate, run } = require('./helpers/program');

const show = (x) => (typeof x === 'symbol' ? String(x) : JSON.stringify(x) ?? String(x));

/** Steps and events of `program` on the class C, in the order they happened. */
async function timeline(C, program) {
  const lines = [];
  const names = new Map();
  const name = (label, p) => {
    names.set(p, label);
    return p;
  };
  await rejectionEvents(async (list) => {
    list.push = (e) => {
      const what = e.event === 'unhandledRejection' ? ` ${show(e.reason)}` : '';
      lines.push(`${e.event} ${names.get(e.promise)}${what}`);
      return 0;
    };
    await new Native((resolve) => setImmediate(() => {
      program({ C, name, log: (x) => lines.push(x) });
      resolve();
    }));
    for (let i = 0; i < 6; i++) {
      await macro();
      lines.push('turn');
    }
  });
  return lines;
}

function sameEvents(title, program, expected) {
  it(title, async () => {
    const ours = await timeline(P, program);
    assert.deepEqual(ours, await timeline(Native, program));
    if (expected) assert.deepEqual(ours.filter((x) => x !== 'turn'), expected);
  });
}

const handle = (p) => p.catch(() => {});

describe('unhandled rejections', () => {
  describe('events', () => {
    sameEvents('a rejected promise nobody handles', ({ C, name }) => {
      name('p', C.reject('r'));
    }, ['unhandledRejection p "r"']);

    sameEvents('by an executor, a resolver, a handler, a static', ({ C, name }) => {
      name('executor', new C(() => { throw 1; }));
      name('reject', new C((f, r) => r(2)));
      name('late', new C((f, r) => setImmediate(r, 3)));
      name('handler', C.resolve().then(() => { throw 4; }));
      name('all', C.all(1));
      name('self', C.resolve().then(() => { throw 5; }).then(() => {}));
    });

    sameEvents('exotic reasons', ({ C, name }) => {
      for (const r of [undefined, null, 0, '', Symbol('s'), Object.freeze({ f: 1 })]) {
        name(`with ${show(r)}`, C.reject(r));
      }
    });

    sameEvents('only the end of a chain is reported, once', ({ C, name }) => {
      const a = name('a', C.reject('r'));
      const b = name('b', a.then(() => {}));
      name('c', b.then(() => {}));
    }, ['unhandledRejection c "r"']);

    sameEvents('each branch is reported', ({ C, name }) => {
      const a = name('a', C.reject('r'));
      name('b', a.then());
      name('c', a.finally(() => {}));
      handle(name('d', a.then()));
    });

    sameEvents('handled at once, and before it is rejected', ({ C, name }) => {
      handle(name('a', C.reject(1)));
      const b = name('b', new C((f, r) => setImmediate(r, 2)));
      handle(b);
      handle(name('c', C.resolve().then(() => { throw 3; })));
    }, []);

    sameEvents('handled in a later microtask', ({ C, name }) => {
      const p = name('p', C.reject(1));
      let q = C.resolve();
      for (let i = 0; i < 20; i++) q = q.then(() => {});
      q.then(() => handle(p));
      const n = name('n', C.reject(1));
      let m = Native.resolve();
      for (let i = 0; i < 20; i++) m = m.then(() => {});
      m.then(() => handle(n));
    }, []);

    sameEvents('handled in a tick, and in a tick of a tick', ({ C, name }) => {
      const a = name('a', C.reject(1));
      process.nextTick(() => handle(a));
      const b = name('b', C.reject(2));
      process.nextTick(() => process.nextTick(() => C.resolve().then(() => handle(b))));
    });

    sameEvents('handled in a tick queued by a handler', ({ C, name }) => {
      const a = name('a', C.reject(1));
      C.resolve().then(() => process.nextTick(() => handle(a)));
    });

    sameEvents('rejected in a tick, handled in the next one', ({ C, name }) => {
      process.nextTick(() => {
        const a = name('a', C.reject(1));
        process.nextTick(() => handle(a));
      });
    });

    sameEvents('handled in a later turn of the loop', ({ C, name, log }) => {
      const a = name('a', C.reject(1));
      setImmediate(() => {
        log('now handled');
        handle(a);
        process.nextTick(() => log('tick'));
      });
    });

    sameEvents('handled twice late, reported once', ({ C, name }) => {
      const a = name('a', C.reject(1));
      setImmediate(() => {
        handle(a);
        handle(a);
      });
    });

    sameEvents('handled late by then: the child is reported', ({ C, name }) => {
      const a = name('a', C.reject(1));
      setImmediate(() => name('b', a.then(() => {})));
    });

    sameEvents('events come after ticks and handlers, before the loop turns', ({ C, name, log }) => {
      name('a', C.reject(1));
      process.nextTick(() => log('tick'));
      C.resolve().then(() => log('handler')).then(() => process.nextTick(() => log('last tick')));
      setImmediate(() => log('immediate'));
    });

    sameEvents('two callbacks of one turn report apart', ({ C, name, log }) => {
      for (const i of [1, 2]) {
        setImmediate(() => {
          log(`callback ${i}`);
          name(`p${i}`, C.reject(i));
        });
      }
    });

    sameEvents('in the order of rejection', ({ C, name }) => {
      const rs = [];
      for (let i = 0; i < 4; i++) name(`p${i}`, new C((f, r) => rs.push(r)));
      name('now', C.reject('now'));
      [2, 0, 3, 1].forEach((i) => rs[i](i));
    });

    sameEvents('a promise rejected by a listener of the event is reported too', ({ C, name, log }) => {
      process.once('unhandledRejection', () => {
        log('listener');
        name('inner', C.reject('inner'));
      });
      name('outer', C.reject('outer'));
    });

    sameEvents('handled by a listener of the event', ({ C, name }) => {
      process.once('unhandledRejection', (reason, p) => handle(p));
      name('p', C.reject('r'));
    });

    sameEvents('await in a try handles', ({ C, name }) => {
      (async () => {
        try { await name('a', C.reject(1)); } catch { /* handled */ }
      })();
    }, []);

    sameEvents('an async function that returns it is reported instead', ({ C, name }) => {
      const b = name('b', C.reject(2));
      name('async', (async () => b)());
    }, ['unhandledRejection async 2']);

    sameEvents('a native promise that adopts it is reported instead', ({ C, name }) => {
      const inner = name('c', C.reject(3));
      name('native', new Native((f) => f(inner)));
    }, ['unhandledRejection native 3']);

    sameEvents('adoption handles, the adopting promise is reported', ({ C, name }) => {
      const inner = name('inner', C.reject('r'));
      name('outer', new C((f) => f(inner)));
    }, ['unhandledRejection outer "r"']);

    sameEvents('adoption by a handler, of settled and pending promises', ({ C, name }) => {
      name('a', C.resolve().then(() => name('a inner', C.reject(1))));
      name('b', C.resolve().then(() => name('b inner', new C((f, r) => setImmediate(r, 2)))));
      name('c', C.resolve().finally(() => name('c inner', C.reject(3))));
      handle(name('d', C.resolve().then(() => name('d inner', C.reject(4)))));
    });

    sameEvents('adoption of a promise already reported', ({ C, name }) => {
      const inner = name('inner', C.reject('r'));
      setImmediate(() => name('outer', new C((f) => f(inner))));
    });

    sameEvents('adoption through a chain of adopters', ({ C, name }) => {
      let p = name('0', new C((f, r) => setImmediate(r, 'r')));
      for (let i = 1; i < 5; i++) {
        const inner = p;
        p = name(String(i), new C((f) => f(inner)));
      }
    }, ['unhandledRejection 4 "r"']);

    sameEvents('adoption of a thenable that rejects', ({ C, name }) => {
      name('a', C.resolve({ then(f, r) { r('thenable'); } }));
    }, ['unhandledRejection a "thenable"']);

    sameEvents('adoption of a native promise that is rejected', ({ C, name }) => {
      name('b', new C((f) => f(Native.reject('native'))));
    }, ['unhandledRejection b "native"']);

    for (const m of ['all', 'allSettled', 'any', 'race']) {
      sameEvents(`${m} marks its inputs, settled or not`, ({ C, name }) => {
        const late = name('late', new C((f, r) => setImmediate(r, 'late')));
        const p = name('combined', C[m]([name('a', C.reject(1)), late, name('b', C.reject(2))]));
        handle(p);
      }, []);

      sameEvents(`${m} itself is reported`, ({ C, name }) => {
        name('combined', C[m]([name('a', C.reject(1)), name('b', C.reject(2))]));
        name('combined late', C[m]([name('c', new C((f, r) => setImmediate(r, 3)))]));
      });

      sameEvents(`losers of ${m} that reject after the decision`, ({ C, name }) => {
        const late = name('late', new C((f, r) => setImmediate(() => setImmediate(r, 'late'))));
        handle(name('x', C[m]([C.resolve(1), late])));
        handle(name('y', C[m]([name('r', C.reject(1)), late])));
        const soon = name('soon', new C((f) => setImmediate(f, 1)));
        handle(name('z', C[m]([late, soon])));
      }, []);
    }

    sameEvents('an input rejected after all() was, also with handlers of its own', ({ C, name }) => {
      const late = name('late', new C((f, r) => setImmediate(r, 'late')));
      handle(name('all', C.all([name('first', C.reject('first')), late])));
      name('child', late.then(() => {}));
    });

    sameEvents('an input already reported is then handled by all()', ({ C, name }) => {
      const p = name('p', C.reject('r'));
      setImmediate(() => handle(name('all', C.all([p]))));
    });

    sameEvents('many at once', ({ C, name }) => {
      for (let i = 0; i < 5000; i++) name(`p${i}`, C.reject(i));
    });

    it('the very promise and the very reason', async () => {
      const reason = Object.freeze({});
      const promises = [P.reject, (r) => new P((f, g) => g(r)),
        (r) => P.resolve().then(() => { throw r; })];
      for (const make of promises) {
        let p;
        const events = await rejectionEvents(async () => {
          p = make.call(P, reason);
          await macro();
          handle(p);
        });
        assert.equal(events.length, 2);
        assert.equal(events[0].reason, reason);
        assert.equal(events[0].promise, p);
        assert.equal(events[1].event, 'rejectionHandled');
        assert.equal(events[1].promise, p);
      }
    });

    it('random programs report the same as native promises', async () => {
      for (let i = 0; i < 200; i++) {
        const options = { loop: true, combinators: i % 2 === 0, size: 80 };
        const program = generate(70000 + i, options);
        const ours = await run(P, program, { reports: true });
        assert.deepEqual(ours, await run(Native, program, { reports: true }), `seed ${70000 + i}`);
      }
    });
  });

  // Exit code and output, compared process by process.
  const REASONS = {
    'an Error': 'new Error("boom")',
    'an error with properties': 'Object.assign(new RangeError("boom"), { code: "E", more: {} })',
    'an AggregateError': 'new AggregateError([new Error("a")], "many")',
    'a string': '"boom"',
    undefined: 'undefined',
    null: 'null',
    'a symbol': 'Symbol("s")',
    'a frozen object': 'Object.freeze({ a: 1 })',
    'an object without prototype': 'Object.create(null)',
    'an error without stack': 'Object.assign(new Error("boom"), { stack: undefined })',
  };
  const MODES = ['default', 'throw', 'strict', 'warn', 'none', 'warn-with-error-code'];
  const LISTENERS = {
    'unhandledRejection listener':
      'process.on("unhandledRejection", (r, p) => console.log("event", String(r), p === q));',
    'uncaughtException listener':
      'process.on("uncaughtException", (e, origin) => console.log("uncaught", e?.message ?? e, origin));',
    'both listeners':
      'process.on("unhandledRejection", (r, p) => console.log("event", String(r), p === q));'
      + 'process.on("uncaughtException", (e, origin) => console.log("uncaught", e?.message ?? e, origin));',
  };

  const flag = (mode) => (mode === 'default' ? [] : [`--unhandled-rejections=${mode}`]);

  async function sameProcess(code, flags) {
    const [ours, theirs] = await Promise.all([
      runChild(code, { flags }), runChild(code, { flags, of: 'native' }),
    ]);
    assert.deepEqual(normal(ours), normal(theirs));
    return ours;
  }

  describe('the process', () => {
    for (const mode of MODES) {
      describe(`with mode ${mode}`, () => {
        it('ends as it does with native promises, for each kind of reason', async () => {
          const all = mode === 'default' || mode === 'strict' || mode === 'warn';
          const kinds = all ? Object.keys(REASONS) : ['an Error', 'a string', 'undefined'];
          for (const kind of kinds) {
            const code = `P.reject(${REASONS[kind]}); setTimeout(() => console.log("alive"), 20);`;
            const r = await sameProcess(code, flag(mode));
            const dies = ['default', 'throw', 'strict'].includes(mode);
            const fails = dies || mode === 'warn-with-error-code';
            assert.deepEqual([r.stdout, r.status], [dies ? '' : 'alive\n', fails ? 1 : 0], kind);
          }
        });

        for (const [title, listeners] of Object.entries(LISTENERS)) {
          it(`${title}`, async () => {
            await sameProcess(`let q; ${listeners}
              q = P.reject("text");
              setTimeout(() => { q = P.resolve().then(() => { throw new Error("second"); }); }, 5);
              setTimeout(() => console.log("alive"), 20);`, flag(mode));
          });
        }

        it('handled later', async () => {
          await sameProcess(`const q = P.reject(new Error("late"));
            process.on("exit", (code) => console.log("exit", code));
            setTimeout(() => q.catch(() => console.log("handled")), 5);
            setTimeout(() => console.log("alive"), 20);`, flag(mode));
        });
      });
    }

    it('a rejection in the middle of other work', async () => {
      await sameProcess(`
        P.resolve().then(() => console.log("a")).then(() => { throw new Error("x"); });
        P.resolve().then(() => console.log("b")).then(() => console.log("c"))
          .then(() => console.log("d")).then(() => console.log("e"));
        process.nextTick(() => console.log("tick"));
        process.on("exit", (code) => console.log("exit", code));
        setTimeout(() => console.log("never"), 5);`);
    });

    it('several rejections: the first one ends the process', async () => {
      const r = await sameProcess(`
        P.reject(new Error("first"));
        P.resolve().then(() => P.reject(new Error("second")));`);
      assert.match(r.stderr, /Error: first/);
      assert.doesNotMatch(r.stderr, /Error: second/);
    });

    it('handled in time nothing is printed', async () => {
      const r = await sameProcess(`
        const p = P.reject(new Error("x"));
        process.nextTick(() => P.resolve().then(() => p.catch(() => console.log("ok"))));
        P.allSettled([P.reject(new Error("y"))]).then(() => console.log("settled"));`);
      assert.deepEqual([r.status, r.stderr], [0, '']);
    });

    it('a process that waits for a promise nobody settles ends with 0', async () => {
      const r = await sameProcess('new P(() => {}).then(() => console.log("never"));');
      assert.deepEqual([r.status, r.stdout, r.stderr], [0, '', '']);
    });

    it('a listener that throws', async () => {
      await sameProcess(`
        process.on("unhandledRejection", () => { throw new Error("from the listener"); });
        P.reject(new Error("x")); setTimeout(() => console.log("never"), 5);`);
    });

    it('the monitor of uncaught exceptions sees it', async () => {
      await sameProcess(`
        process.on("uncaughtExceptionMonitor", (e, o) => console.log("monitor", e.message, o));
        P.reject(new Error("x"));`);
    });

    it('hears of it where the domain cannot be set', async () => {
      const r = await runChild(`
        Object.defineProperty(process, 'domain', { get() {} });
        process.on("unhandledRejection", (reason) => console.log("unhandled", reason));
        P.reject("r");
        setTimeout(() => P.resolve("goes on").then(console.log), 5);`);
      assert.deepEqual([r.status, r.stdout, r.stderr], [0, 'unhandled r\ngoes on\n', '']);
    });

    it('a capability function that throws reaches the process, the queue goes on', async () => {
      // V8 calls reject when resolve throws, ECMAScript does not: either error may arrive.
      const r = await runChild(`
        process.on("uncaughtException", (e) => console.log("uncaught", e.message));
        function Rude(e) {
          e(() => { throw new Error("rude"); }, () => { throw new Error("rude"); });
        }
        class C extends P { static get [Symbol.species]() { return Rude; } }
        C.resolve(1).then(() => console.log("a"));
        P.resolve(2).then(() => console.log("b")).then(() => console.log("c"));`);
      const lines = r.stdout.split('\n').filter(Boolean);
      assert.deepEqual(lines.filter((x) => x.length === 1), ['a', 'b', 'c']);
      assert.deepEqual(lines.filter((x) => x.length > 1), ['uncaught rude']);
      assert.deepEqual([r.status, r.stderr], [0, '']);
    });
  });
});

'use strict';

const assert = require('node:assert/strict');
const { P } = require('./helpers/subject');
const { deferred, later, macro, outcome, rejection } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { diagnosticTests, emitted } = require('./helpers/diagnostics');

const EVENTS = ['promiseCreated', 'promiseChained', 'promiseFulfilled', 'promiseRejected', 'promiseResolved', 'promiseCancelled'];
const ON = { monitoring: true };

const ignore = () => {};

/**
 * The events about the promises that body(C, name) has named, as 'event name', each
 * promise by itself and in its order: [[events of the first], …].
 */
async function eventsOf(configured, body, options = ON) {
  const names = new Map();
  const name = (label, promise) => {
    names.set(promise, label);
    return promise;
  };
  const all = await emitted(EVENTS, () => configured(options, async (C) => {
    await body(C, name);
    for (let i = 0; i < 4; i++) await macro();
  }));
  const lists = new Map([...names.values()].map((label) => [label, []]));
  for (const [event, promise, child] of all) {
    if (names.has(promise)) lists.get(names.get(promise)).push(child === undefined ? event : `${event} ${names.get(child)}`);
  }
  return Object.fromEntries(lists);
}

function shared(configured) {
  const run = (body, options) => eventsOf(configured, body, options);
  // Bluebird tells of a promise that is settled while it is made before it tells of its making.
  const sorted = (lists) => Object.fromEntries(Object.entries(lists).map(([label, list]) => [label, [...list].sort()]));

  it('a promise that is pending at first: created, then fulfilled or rejected, once', async () => {
    const lists = await run(async (C, name) => {
      const [d, e] = [deferred(C), deferred(C)];
      name('d', d.promise);
      name('e', e.promise).suppressUnhandledRejections();
      await macro();
      d.resolve(1);
      d.resolve(2);
      e.reject(1);
      e.resolve(2);
    });
    assert.deepEqual(lists, { d: ['promiseCreated', 'promiseFulfilled'], e: ['promiseCreated', 'promiseRejected'] });
  });

  it('a promise that is settled at once', async () => {
    const lists = await run((C, name) => {
      name('resolve', C.resolve(1));
      name('reject', C.reject(1)).suppressUnhandledRejections();
      name('executor', new C((resolve) => resolve(1)));
    });
    assert.deepEqual(sorted(lists), {
      resolve: ['promiseCreated', 'promiseFulfilled'],
      reject: ['promiseCreated', 'promiseRejected'],
      executor: ['promiseCreated', 'promiseFulfilled'],
    });
  });

  it('a chain', async () => {
    const lists = await run((C, name) => {
      const a = name('a', new C((resolve) => setImmediate(resolve)));
      const b = name('b', a.then(() => {
        throw 1;
      }));
      name('c', b.catch(ignore));
      name('d', a.finally(ignore));
    });
    assert.deepEqual(lists, {
      a: ['promiseCreated', 'promiseChained b', 'promiseChained d', 'promiseFulfilled'],
      b: ['promiseCreated', 'promiseChained c', 'promiseRejected'],
      c: ['promiseCreated', 'promiseFulfilled'],
      d: ['promiseCreated', 'promiseFulfilled'],
    });
  });

  it('a handler that is passed over', async () => {
    const lists = await run((C, name) => {
      name('a', C.reject(1)).catch(ignore);
      const b = name('b', C.reject(1).then(ignore));
      name('c', b.catch(ignore));
    });
    assert.deepEqual(lists.b, ['promiseCreated', 'promiseChained c', 'promiseRejected']);
  });

  it('a promise that is resolved with a pending one: its end is that of the other', async () => {
    const lists = await run((C, name) => {
      const other = name('other', new C((resolve) => setImmediate(resolve)));
      const a = name('a', new C((resolve) => process.nextTick(resolve, other)));
      name('b', a.then(ignore));
      name('c', C.resolve().then(() => new C((resolve) => setImmediate(resolve))));
    });
    const events = (list) => list.filter((event) => !/Chained/.test(event));
    assert.deepEqual(events(lists.other), ['promiseCreated', 'promiseFulfilled']);
    assert.deepEqual(events(lists.a), ['promiseCreated', 'promiseResolved']);
    assert.deepEqual(events(lists.b), ['promiseCreated', 'promiseFulfilled']);
    assert.deepEqual(events(lists.c), ['promiseCreated', 'promiseResolved']);
  });

  it('a promise that is resolved with a settled one', async () => {
    const lists = await run((C, name) => {
      const done = C.resolve(1);
      const failed = C.reject(1);
      const [d, e] = [deferred(C), deferred(C)];
      name('d', d.promise);
      name('e', e.promise).suppressUnhandledRejections();
      d.resolve(done);
      e.resolve(failed);
    });
    assert.deepEqual(lists, { d: ['promiseCreated', 'promiseFulfilled'], e: ['promiseCreated', 'promiseRejected'] });
  });

  it('results of collections and combinators, promisified functions', async () => {
    const lists = await run((C, name) => {
      const f = C.promisify((callback) => setImmediate(callback));
      name('promisified', f());
      name('map', C.map([1], ignore));
      name('all', C.all([later(C, 'fulfilled', 1)]));
      name('any', C.any([later(C, 'rejected', 1)])).suppressUnhandledRejections();
      name('failed', C.all([later(C, 'rejected', 1)])).suppressUnhandledRejections();
      name('props', C.props({ a: 1 }));
    });
    for (const [label, events] of Object.entries(sorted(lists))) {
      const expected = /any|failed/.test(label) ? 'promiseRejected' : 'promiseFulfilled';
      assert.deepEqual(events, ['promiseCreated', expected], label);
    }
  });

  it('nothing when it is off', async () => {
    const lists = await run((C, name) => {
      name('p', C.resolve(1).then(ignore));
    }, {});
    assert.deepEqual(lists, { p: [] });
  });
}

function own(configured) {
  const run = (body, options) => eventsOf(configured, body, options);

  it('a promise is created before it is settled', async () => {
    const lists = await run((C, name) => {
      name('executor', new C((resolve) => resolve(1)));
      name('thrown', new C(() => {
        throw 1;
      })).suppressUnhandledRejections();
      name('try', C.try(() => 1));
    });
    assert.deepEqual(lists, {
      executor: ['promiseCreated', 'promiseFulfilled'],
      thrown: ['promiseCreated', 'promiseRejected'],
      try: ['promiseCreated', 'promiseFulfilled'],
    });
  });

  it('of a promise that was made before nothing is told but its children', async () => {
    const d = deferred();
    const lists = await run((C, name) => {
      name('d', d.promise);
      name('child', d.promise.then(ignore));
      d.resolve();
    });
    assert.deepEqual(lists, { d: ['promiseChained child'], child: ['promiseCreated', 'promiseFulfilled'] });
  });

  it('when it is turned off nothing more is told', async () => {
    const d = deferred();
    const lists = await run(async (C, name) => {
      name('p', d.promise.then(ignore));
      C.config({ monitoring: false });
      name('q', d.promise.then(ignore));
      d.resolve();
      await macro();
    });
    assert.deepEqual(lists, { p: ['promiseCreated'], q: [] });
  });

  it('thenables and native promises: the promise tells of itself', async () => {
    const lists = await run((C, name) => {
      name('thenable', C.resolve({ then: (resolve) => setImmediate(resolve) }));
      name('native', C.resolve(Promise.resolve(1)));
      name('child', C.resolve().then(() => Promise.reject(new Error('n')))).catch(ignore);
    });
    assert.deepEqual(lists.thenable, ['promiseCreated', 'promiseFulfilled']);
    assert.deepEqual(lists.native, ['promiseCreated', 'promiseFulfilled']);
    // While contexts are in use there is a promise of ours in between.
    assert.match(lists.child.filter((event) => !/Chained/.test(event)).join(), /^promiseCreated,promise(Rejected|Resolved)$/);
  });

  it('subclasses', async () => {
    class Sub extends P {}
    const lists = await run((C, name) => {
      const a = name('a', Sub.resolve(1));
      name('b', a.then(ignore));
    });
    assert.deepEqual(lists, {
      a: ['promiseCreated', 'promiseFulfilled', 'promiseChained b'],
      b: ['promiseCreated', 'promiseFulfilled'],
    });
  });

  it('a promise has its state when the event comes', async () => {
    const seen = [];
    await emitted(['promiseFulfilled', 'promiseRejected'], (log) => configured(ON, async () => {
      log.push = (entry) => seen.push([entry[0], require('node:util').inspect(entry[1])]);
      const d = deferred();
      d.resolve(1);
      P.reject(2).catch(ignore);
      await macro();
    }));
    assert.deepEqual(seen.slice(0, 2), [['promiseFulfilled', 'Promise { 1 }'], ['promiseRejected', 'Promise { <rejected> 2 }']]);
  });

  it('monitored promises behave as others: values, order, inspection, unhandled rejections', async () => {
    const program = async (C) => {
      const log = [];
      const d = deferred(C);
      d.promise.then((x) => log.push(`late ${x}`));
      const p = C.resolve(1).then((x) => C.resolve(x + 1).then((y) => y + 1)).then((x) => log.push(x));
      C.resolve().then(() => log.push('b'));
      d.resolve(later(C, 'fulfilled', 'x'));
      await p;
      await d.promise;
      const many = await C.all(Array.from({ length: 3000 }, (_, i) => later(C, 'fulfilled', i).then((x) => x)));
      log.push(many.length, many[2999], await rejection(C.race([later(C, 'rejected', 'r'), new C(ignore)])));
      log.push(await C.map([1, 2, 3], (x) => later(C, 'fulfilled', x), { concurrency: 2 }));
      log.push(require('node:util').inspect([d.promise, new C(ignore)]));
      return log;
    };
    const expected = await program(P);
    assert.deepEqual(await configured(ON, program), expected);
    const unhandled = await emitted(['unhandledRejection'], () => configured(ON, async () => {
      P.reject('r');
      P.resolve().then(() => {
        throw 's';
      });
      await macro();
    }));
    assert.deepEqual(unhandled.map(([, reason]) => reason), ['r', 's']);
  });

  it('what listeners do with promises is not told, and a listener may settle and attach', async () => {
    const d = deferred();
    const e = deferred();
    const seen = [];
    const log = await emitted(['promiseCreated', 'promiseResolved', 'promiseFulfilled'], (list) => configured(ON, async () => {
      list.push = ([event, promise]) => {
        seen.push(event);
        P.resolve(1).then(() => seen.push('handler'));
        promise.then(ignore, ignore);
        if (event === 'promiseResolved') e.resolve('settled by the listener');
      };
      const p = new P((resolve) => resolve(e.promise));
      assert.equal(await p, 'settled by the listener');
      d.resolve();
      await macro();
    }));
    assert.equal(log.length, 0);
    assert.deepEqual(seen.filter((x) => x !== 'handler').slice(0, 2), ['promiseCreated', 'promiseResolved']);
    assert.ok(seen.filter((x) => x === 'handler').length >= 2);
  });

  it('what a listener throws reaches the process', async () => {
    const r = await runChild(`
      P.config({ monitoring: true });
      process.on('promiseFulfilled', () => { throw new Error('by the listener'); });
      process.on('uncaughtException', (e) => console.log(e.message));
      P.resolve('value').then((x) => { P.config({ monitoring: false }); console.log(x); });
    `);
    assert.equal(r.stderr, '');
    assert.deepEqual([...new Set(r.stdout.trim().split('\n'))].sort(), ['by the listener', 'value']);
  });

  it('monitored promises that nobody can settle are collected', async () => {
    const r = await runChild(`
      P.config({ monitoring: true });
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      const heap = async () => {
        for (let i = 0; i < 4; i++) { gc(); await turn(); }
        return process.memoryUsage().heapUsed / 2 ** 20;
      };
      (async () => {
        const list = [];
        for (let k = 0; k < 16; k++) {
          for (let i = 0; i < 20000; i++) {
            new P(() => {}).then(() => i);
            if (i % 1000 === 0) await turn();
          }
          list.push(await heap());
        }
        console.log(JSON.stringify(list));
      })();
    `, { flags: ['--expose-gc'] });
    assert.equal(r.stderr, '');
    const list = JSON.parse(r.stdout);
    const all = (list[1] - list[0]) * list.length; // if none were
    assert.ok(all > 0 && Math.max(...list) < all / 1.5, `heap in MB: ${list.map((x) => x.toFixed(1))}`);
  });

  it('outcomes of a monitored promise of any age', async () => {
    await configured(ON, async () => {
      const d = deferred();
      const child = d.promise.then((x) => x + 1);
      P.config({ monitoring: false });
      d.resolve(1);
      assert.deepEqual(await outcome(child), { status: 'fulfilled', value: 2 });
    });
  });
}

diagnosticTests('monitoring', shared, own);

'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { P } = require('./helpers/subject');
const { deferred, macro, rejection, rejectionEvents, sleep } = require('./helpers/util');
const { run: runChild } = require('./helpers/child');
const { diagnosticTests } = require('./helpers/diagnostics');

const ignore = () => {};

/** Runs body(log) while both hooks of C write to a log; gives the log. The events of the process are not reported. */
async function hooked(C, body, log = []) {
  C.onPossiblyUnhandledRejection((reason, promise) => log.push(['unhandled', reason, promise]));
  C.onUnhandledRejectionHandled((promise) => log.push(['handled', promise]));
  try {
    await rejectionEvents(async () => {
      await body(log);
      await sleep(10); // Bluebird uses a timer
    });
  } finally {
    C.onPossiblyUnhandledRejection();
    C.onUnhandledRejectionHandled();
  }
  return log;
}

function shared(configured) {
  const hookedIn = (body) => configured({}, (C) => hooked(C, (log) => body(C, log)));

  it('the hook is given reason and promise of each unhandled rejection', async () => {
    let p;
    let q;
    const error = new Error('p');
    const log = await hookedIn((C) => {
      p = C.reject(error);
      q = C.resolve().then(() => {
        throw 'q';
      });
      C.reject('handled').catch(ignore);
    });
    assert.equal(log.length, 2);
    const of = (reason) => log.find((entry) => entry[1] === reason);
    assert.deepEqual(of(error).map((x, i) => (i === 2 ? x === p : x)), ['unhandled', error, true]);
    assert.equal(of('q')[2], q);
  });

  it('the other hook is given the promise that is handled after all', async () => {
    let p;
    const log = await hookedIn(async (C) => {
      p = C.reject(new Error('late'));
      await sleep(10);
      p.catch(ignore);
    });
    assert.deepEqual(log.map(([name]) => name), ['unhandled', 'handled']);
    assert.equal(log[1][1], p);
  });

  it('the process emits its events as well', async () => {
    const events = await rejectionEvents(() => configured({}, (C) => hooked(C, async (log) => {
      const saved = process.listeners('unhandledRejection');
      process.on('unhandledRejection', (reason) => log.push(['event', reason]));
      C.reject('r');
      await sleep(10);
      process.removeAllListeners('unhandledRejection');
      saved.forEach((listener) => process.on('unhandledRejection', listener));
      assert.deepEqual(log.map(([name, reason]) => [name, reason]), [['unhandled', 'r'], ['event', 'r']]);
    })));
    assert.deepEqual(events, []);
  });

  it('one hook at a time, and none when it is taken away', () => configured({}, async (C) => {
    const log = [];
    const events = await rejectionEvents(async () => {
      assert.equal(C.onPossiblyUnhandledRejection(() => log.push('first')), undefined);
      assert.equal(C.onPossiblyUnhandledRejection(() => log.push('second')), undefined);
      assert.equal(C.onUnhandledRejectionHandled(() => log.push('handled')), undefined);
      C.reject(1);
      await sleep(10);
      C.onPossiblyUnhandledRejection(undefined);
      C.onUnhandledRejectionHandled(undefined);
      C.reject(2);
      await sleep(10);
    });
    assert.deepEqual(log, ['second']);
    assert.deepEqual(events.map(({ event, reason }) => [event, reason]), [['unhandledRejection', 1], ['unhandledRejection', 2]]);
  }));

  describe('suppressUnhandledRejections', () => {
    it('of a promise that is rejected, or will be', async () => {
      const log = await hookedIn(async (C) => {
        assert.equal(C.reject(1).suppressUnhandledRejections(), undefined);
        const d = deferred(C);
        d.promise.suppressUnhandledRejections();
        d.reject(2);
        const late = deferred(C);
        late.promise.suppressUnhandledRejections();
        await sleep(10);
        late.reject(3);
        C.resolve().then(() => {
          throw 4;
        }).suppressUnhandledRejections();
        C.all([C.reject(5)]).suppressUnhandledRejections();
      });
      assert.deepEqual(log, []);
    });

    it('of this promise alone, not of those derived from it', async () => {
      const log = await hookedIn((C) => {
        const p = C.reject('p');
        p.suppressUnhandledRejections();
        p.then(ignore);
        C.reject('other');
      });
      assert.deepEqual(log.map(([, reason]) => reason).sort(), ['other', 'p']);
    });

    it('its handlers run as ever', () => configured({}, async (C) => {
      const p = C.reject('r');
      p.suppressUnhandledRejections();
      assert.equal(await rejection(p), 'r');
      const q = C.resolve(1);
      q.suppressUnhandledRejections();
      assert.equal(await q, 1);
    }));
  });
}

function own() {
  it('a hook that is no function is a TypeError', () => {
    for (const method of ['onPossiblyUnhandledRejection', 'onUnhandledRejectionHandled']) {
      for (const [value, text] of [[1, '1'], ['x', '"x"'], [{}, '[object Object]']]) {
        assert.throws(() => P[method](value), { name: 'TypeError', message: `expecting a function but got ${text}` });
      }
    }
  });

  it('suppressUnhandledRejections of anything else is a TypeError', () => {
    const { suppressUnhandledRejections } = P.prototype;
    for (const receiver of [undefined, 1, {}, Promise.resolve()]) {
      assert.throws(() => suppressUnhandledRejections.call(receiver), { name: 'TypeError', message: /suppressUnhandledRejections called on incompatible receiver/ });
    }
  });

  it('suppressing in the turn of the event loop in which Node would report, and of a promise that follows another', async () => {
    const log = await hooked(P, async () => {
      // A job of its own after the drain has ended: the stand-in is there.
      const p = P.reject('in time');
      let resolve;
      const follower = new P((r) => { resolve = r; });
      follower.then(ignore, ignore);
      const d = deferred(P);
      resolve(d.promise);
      follower.suppressUnhandledRejections();
      d.reject('followed');
      await Promise.resolve().then(() => {}).then(() => p.suppressUnhandledRejections());
    });
    assert.deepEqual(log, []);
  });

  it('suppressing after it was reported changes nothing', async () => {
    const log = await hooked(P, async () => {
      const p = P.reject('r');
      await sleep(10);
      p.suppressUnhandledRejections();
      p.catch(ignore);
    });
    assert.deepEqual(log.map(([name]) => name), ['unhandled', 'handled']);
  });

  it('hooks run in the context in which they were set', async () => {
    const storage = new AsyncLocalStorage();
    const seen = [];
    try {
      await rejectionEvents(async () => {
        storage.run('hook', () => P.onPossiblyUnhandledRejection(() => seen.push(storage.getStore())));
        storage.run('other', () => P.reject(1));
        await sleep(5);
      });
    } finally {
      P.onPossiblyUnhandledRejection();
      storage.disable();
    }
    assert.deepEqual(seen, ['hook']);
  });

  it('with a hook Node does nothing about it, in the modes that ask first', async () => {
    const code = `
      P.onPossiblyUnhandledRejection((reason) => console.log('hook', reason.message));
      P.reject(new Error('r'));
      setTimeout(() => console.log('alive'), 20);
    `;
    for (const flags of [[], ['--unhandled-rejections=throw'], ['--unhandled-rejections=none'], ['--unhandled-rejections=warn-with-error-code']]) {
      assert.deepEqual(await runChild(code, { flags }), { status: 0, signal: null, stdout: 'hook r\nalive\n', stderr: '' }, flags[0]);
    }
    const strict = await runChild(code, { flags: ['--unhandled-rejections=strict'] });
    assert.equal(strict.status, 1);
    assert.match(strict.stderr, /Error: r/);
  });

  it('the hook for late handlers goes without an event and without a warning of Node', async () => {
    const r = await runChild(`
      P.onPossiblyUnhandledRejection(() => console.log('hook'));
      P.onUnhandledRejectionHandled(() => console.log('handled'));
      const p = P.reject(new Error('r'));
      setTimeout(() => p.catch(() => {}), 10);
    `);
    assert.deepEqual(r, { status: 0, signal: null, stdout: 'hook\nhandled\n', stderr: '' });
  });

  it('a hook that throws reaches the process', async () => {
    const r = await runChild(`
      P.onPossiblyUnhandledRejection(() => { throw new Error('by the hook'); });
      P.onUnhandledRejectionHandled(() => { throw new Error('by the other'); });
      process.on('uncaughtException', (e) => console.log(e.message));
      process.on('unhandledRejection', (reason) => console.log('event', reason));
      const p = P.reject(1);
      P.reject(2);
      setTimeout(() => p.catch(() => {}), 10);
    `);
    assert.equal(r.stderr, '');
    assert.deepEqual(r.stdout.trim().split('\n').sort(), ['by the hook', 'by the hook', 'by the other', 'event 1', 'event 2']);
  });

  it('with a hook the domain of a rejection is not asked, without one it is', async () => {
    const code = (hook) => `
      const domain = require('domain').create();
      domain.on('error', (e) => console.log('domain', e.message));
      ${hook ? `P.onPossiblyUnhandledRejection((e) => console.log('hook', e.message));` : ''}
      domain.run(() => P.reject(new Error('r')));
    `;
    assert.deepEqual(await runChild(code(true)), { status: 0, signal: null, stdout: 'hook r\n', stderr: '' });
    assert.deepEqual(await runChild(code(false)), { status: 0, signal: null, stdout: 'domain r\n', stderr: '' });
  });

  it('the hooks of a worker are its own', async () => {
    const r = await runChild(`
      const { Worker } = require('worker_threads');
      P.onPossiblyUnhandledRejection(() => console.log('main'));
      new Worker(${JSON.stringify(`
        const P = require(process.env.CPROMISE_ROOT);
        P.onPossiblyUnhandledRejection((reason) => console.log('worker', reason));
        P.reject(1);
      `)}, { eval: true });
    `, { env: { CPROMISE_ROOT: require('./helpers/subject').root } });
    assert.equal(r.stderr, '');
    assert.equal(r.stdout, 'worker 1\n');
    await macro();
  });
}

diagnosticTests('rejection hooks', shared, own);

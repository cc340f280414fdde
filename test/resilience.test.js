'use strict';

// What goes wrong in one place must not stop the rest.

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { P, Native, isNative } = require('./helpers/subject');
const { later, macro, rejection } = require('./helpers/util');
const { run } = require('./helpers/child');

const own = isNative ? describe.skip : describe;

const alive = () => later(P, 'fulfilled', 'alive');

own('resilience', () => {
  it('a proxy of a promise that is revoked before its handler runs', async () => {
    const { proxy, revoke } = Proxy.revocable(P.resolve(1), {});
    const child = proxy.then(() => {});
    revoke();
    const others = [P.resolve(2).then((x) => x), P.resolve(3)];
    assert.ok((await rejection(child)) instanceof TypeError);
    assert.deepEqual(await P.all(others), [2, 3]);
    assert.equal(await alive(), 'alive');
  });

  it('a proxy whose traps throw when its handler is to run', async () => {
    let throws = false;
    const proxy = new Proxy(P.resolve(1), {
      get(target, key, receiver) {
        if (throws) throw new RangeError('trap');
        return Reflect.get(target, key, receiver);
      },
    });
    const child = proxy.then(() => {});
    throws = true;
    assert.ok((await rejection(child)) instanceof RangeError);
    assert.equal(await alive(), 'alive');
  });

  it('a signal that throws when it is let go of', async () => {
    const signal = { aborted: false, addEventListener() {}, removeEventListener() { throw new RangeError('signal'); } };
    for (const call of [() => P.map([1], (x) => x, { signal }), () => P.each([1], () => alive(), { signal })]) {
      assert.ok((await rejection(call())) instanceof RangeError);
      assert.equal(await alive(), 'alive');
    }
  });

  it('wrong arguments with inputs that cannot be looked at', async () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    for (const method of ['map', 'filter', 'each', 'reduce', 'mapSeries', 'mapValues']) {
      assert.ok((await rejection(P[method](proxy, 5))) instanceof TypeError);
    }
    for (const args of [[proxy, () => {}], [[proxy], () => {}], [proxy, 5]]) {
      assert.ok((await rejection(P.using(...args))) instanceof TypeError);
    }
  });

  it('reasons that cannot be described, with warnings on', async () => {
    const { stdout } = await run(`
      P.config({ warnings: true });
      process.on('warning', () => {});
      const bad = { get [Symbol.toStringTag]() { throw new Error('tag'); } };
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      for (const reason of [bad, proxy]) {
        P.reject(reason).catch(() => console.log('direct'));
        new P((f, r) => setTimeout(r, 1, reason)).catch(() => console.log('later'));
        P.resolve().then(() => { throw reason; }).catch(() => console.log('thrown'));
      }
    `, { flags: ['--no-warnings'] });
    assert.deepEqual(stdout.trim().split('\n').sort(), ['direct', 'direct', 'later', 'later', 'thrown', 'thrown']);
  });
});

describe('inputs that change while they are read', () => {
  for (const method of ['race', 'any']) {
    it(`${method}: a getter of the first element takes the others away`, async () => {
      for (const C of [P, Native]) {
        const first = {};
        const array = [first, 1, 2];
        Object.defineProperty(first, 'then', { get() { array.length = 0; } });
        assert.equal(await C[method](array), first);
      }
    });
  }

  for (const method of ['race', 'any']) {
    it(`${method}: is decided before a thenable behind is called`, async () => {
      for (const C of [P, Native]) {
        const log = [];
        const decided = C[method]([1, { then(f) { f({ then() { log.push('thenable'); } }); } }]).then(() => log.push('decided'));
        await decided;
        await macro();
        assert.deepEqual(log, ['decided', 'thenable']);
      }
    });
  }
});

own('arrays of another realm', () => {
  it('are arrays for all collection methods', async () => {
    const array = () => vm.runInNewContext('[1, 2, 3]');
    const lengths = [];
    const note = (...args) => { lengths.push(args.at(-1)); };
    assert.deepEqual(await P.each(array(), note), [1, 2, 3]);
    assert.deepEqual(await P.map(array(), (x, i, length) => { note(length); return x; }), [1, 2, 3]);
    await P.filter(array(), note);
    await P.mapSeries(array(), note);
    await P.reduce(array(), note, 0);
    assert.deepEqual(lengths, Array(15).fill(3));
  });
});

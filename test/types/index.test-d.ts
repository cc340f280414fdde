import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd';
import P = require('../..');

class NotFound extends Error {
  path = '';
}

const p = P.resolve(1);
const text = P.resolve('x');

// To and from native promises.
expectType<P<number>>(p);
expectAssignable<Promise<number>>(p);
expectAssignable<PromiseLike<number>>(p);
expectNotAssignable<Promise<string>>(p);
expectType<P<number>>(P.resolve(Promise.resolve(1)));
expectType<P<void>>(P.resolve());
expectAssignable<PromiseConstructor>(P);
globalThis.Promise = P;
async function awaits(): Promise<number> {
  expectType<number>(await p);
  return p;
}
expectType<P<number>>(P.resolve(awaits()));

// ECMAScript
expectType<P<number>>(new P<number>((resolve) => resolve(1)));
expectType<P<number>>(new P<number>((resolve) => resolve(Promise.resolve(1))));
expectError(new P());
expectError(new P(1));
expectError(new P<number>((resolve) => resolve('x')));
expectType<P<string>>(p.then((x) => x.toFixed()));
expectType<P<string | boolean>>(p.then((x) => x.toFixed(), () => true));
expectType<P<number>>(p.then());
expectError(p.then((x) => x.toUpperCase()));
expectType<P<number | string>>(p.catch(() => 'x'));
expectType<P<number>>(p.finally(() => {}));
expectType<P<never>>(P.reject(new Error('x')));
expectType<P<[number, string]>>(P.all([p, 'x']));
expectType<P<[number, string, boolean]>>(P.all([1, Promise.resolve('x'), P.resolve(true)]));
expectType<P<number[]>>(P.all(new Set([1, 2])));
expectType<P<[PromiseSettledResult<number>, PromiseSettledResult<string>]>>(P.allSettled([p, 'x']));
expectType<P<number | string>>(P.any([p, text]));
expectType<P<number | string>>(P.race([p, text]));
expectError(P.all(1));
expectType<P<number>>(P.try((a: string) => a.length, 'x'));
expectError(P.try((a: string) => a.length, 1));
const resolvers = P.withResolvers<number>();
resolvers.resolve(1);
expectError(resolvers.resolve('x'));
expectType<P<number>>(resolvers.promise);
class Sub<T> extends P<T> {}
expectAssignable<P<number>>(new Sub<number>(() => {}));

// Collections
expectType<P<string[]>>(P.map([1, P.resolve(2)], (x, index, length) => {
  expectType<number>(x);
  expectType<number>(index);
  expectType<number | undefined>(length);
  return String(x);
}, { concurrency: 2, stopOnError: false, signal: new AbortController().signal }));
expectType<P<string[]>>(P.map(P.resolve([1]), async (x) => String(x)));
expectType<P<string[]>>(P.map((async function* () { yield 1; })(), (x) => String(x)));
expectError(P.map([1], (x) => x, { concurrency: '2' }));
expectError(P.map([1], 1));
expectError(P.map(1, (x) => x));
expectType<P<string[]>>(P.resolve([1, 2]).map((x) => String(x)));
expectType<P<string[]>>(P.mapSeries(['a'], (x) => x));
expectType<P<number[]>>(P.filter([1, 2], (x) => x > 1));
expectType<P<number[]>>(P.resolve([1, 2]).filter((x) => x > 1));
expectType<P<number[]>>(P.each([1, 2], (x) => { expectType<number>(x); }));
expectType<P<number[] | undefined>>(P.each(new Set([1]), () => {}));
expectType<P<number[]>>(P.resolve([1]).each(() => {}));
expectType<P<string>>(P.reduce([1, 2], (sum: string, x) => sum + x, ''));
expectType<P<number | undefined>>(P.reduce([1, 2], (sum, x) => sum + x));
expectType<P<number>>(P.resolve([1]).reduce((sum: number, x) => sum + x, 0));
expectType<P<{ a: number; b: string }>>(P.props({ a: p, b: 'x' }));
expectType<P<{ a: number }>>(P.props(P.resolve({ a: Promise.resolve(1) })));
expectType<P<Map<string, number>>>(P.props(new Map([['a', p]])));
expectType<P<{ a: number; b: string }>>(P.resolve({ a: p, b: 'x' }).props());
expectError(P.props(1));
expectType<P<{ a: number }>>(P.allKeyed({ a: p }));
expectType<P<{ a: PromiseSettledResult<number> }>>(P.allSettledKeyed({ a: p }));
expectType<P<{ a: string; b: string }>>(P.mapValues({ a: 1, b: p }, (x, key) => {
  expectType<'a' | 'b'>(key);
  return x.toFixed();
}));
expectType<P<number[]>>(P.some([p, 2], 1));
expectError(P.some([p], '1'));
expectType<P<string>>(P.join(p, text, true, (a, b, c) => {
  expectType<number>(a);
  expectType<string>(b);
  expectType<boolean>(c);
  return 'x';
}));
expectType<P<[number, string]>>(P.join(p, text));
expectType<AsyncIterableIterator<string>>(P.mapIterator([1], (x) => String(x), { backpressure: 1 }));
expectType<P<P.PromiseInspection<number>>>(p.reflect());

// Chaining
expectType<P<number | string>>(p.catch(NotFound, (e) => {
  expectType<NotFound>(e);
  return e.path;
}));
expectType<P<number | string>>(p.catch(NotFound, TypeError, (e) => {
  expectType<NotFound | TypeError>(e);
  return e.message;
}));
expectType<P<number | void>>(p.catch({ code: 'ENOENT' }, () => {}));
expectType<P<number | boolean>>(p.catch((e: any) => e.code === 1, () => true));
expectType<P<number | void>>(p.catch((e: any): e is NotFound => true, (e) => { expectType<NotFound>(e); }));
expectError(p.catch(NotFound));
expectError(p.catch(1, () => {}));
expectError(p.catch(NotFound, 1));
expectType<P<number>>(p.tap((x) => { expectType<number>(x); }));
expectType<P<number>>(p.tapCatch(NotFound, (e) => { expectType<NotFound>(e); }));
expectType<P<string>>(P.all([p, text]).spread((a, b) => {
  expectType<number>(a);
  expectType<string>(b);
  return 'x';
}));
expectType<P<string>>(p.return('x'));
expectType<P<void>>(p.thenReturn());
expectType<P<never>>(p.throw(new Error('x')));
expectType<P<number | string>>(p.catchReturn('x'));
expectType<P<number>>(P.resolve({ a: 1 }).get('a'));
expectError(P.resolve({ a: 1 }).get('b'));
expectType<P<number>>(P.resolve({ add: (a: number) => a + 1 }).call('add', 1));
expectError(P.resolve({ add: (a: number) => a + 1 }).call('add', 'x'));
expectType<P<number>>(p.bind({}));
expectType<P<string>>(P.bind({}, 'x'));
p.asCallback((error, value) => { expectType<number | undefined>(value); });
expectType<void>(p.done());

// Inspection
expectType<boolean>(p.isPending());
expectType<number>(p.value());
expectType<any>(p.reason());

// Callbacks and generators
const lifted = P.promisify((a: number, b: string, callback: (error: Error | null, result: boolean) => void) => callback(null, a === b.length));
expectType<P<boolean>>(lifted(1, 'x'));
expectError(lifted('x', 1));
expectError(P.promisify(1));
const all = P.promisifyAll({ read(path: string, callback: (error: any, x: string) => void) {}, _hidden() {}, size: 1 });
expectType<P<any>>(all.readAsync('x'));
expectError(all._hiddenAsync());
expectError(all.sizeAsync());
const other = P.promisifyAll({ f() {} }, { suffix: 'Promised' });
expectType<P<any>>(other.fPromised());
expectError(other.fAsync());
expectType<P<number>>(P.fromCallback<number>((callback) => callback(null, 1)));
expectType<P<any[]>>(P.fromCallback((callback) => callback(null, 1, 2), { multiArgs: true }));
expectType<(a: number) => P<string>>(P.coroutine(function* (a: number) { yield p; return 'x'; }));
expectType<P<string>>(P.spawn(function* () { return 'x'; }));
expectType<(this: unknown, a: number) => P<string>>(P.method((a: number) => String(a)));
expectType<P<number>>(P.attempt(() => p));
expectType<P<string>>(P.attempt((a: number, b: string) => a + b, [1, 'x']));
expectType<P<string>>(P.attempt((a: number) => String(a), 1));
expectError(P.attempt(1));
const deferred = P.defer<number>();
deferred.resolve(p);
expectType<P<number>>(deferred.promise);
expectError(deferred.resolve('x'));
const unknown: unknown = 1;
if (P.is(unknown)) expectType<P<any>>(unknown);

// Time and resources
expectType<P<void>>(P.delay(1));
expectType<P<number>>(P.delay(1, p, { ref: false }));
expectError(P.delay('1'));
expectType<P<number>>(p.timeout(10, 'late'));
expectType<P<number | string>>(p.timeout(10, undefined, { fallback: () => 'x' }));
const disposer = p.disposer((resource) => { expectType<number>(resource); });
expectType<P<string>>(P.using(disposer, text, (a, b) => {
  expectType<number>(a);
  expectType<string>(b);
  return b;
}));

// Limits
const limit = P.limit(2);
expectType<P<number>>(limit((a: number) => a, 1));
expectError(limit((a: number) => a, 'x'));
expectType<P<string[]>>(limit.map([1], (x) => String(x)));
expectType<P<number>>(P.queue({ concurrency: 1 }).add(() => Number(1), { priority: 1 }));
expectType<P<number>>(P.mutex().runExclusive(async () => 1));
expectType<P<number>>(P.retry((attempt) => attempt, { retries: 1 }));
expectType<P<Date>>(P.waitFor(() => (Math.random() > 0.5 ? new Date() : undefined)));

// Diagnostics and errors
P.config({ longStackTraces: true, warnings: { wForgottenReturn: false } });
expectError(P.config({ longStackTraces: 1 }));
expectType<number>(P.stats().calls);
const timeout = new P.TimeoutError('x');
expectType<Error>(timeout);
expectType<true>(new P.OperationalError('x').isOperational);

// Options of the collections: none of them for mapSeries but what makes sense there.
expectType<P<number[]>>(P.mapSeries([1], (x) => x, { stopOnError: false }));
expectType<P<number[]>>(P.filter([1], () => true, { concurrency: 2, stopOnError: false }));
expectError(P.mapSeries([1], (x) => x, { concurrency: 2 }));
expectError(P.map([1], (x) => x, { stopOnError: 'no' }));

/**
 * The types of cpromise. What each function does in detail stands in the JSDoc
 * of its code and in docs/.
 */

/** A value, or something that will have one. */
type Resolvable<T> = T | PromiseLike<T>;
/** What a collection method reads: elements may be promises, the whole may be one. */
type Source<T> =
  | Iterable<Resolvable<T>>
  | AsyncIterable<T>
  | PromiseLike<Iterable<Resolvable<T>> | AsyncIterable<T>>;
/** The element type of the value of a promise. */
type Element<T> = T extends Iterable<infer U> ? Awaited<U> : T extends AsyncIterable<infer U> ? Awaited<U> : never;
type Mapper<T, U> = (item: T, index: number, length: number | undefined) => Resolvable<U>;
type Settled<T> = { -readonly [K in keyof T]: PromiseSettledResult<Awaited<T[K]>> };
type Values<T> = { -readonly [K in keyof T]: Awaited<T[K]> };
type Executor<T> = (
  resolve: (value: T | PromiseLike<T>) => void,
  reject: (reason?: any) => void,
  /** While cancellation is on: functions that are called when the promise is cancelled. */
  onCancel: (fn: () => void) => void,
) => void;
type NodeCallback<T> = (error: any, value?: T) => void;

/** A filter of `catch`: a class, a predicate, or an object whose properties the reason has too. */
type Filter = (new (...args: any[]) => any) | ((reason: any) => boolean) | object;
type Caught<F> = F extends new (...args: any[]) => infer E ? E : F extends (reason: any) => reason is infer E ? E : any;

/** Functions that take a node-style callback as their last argument, and their promised twins. */
interface Promisify {
  <R>(fn: (callback: (error: any, result: R) => void) => void, options?: CPromise.PromisifyOptions & { multiArgs?: false }): () => CPromise<R>;
  <A, R>(
    fn: (a: A, callback: (error: any, result: R) => void) => void,
    options?: CPromise.PromisifyOptions & { multiArgs?: false },
  ): (a: A) => CPromise<R>;
  <A, B, R>(
    fn: (a: A, b: B, callback: (error: any, result: R) => void) => void,
    options?: CPromise.PromisifyOptions & { multiArgs?: false },
  ): (a: A, b: B) => CPromise<R>;
  <A, B, C, R>(
    fn: (a: A, b: B, c: C, callback: (error: any, result: R) => void) => void,
    options?: CPromise.PromisifyOptions & { multiArgs?: false },
  ): (a: A, b: B, c: C) => CPromise<R>;
  <A, B, C, D, R>(
    fn: (a: A, b: B, c: C, d: D, callback: (error: any, result: R) => void) => void,
    options?: CPromise.PromisifyOptions & { multiArgs?: false },
  ): (a: A, b: B, c: C, d: D) => CPromise<R>;
  (fn: Function, options?: CPromise.PromisifyOptions): (...args: any[]) => CPromise<any>;
}

/** Names of the methods of T that promisifyAll gives a twin. */
type MethodNames<T> = { [K in keyof T]: K extends string ? (T[K] extends (...args: any[]) => any ? K : never) : never }[keyof T];
type Promisified<T, Suffix extends string> = T & {
  [K in MethodNames<T> as K extends `_${string}` ? never : `${K}${Suffix}`]: (...args: any[]) => CPromise<any>;
};

/**
 * A promise of ES2026 with the methods of Bluebird.
 * @see https://tc39.es/ecma262/#sec-promise-objects
 */
declare class CPromise<T> implements Promise<T> {
  /** @throws {TypeError} executor is not a function */
  constructor(executor: Executor<T>, options?: CPromise.SignalOptions);

  readonly [Symbol.toStringTag]: string;
  static readonly [Symbol.species]: PromiseConstructor & typeof CPromise;

  // ------------------------------------------------------------- ECMAScript

  then<U = T, V = never>(
    onFulfilled?: ((value: T) => Resolvable<U>) | null,
    onRejected?: ((reason: any) => Resolvable<V>) | null,
  ): CPromise<U | V>;
  finally(onFinally?: (() => void) | null): CPromise<T>;

  static resolve(): CPromise<void>;
  static resolve<T>(value: T): CPromise<Awaited<T>>;
  static resolve<T>(value: Resolvable<T>): CPromise<Awaited<T>>;
  static reject<T = never>(reason?: any): CPromise<T>;
  static withResolvers<T>(): { promise: CPromise<T>; resolve: (value: Resolvable<T>) => void; reject: (reason?: any) => void };
  /** Calls `fn(...args)` at once and gives a promise of what it returns or throws. */
  static try<T, A extends unknown[]>(fn: (...args: A) => Resolvable<T>, ...args: A): CPromise<Awaited<T>>;

  static all<T extends readonly unknown[] | []>(values: T): CPromise<Values<T>>;
  static all<T>(values: Source<T>): CPromise<Awaited<T>[]>;
  static allSettled<T extends readonly unknown[] | []>(values: T): CPromise<Settled<T>>;
  static allSettled<T>(values: Source<T>): CPromise<PromiseSettledResult<Awaited<T>>[]>;
  static any<T extends readonly unknown[] | []>(values: T): CPromise<Awaited<T[number]>>;
  static any<T>(values: Source<T>): CPromise<Awaited<T>>;
  static race<T extends readonly unknown[] | []>(values: T): CPromise<Awaited<T[number]>>;
  static race<T>(values: Source<T>): CPromise<Awaited<T>>;

  // ------------------------------------------------------------ collections

  /** The first `count` values, in the order in which they come. */
  static some<T>(values: Source<T>, count: number): CPromise<T[]>;
  /** Waits for all arguments but the last, and calls that with their values. */
  static join<A extends readonly unknown[], U>(...args: [...values: A, fn: (...values: Values<A>) => Resolvable<U>]): CPromise<Awaited<U>>;
  static join<A extends readonly unknown[]>(...values: A): CPromise<Values<A>>;

  /** An object with the same keys and the values of their promises; a Map for a Map. */
  static props<K, V>(map: Resolvable<Map<K, Resolvable<V>>>): CPromise<Map<K, V>>;
  static props<T extends object>(object: Resolvable<T>): CPromise<Values<T>>;
  /** As `props`, symbol keys too; the result has no prototype. */
  static allKeyed<T extends object>(object: Resolvable<T>): CPromise<Values<T>>;
  static allSettledKeyed<T extends object>(object: Resolvable<T>): CPromise<Settled<T>>;

  static map<T, U>(values: Source<T>, mapper: Mapper<T, U>, options?: CPromise.MapOptions): CPromise<U[]>;
  static mapSeries<T, U>(values: Source<T>, mapper: Mapper<T, U>, options?: CPromise.SeriesOptions): CPromise<U[]>;
  static filter<T>(values: Source<T>, filter: Mapper<T, unknown>, options?: CPromise.MapOptions): CPromise<T[]>;
  /** One after another unless `concurrency` says more; the values of an array, undefined for an iterator. */
  static each<T>(values: readonly Resolvable<T>[], fn: Mapper<T, unknown>, options?: CPromise.MapOptions): CPromise<T[]>;
  static each<T>(values: Source<T>, fn: Mapper<T, unknown>, options?: CPromise.MapOptions): CPromise<T[] | undefined>;
  static reduce<T, U>(
    values: Source<T>,
    reducer: (accumulator: U, item: T, index: number, length: number | undefined) => Resolvable<U>,
    initial: Resolvable<U>,
  ): CPromise<U>;
  static reduce<T>(
    values: Source<T>,
    reducer: (accumulator: T, item: T, index: number, length: number | undefined) => Resolvable<T>,
  ): CPromise<T | undefined>;
  static mapValues<K, V, U>(
    map: Resolvable<Map<K, Resolvable<V>>>,
    mapper: (value: V, key: K, input: Map<K, Resolvable<V>>) => Resolvable<U>,
    options?: CPromise.MapOptions,
  ): CPromise<Map<K, U>>;
  static mapValues<T extends object, U>(
    object: Resolvable<T>,
    mapper: (value: Awaited<T[keyof T]>, key: Extract<keyof T, string>, input: T) => Resolvable<U>,
    options?: CPromise.MapOptions,
  ): CPromise<{ [K in keyof T]: U }>;
  /** The results of map one by one, as they are wanted. */
  static mapIterator<T, U>(
    values: Source<T>,
    mapper: (item: T, index: number) => Resolvable<U>,
    options?: CPromise.IteratorOptions,
  ): AsyncIterableIterator<U>;

  all<U>(this: CPromise<Iterable<Resolvable<U>>>): CPromise<U[]>;
  allSettled<U>(this: CPromise<Iterable<Resolvable<U>>>): CPromise<PromiseSettledResult<U>[]>;
  any<U>(this: CPromise<Iterable<Resolvable<U>>>): CPromise<U>;
  race<U>(this: CPromise<Iterable<Resolvable<U>>>): CPromise<U>;
  some<U>(this: CPromise<Iterable<Resolvable<U>>>, count: number): CPromise<U[]>;
  props<K, V>(this: CPromise<Map<K, Resolvable<V>>>): CPromise<Map<K, V>>;
  props(): CPromise<Values<T>>;
  allKeyed(): CPromise<Values<T>>;
  allSettledKeyed(): CPromise<Settled<T>>;
  map<U>(mapper: Mapper<Element<T>, U>, options?: CPromise.MapOptions): CPromise<U[]>;
  mapSeries<U>(mapper: Mapper<Element<T>, U>, options?: CPromise.SeriesOptions): CPromise<U[]>;
  filter(filter: Mapper<Element<T>, unknown>, options?: CPromise.MapOptions): CPromise<Element<T>[]>;
  each(fn: Mapper<Element<T>, unknown>, options?: CPromise.MapOptions): CPromise<T>;
  reduce<U>(
    reducer: (accumulator: U, item: Element<T>, index: number, length: number | undefined) => Resolvable<U>,
    initial: Resolvable<U>,
  ): CPromise<U>;
  reduce(
    reducer: (accumulator: Element<T>, item: Element<T>, index: number, length: number | undefined) => Resolvable<Element<T>>,
  ): CPromise<Element<T> | undefined>;
  mapValues<U>(
    mapper: (value: Awaited<T[keyof T]>, key: Extract<keyof T, string>, input: T) => Resolvable<U>,
    options?: CPromise.MapOptions,
  ): CPromise<{ [K in keyof T]: U }>;
  reflect(): CPromise<CPromise.PromiseInspection<T>>;
  settle<U>(this: CPromise<Iterable<Resolvable<U>>>): CPromise<CPromise.PromiseInspection<U>[]>;
  static settle<T>(values: Source<T>): CPromise<CPromise.PromiseInspection<T>[]>;

  // --------------------------------------------------------------- chaining

  catch<U = never>(onRejected?: ((reason: any) => Resolvable<U>) | null): CPromise<T | U>;
  /** Filters, then the handler for what one of them takes. */
  catch<F1 extends Filter, U>(filter: F1, handler: (reason: Caught<F1>) => Resolvable<U>): CPromise<T | U>;
  catch<F1 extends Filter, F2 extends Filter, U>(
    filter1: F1,
    filter2: F2,
    handler: (reason: Caught<F1> | Caught<F2>) => Resolvable<U>,
  ): CPromise<T | U>;
  catch<F1 extends Filter, F2 extends Filter, F3 extends Filter, U>(
    filter1: F1,
    filter2: F2,
    filter3: F3,
    handler: (reason: Caught<F1> | Caught<F2> | Caught<F3>) => Resolvable<U>,
  ): CPromise<T | U>;
  catch<U>(...filtersAndHandler: [Filter, Filter, Filter, Filter, ...Filter[], (reason: any) => Resolvable<U>]): CPromise<T | U>;
  caught: this['catch'];
  /** For operational errors: those of node-style callbacks. */
  error<U>(handler: (reason: any) => Resolvable<U>): CPromise<T | U>;
  lastly(onFinally?: (() => void) | null): CPromise<T>;

  tap(handler: (value: T) => unknown): CPromise<T>;
  tapCatch(handler: (reason: any) => unknown): CPromise<T>;
  tapCatch<F1 extends Filter>(filter: F1, handler: (reason: Caught<F1>) => unknown): CPromise<T>;
  tapCatch<F1 extends Filter, F2 extends Filter>(
    filter1: F1,
    filter2: F2,
    handler: (reason: Caught<F1> | Caught<F2>) => unknown,
  ): CPromise<T>;
  spread<U>(fn: (...values: T extends readonly unknown[] ? Values<T> : any[]) => Resolvable<U>): CPromise<U>;
  return(): CPromise<void>;
  return<U>(value: U): CPromise<Awaited<U>>;
  thenReturn(): CPromise<void>;
  thenReturn<U>(value: U): CPromise<Awaited<U>>;
  throw(reason: any): CPromise<never>;
  thenThrow(reason: any): CPromise<never>;
  catchReturn<U>(value: U): CPromise<T | Awaited<U>>;
  catchReturn<U>(filter: Filter, value: U): CPromise<T | Awaited<U>>;
  catchThrow(reason: any): CPromise<T>;
  catchThrow(filter: Filter, reason: any): CPromise<T>;
  get<K extends keyof T>(key: K): CPromise<Awaited<T[K]>>;
  /** The element at an index; from the end when it is negative. */
  get<U>(this: CPromise<readonly U[]>, index: number): CPromise<Awaited<U> | undefined>;
  call<K extends keyof T, A extends any[], U>(
    this: CPromise<{ [P in K]: (...args: A) => U }>,
    name: K,
    ...args: A
  ): CPromise<Awaited<U>>;
  bind(thisArg: any): CPromise<T>;
  static bind(thisArg: any): CPromise<undefined>;
  static bind<T>(thisArg: any, value: Resolvable<T>): CPromise<T>;

  asCallback(callback: NodeCallback<T> | null | undefined, options?: { spread?: false }): this;
  asCallback(callback: ((error: any, ...values: any[]) => void) | null | undefined, options: { spread: true }): this;
  nodeify: this['asCallback'];
  done<U>(onFulfilled?: ((value: T) => U) | null, onRejected?: ((reason: any) => U) | null): void;

  // ------------------------------------------------------------- inspection

  isFulfilled(): boolean;
  isRejected(): boolean;
  isPending(): boolean;
  /** Fulfilled or rejected. */
  isResolved(): boolean;
  isCancelled(): boolean;
  /** @throws {TypeError} it is not fulfilled */
  value(): T;
  /** @throws {TypeError} it is not rejected */
  reason(): any;
  toString(): string;
  toJSON(): { isFulfilled: boolean; isRejected: boolean; fulfillmentValue: T | undefined; rejectionReason: any };

  // ------------------------------------------------- callbacks, generators

  static promisify: Promisify;
  static promisifyAll<T extends object, Suffix extends string = 'Async'>(
    target: T,
    options?: CPromise.PromisifyAllOptions<T> & { suffix?: Suffix },
  ): Promisified<T, Suffix>;
  static fromCallback<T>(fn: (callback: (error: any, value?: T) => void) => void, options?: { multiArgs?: false }): CPromise<T>;
  static fromCallback(fn: (callback: (error: any, ...values: any[]) => void) => void, options: { multiArgs: true }): CPromise<any[]>;
  static fromNode: typeof CPromise.fromCallback;
  static coroutine: CPromise.Coroutine;
  static spawn<T>(generator: () => Generator<any, T, any>): CPromise<Awaited<T>>;

  // --------------------------------------------------------------- creation

  /** As `try`, but for the arguments: one, or an array of all, and a `this`. */
  static attempt<T>(fn: () => Resolvable<T>): CPromise<Awaited<T>>;
  static attempt<T, A extends unknown[], This>(fn: (this: This, ...args: A) => Resolvable<T>, args: [...A], thisArg?: This): CPromise<Awaited<T>>;
  static attempt<T, A, This>(fn: (this: This, arg: A) => Resolvable<T>, arg: A, thisArg?: This): CPromise<Awaited<T>>;
  /** A function that gives a promise of what `fn` returns or throws. */
  static method<A extends any[], T, This>(fn: (this: This, ...args: A) => Resolvable<T>): (this: This, ...args: A) => CPromise<Awaited<T>>;
  static defer<T>(): CPromise.Deferred<T>;
  static pending<T>(): CPromise.Deferred<T>;
  static cast: typeof CPromise.resolve;
  static fulfilled: typeof CPromise.resolve;
  static rejected: typeof CPromise.reject;
  /** Whether a value is a promise of this library. */
  static is(value: unknown): value is CPromise<any>;
  static noConflict(): typeof CPromise;
  static getNewLibraryCopy(): typeof CPromise;
  static readonly version: string;
  /** What the engine runs on: the addon, or WebAssembly where that cannot be loaded. */
  static readonly host: 'native' | 'wasm';
  static readonly Promise: typeof CPromise;

  // -------------------------------------------------------- time, resources

  /** Milliseconds. */
  static delay(ms: number, value?: undefined, options?: CPromise.DelayOptions): CPromise<void>;
  static delay<T>(ms: number, value: T, options?: CPromise.DelayOptions): CPromise<Awaited<T>>;
  delay(ms: number, options?: CPromise.DelayOptions): CPromise<T>;
  /** Rejects with a TimeoutError after so many milliseconds. */
  timeout(ms: number, messageOrError?: string | Error, options?: CPromise.TimeoutOptions & { fallback?: undefined }): CPromise<T>;
  timeout<U>(ms: number, messageOrError: string | Error | undefined, options: { signal?: CPromise.Signal; fallback: () => Resolvable<U> }): CPromise<T | U>;

  /** Rejected with the reason of the signal when that is aborted. */
  static fromSignal(signal: CPromise.Signal): CPromise<never>;

  disposer(fn: (this: T, resource: T, outcome: CPromise.PromiseInspection<any>) => unknown): CPromise.Disposer<T>;
  static using<A extends readonly unknown[], U>(resources: readonly [...A], fn: (resources: CPromise.Resources<A>) => Resolvable<U>): CPromise<U>;
  static using<A extends readonly unknown[], U>(
    ...args: [...resources: A, fn: (...resources: CPromise.Resources<A>) => Resolvable<U>]
  ): CPromise<U>;

  // ----------------------------------------------------------- cancellation

  /** While config({cancellation: true}) is on. */
  cancel(): void;
  break(): void;
  isCancellable(): boolean;
  // ------------------------------------------------------ limits, repetition

  static limit(concurrency: number): CPromise.Limit;
  static queue(options?: CPromise.QueueOptions): CPromise.Queue;
  static semaphore(places: number): CPromise.Semaphore;
  static mutex(): CPromise.Semaphore;
  static retry<T>(fn: (attemptNumber: number) => Resolvable<T>, options?: CPromise.RetryOptions): CPromise<T>;
  /** The first truthy answer. */
  static waitFor<T>(
    predicate: () => Resolvable<T>,
    options?: { interval?: number; timeout?: number; signal?: CPromise.Signal },
  ): CPromise<Exclude<T, false | 0 | '' | null | undefined>>;

  // ------------------------------------------------------------ diagnostics

  static config(options: CPromise.Config): typeof CPromise;
  static longStackTraces(): void;
  static hasLongStackTraces(): boolean;
  static onPossiblyUnhandledRejection(handler?: (reason: any, promise: CPromise<any>) => void): void;
  static onUnhandledRejectionHandled(handler?: (promise: CPromise<any>) => void): void;
  suppressUnhandledRejections(): void;
  /** Undefined restores our own scheduler. @returns the one that was replaced */
  static setScheduler(scheduler: ((run: () => void) => void) | undefined): ((run: () => void) => void) | undefined;
  static stats(): CPromise.Stats;

  // ----------------------------------------------------------------- errors

  static readonly OperationalError: CPromise.OperationalErrorConstructor;
  static readonly RejectionError: CPromise.OperationalErrorConstructor;
  static readonly TimeoutError: CPromise.LibraryErrorConstructor;
  static readonly CancellationError: CPromise.LibraryErrorConstructor;
  static readonly AggregateError: AggregateErrorConstructor;
  static readonly TypeError: TypeErrorConstructor;
  static readonly RangeError: RangeErrorConstructor;
  static readonly PromiseInspection: { readonly prototype: CPromise.PromiseInspection<any> };
}

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

declare namespace CPromise {
  /** As much of an AbortSignal as is used. */
  interface Signal {
    readonly aborted: boolean;
    readonly reason?: any;
    addEventListener(type: 'abort', listener: (event: any) => void, options?: any): void;
    removeEventListener(type: 'abort', listener: (event: any) => void): void;
  }

  interface SignalOptions {
    /** Aborted: rejects with its reason and starts nothing more. */
    signal?: CPromise.Signal;
  }

  interface SeriesOptions extends SignalOptions {
    /** false: all run, then an AggregateError rejects if there were errors. */
    stopOnError?: boolean;
  }

  interface MapOptions extends SeriesOptions {
    /** A positive integer or Infinity: at most so many at a time. */
    concurrency?: number;
  }

  interface IteratorOptions extends SignalOptions {
    /** As that of map. */
    concurrency?: number;
    /** How many results may wait to be consumed. */
    backpressure?: number;
  }

  interface DelayOptions extends SignalOptions {
    /** false: the process may end before. */
    ref?: boolean;
  }

  interface TimeoutOptions extends SignalOptions {
    /** Called when the time is over; its result takes the place of the error. */
    fallback?: () => unknown;
  }

  interface PromisifyOptions {
    /** `this` of the function; by default that of the call. */
    context?: any;
    /** Fulfill with the array of all values. */
    multiArgs?: boolean;
  }

  interface PromisifyAllOptions<T> {
    multiArgs?: boolean;
    filter?: (name: string, fn: Function, target: T, passesDefaultFilter: boolean) => boolean;
    promisifier?: (fn: Function, defaultPromisifier: () => (...args: any[]) => CPromise<any>) => (...args: any[]) => PromiseLike<any>;
  }

  interface Coroutine {
    <A extends any[], T>(
      generator: (...args: A) => Generator<any, T, any>,
      options?: { yieldHandler?: (value: any) => PromiseLike<any> | void },
    ): (...args: A) => CPromise<Awaited<T>>;
    addYieldHandler(handler: (value: any) => PromiseLike<any> | void): void;
  }

  interface Deferred<T> {
    promise: CPromise<T>;
    resolve(value: Resolvable<T>): void;
    reject(reason?: any): void;
  }

  interface PromiseInspection<T> {
    isFulfilled(): boolean;
    isRejected(): boolean;
    isPending(): boolean;
    /** Fulfilled or rejected. */
    isResolved(): boolean;
    isCancelled(): boolean;
    /** @throws {TypeError} it is not fulfilled */
    value(): T;
    /** @throws {TypeError} it is not rejected */
    reason(): any;
    error(): any;
  }

  interface Disposer<T> {
    promise(): CPromise<T>;
    /** For `await using`. */
    [Symbol.asyncDispose](): PromiseLike<void>;
  }

  /** What `using` calls its function with. */
  type Resources<A extends readonly unknown[]> = { -readonly [K in keyof A]: Resource<A[K]> };
  type Resource<R> = R extends Disposer<infer T> ? T : R extends PromiseLike<infer T> ? Resource<T> : R;

  interface Limit {
    <A extends any[], T>(fn: (...args: A) => Resolvable<T>, ...args: A): CPromise<T>;
    readonly activeCount: number;
    readonly pendingCount: number;
    concurrency: number;
    /** Rejects what waits with an AbortError. */
    clearQueue(): void;
    map<T, U>(iterable: Iterable<T>, fn: (item: T, index: number) => Resolvable<U>): CPromise<U[]>;
  }

  interface Semaphore {
    readonly available: number;
    readonly pendingCount: number;
    isLocked(): boolean;
    acquire(): CPromise<() => void>;
    runExclusive<T>(fn: () => Resolvable<T>): CPromise<T>;
  }

  interface QueueOptions {
    concurrency?: number;
    /** Milliseconds; 0: no intervals. */
    interval?: number;
    intervalCap?: number;
    /** Milliseconds that a task may take. */
    timeout?: number;
    autoStart?: boolean;
  }

  interface TaskOptions extends SignalOptions {
    /** The higher, the sooner. */
    priority?: number;
    timeout?: number;
  }

  interface Queue {
    add<T>(fn: (context: { signal?: Signal }) => Resolvable<T>, options?: TaskOptions): CPromise<T>;
    addAll<T>(fns: Iterable<(context: { signal?: Signal }) => Resolvable<T>>, options?: TaskOptions): CPromise<T[]>;
    pause(): void;
    start(): this;
    clear(): void;
    onEmpty(): CPromise<void>;
    onIdle(): CPromise<void>;
    onSizeLessThan(limit: number): CPromise<void>;
    readonly size: number;
    readonly pending: number;
    readonly isPaused: boolean;
    concurrency: number;
  }

  interface FailedAttempt {
    error: any;
    attemptNumber: number;
    retriesLeft: number;
  }

  interface RetryOptions extends SignalOptions {
    retries?: number;
    factor?: number;
    /** Milliseconds. */
    minTimeout?: number;
    maxTimeout?: number;
    randomize?: boolean;
    shouldRetry?: (context: FailedAttempt) => Resolvable<boolean>;
    onFailedAttempt?: (context: FailedAttempt) => unknown;
  }

  interface Config {
    longStackTraces?: boolean;
    warnings?: boolean | { wForgottenReturn?: boolean };
    wForgottenReturn?: boolean;
    monitoring?: boolean;
    cancellation?: boolean;
    asyncHooks?: boolean;
  }

  interface Stats {
    /** Times the engine in C has been entered. */
    calls: number;
    /** Drains among them. */
    turns: number;
    /** What the engine was told. */
    commands: number;
    /** Promises that wait or are waited for, and slots of open pages not handed out yet. */
    slots: number;
    /** Open pages of 256 slots. */
    pages: number;
    /** Memory held outside of the JavaScript heap. */
    bytes: number;
  }

  interface LibraryErrorConstructor {
    new (message?: string): Error;
    (message?: string): Error;
    readonly prototype: Error;
  }

  interface OperationalError extends Error {
    readonly isOperational: true;
    readonly cause?: unknown;
  }

  interface OperationalErrorConstructor {
    new (cause?: unknown): OperationalError;
    (cause?: unknown): OperationalError;
    readonly prototype: OperationalError;
  }
}

export = CPromise;

'use strict';
/** The entry point: the class with all its families of methods. */
const { CPromise } = require('./core');
const { install } = require('./install');
require('./catch');
require('./chaining');
require('./bound');
require('./node-callbacks');
require('./creation');
require('./library');
require('./inspect');
require('./scheduler');
require('./errors');
require('./promisify');
require('./promisify-all');
require('./coroutine');
require('./collections');
require('./keyed');
require('./some');
require('./inspection');
require('./map-iterator');
require('./using');
require('./signals');
require('./timers');
require('./limit');
require('./queue');
require('./retry');
require('./stats');
require('./config');
require('./rejection-hooks');

// As Bluebird has it: require('cpromise').Promise.
install(CPromise, { Promise: CPromise });

module.exports = CPromise;

// Never runs. Node reads here which names `import { … }` may ask for.
/* eslint-disable no-undef, no-unused-expressions, no-constant-binary-expression */
0 && (module.exports = {
  Promise, OperationalError, RejectionError, TimeoutError, CancellationError, AggregateError, TypeError, resolve, reject,
  withResolvers, all, allSettled, any, race, bind, method, attempt, is, cast, fulfilled, rejected, defer, pending, noConflict,
  getNewLibraryCopy, version, host, setScheduler, promisify, fromCallback, fromNode, promisifyAll, coroutine, spawn, map,
  mapSeries, filter, each, reduce, mapValues, props, allKeyed, allSettledKeyed, some, join, PromiseInspection, mapIterator,
  using, delay, fromSignal, stats, config, longStackTraces, hasLongStackTraces, onPossiblyUnhandledRejection,
  onUnhandledRejectionHandled, limit, semaphore, mutex, queue, retry, waitFor, settle, RangeError,
});

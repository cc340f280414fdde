'use strict';
/** The entry point: the class with all its families of methods. */
const { CPromise } = require('./core');
const { install } = require('./install');
require('./catch');
require('./chaining');
require('./bound');
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
require('./stats');

// As Bluebird has it: require('cpromise').Promise.
install(CPromise, { Promise: CPromise });

module.exports = CPromise;

// Never runs. Node reads here which names `import { … }` may ask for.
/* eslint-disable no-undef, no-unused-expressions, no-constant-binary-expression */
0 && (module.exports = {
  Promise, resolve, reject, withResolvers, all, allSettled, any, race, some, join, props, allKeyed, allSettledKeyed, map,
  mapSeries, mapValues, mapIterator, filter, each, reduce, using, promisify, promisifyAll, fromCallback, fromNode, coroutine,
  spawn, setScheduler, stats, PromiseInspection,
  bind,
});

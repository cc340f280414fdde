'use strict';

/** Coroutines of Bluebird: generators that yield its promises. */
module.exports = {
  ...require('./bluebird.js'),
  name: 'bluebird-coroutine',
  style: 'coroutine',
};

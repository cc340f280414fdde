'use strict';

/** Coroutines of this library: generators that yield its promises. */
module.exports = {
  ...require('./cpromise.js'),
  name: 'cpromise-coroutine',
  style: 'coroutine',
};

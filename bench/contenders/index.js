'use strict';

const fs = require('node:fs');

/** The contenders of the default run, in the order in which they are first measured. */
const defaults = [
  'callbacks',
  'native',
  'native-async',
  'bluebird',
  'bluebird-coroutine',
  'cpromise',
  'cpromise-async',
  'cpromise-coroutine',
  'p-map',
  'p-limit',
  'p-queue',
  'delay',
];

/** Every other file here is a contender that runs with --full, or when it is asked for. */
const files = fs.readdirSync(__dirname).map((file) => file.replace(/\.js$/, ''));
const others = files.filter((name) => name !== 'index' && !defaults.includes(name));

module.exports = { defaults, all: [...defaults, ...others] };

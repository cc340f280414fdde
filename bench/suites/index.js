'use strict';

/** The suites in the order in which they run and are reported. */
module.exports = [
  'doxbee-sequential',
  'madeup-parallel',
  'doxbee-sequential-timers',
  'madeup-parallel-timers',
  'chains',
  'serial',
  'all-pending',
];

'use strict';

/** The suites of the default run, in the order in which they run and are reported. */
const defaults = [
  'doxbee-sequential',
  'doxbee-sequential-errors',
  'madeup-parallel',
  'doxbee-sequential-timers',
  'madeup-parallel-timers',
  'chains',
  'serial',
  'all-pending',
  'fibonacci',
];

/** Groups that run when they are asked for: --suite collections. */
const groups = {
  gc: ['gc-pressure'],
  micro: ['micro'],
  callbacks: ['callbacks'],
  time: ['time-delays', 'time-timeouts', 'time-limits', 'time-lateness'],
  collections: ['collections-map', 'collections-series', 'collections-props', 'collections-combinators'],
};

module.exports = { defaults, groups, all: [...defaults, ...Object.values(groups).flat()] };

'use strict';
/** The entry point: the class with all its families of methods. */
const { CPromise } = require('./core');
require('./inspect');
require('./scheduler');
require('./promisify');
require('./stats');

module.exports = CPromise;

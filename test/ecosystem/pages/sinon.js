'use strict';
/** Sinon as the script that the page has loaded. */
module.exports = globalThis.sinon;

'use strict';
/** What the library needs to know about the runtime it was loaded into. */

/** Major version of Node (or of the Node that the runtime claims to be). */
const major = Number.parseInt(process.versions.node, 10);

module.exports = { major };

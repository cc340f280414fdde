'use strict';
/** The library as a whole: version, noConflict, getNewLibraryCopy. */
const { version } = require('../package.json');
const { library: { directory, cache } } = require('#runtime');
const { CPromise } = require('./core');
const { host } = require('./engine');
const { install } = require('./install');

/** What the global name meant when the library was loaded. */
const previous = globalThis.Promise;

/** The modules of the library in Node's cache. @returns {[string, object][]} */
function loadedModules() {
  return Object.entries(cache).filter(([file]) => file.startsWith(directory));
}

function forget(modules) {
  for (const [file] of modules) delete cache[file];
}

const statics = {
  /**
   * Gives the global name `Promise` back to whom it belonged when the library was
   * loaded, if it is ours now.
   * @returns {typeof CPromise} the class
   * @see http://bluebirdjs.com/docs/api/promise.noconflict.html
   */
  noConflict() {
    if (globalThis.Promise === CPromise) globalThis.Promise = previous;
    return CPromise;
  },

  /**
   * Another copy of the library, with its own class, engine, scheduler and settings.
   * Where modules cannot be loaded twice, as in Jest, it is the same copy.
   * @returns {typeof CPromise}
   * @see http://bluebirdjs.com/docs/api/promise.getnewlibrarycopy.html
   */
  getNewLibraryCopy() {
    const ours = loadedModules();
    forget(ours);
    try {
      return require('./index.js'); // by its whole name: there is an index.mjs too
    } finally {
      // Each copy has loaded all of its modules by now, so none will get one of another.
      forget(loadedModules());
      for (const [file, module] of ours) cache[file] = module;
    }
  },
};

install(CPromise, statics);
install(CPromise, { version, host });

'use strict';
/**
 * Puts methods on the class as the language does: writable, configurable, not
 * enumerable. The methods come from object literals in short form, so they are
 * named and no constructors.
 */
function install(target, methods) {
  for (const key of Reflect.ownKeys(methods)) {
    const descriptor = Object.getOwnPropertyDescriptor(methods, key);
    descriptor.enumerable = false;
    Object.defineProperty(target, key, descriptor);
  }
}

module.exports = { install };

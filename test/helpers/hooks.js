'use strict';

// Rejections that tests leave unhandled fail the run: mocha itself lets them pass.

const { inspect } = require('node:util');

const unhandled = new Map();
const culprits = [];

exports.mochaHooks = {
  beforeAll() {
    process.on('unhandledRejection', (reason, promise) => unhandled.set(promise, reason));
  },
  async afterEach() {
    await new Promise((resolve) => setImmediate(resolve));
    if (unhandled.size === 0) return;
    const reasons = [...unhandled.values()].map((r) => inspect(r)).join(', ');
    culprits.push(`${this.currentTest.fullTitle()}: ${reasons}`);
    unhandled.clear();
  },
  afterAll() {
    if (culprits.length > 0) throw new Error(`left unhandled:\n${culprits.join('\n')}`);
  },
};

'use strict';

// In a real browser: Promises/A+, and a page that uses the library, under a policy
// that allows WebAssembly and no other code to be made.

const assert = require('node:assert/strict');
const browser = require('../helpers/browser');
const { start } = require('./server');

describe('in Chromium', () => {
  let command;
  let server;
  let tab;
  before(async function () {
    command = browser.find();
    if (command === undefined) {
      console.log('      skipped: no Chromium here (Debian: apt-get install chromium)');
      this.skip();
    }
    server = await start();
  });
  afterEach(async () => {
    await tab?.close();
    tab = undefined;
  });
  after(() => server?.close());

  it('promises-aplus-tests: 872 of 872', async () => {
    tab = await browser.open(command, `${server.url}/aplus.html`);
    assert.deepEqual(await tab.evaluate('ended'), { host: 'wasm', passes: 872, failures: [] });
    assert.deepEqual(tab.log, []);
  });

  it('a page', async () => {
    tab = await browser.open(command, `${server.url}/demo.html`);
    const lines = await tab.evaluate(`new Promise((resolve) => {
      const look = () => {
        if (document.querySelectorAll('li').length === 2) document.querySelector('button').click();
        if (document.body.classList.contains('done')) resolve([...document.querySelectorAll('li')].map((line) => line.textContent));
        else setTimeout(look, 10);
      };
      look();
    })`);
    assert.deepEqual(lines, [
      'host: wasm',
      'fetched: a b c d',
      'waited for: a click',
      'too late: TimeoutError',
      'await: of,ours',
      'given up: AbortError',
      'one after the other: 3,1,2',
    ]);
    assert.deepEqual(tab.log, []);
  });

  it('an unhandled rejection is told as one of the language is', async () => {
    tab = await browser.open(command, `${server.url}/demo.html`);
    const told = await tab.evaluate(`new Promise((resolve) => {
      addEventListener('unhandledrejection', (event) => resolve(String(event.reason)));
      cpromise.reject(new RangeError('nobody handles it'));
    })`);
    assert.equal(told, 'RangeError: nobody handles it');
  });

  it('where WebAssembly is forbidden as well: an error that says so', async () => {
    tab = await browser.open(command, `${server.url}/demo.html?strict`);
    assert.equal(await tab.evaluate('typeof cpromise'), 'undefined');
    assert.match(tab.log.join('\n'), /cpromise: there are no addons here; nor can WebAssembly be used: .*Content Security Policy/);
  });
});

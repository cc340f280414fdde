'use strict';

/** Headless Chromium, spoken to over a pipe in the protocol of its developer tools. */

const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--remote-debugging-pipe', '--window-size=1200,900',
];

const GRACE = 5000; // ms for it to end by itself

/** What is preloaded here, as the runtime of a sanitizer, is not for the browser. */
const { LD_PRELOAD, ...environment } = process.env;

/** @returns {string | undefined} the command of a browser, CHROMIUM if it is set */
function find() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES;
  return names.find((name) => spawnSync(name, ['--version'], { env: environment, stdio: 'ignore' }).status === 0);
}

/**
 * Opens a page.
 *
 * @param {string} command  of find()
 * @param {string} url
 * @returns {Promise<object>} evaluate(expression), send(method, params), log (what
 *   reached the console, exceptions and failed requests too), close()
 */
async function open(command, url) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-browser-'));
  const child = spawn(command, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], { env: environment, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , input, output] = child.stdio;
  const waiting = new Map();
  const events = new Map();
  const log = [];
  let ids = 0;
  let rest = '';
  let session;

  output.on('data', (data) => {
    const messages = `${rest}${data}`.split('\0');
    rest = messages.pop();
    for (const message of messages) take(JSON.parse(message));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${command} has ended`));
  });

  function take({ id, method, params, result, error }) {
    if (id !== undefined) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new Error(error.message));
      else resolve(result);
      return;
    }
    if (method === 'Runtime.consoleAPICalled') log.push(params.args.map(({ value, description }) => value ?? description).join(' '));
    if (method === 'Runtime.exceptionThrown') log.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Log.entryAdded') log.push(params.entry.text);
    events.get(method)?.(params);
  }

  function send(method, params = {}) {
    ids += 1;
    const id = ids;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      input.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
    });
  }

  async function evaluate(expression) {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async function close() {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    session = undefined;
    send('Browser.close').catch(() => {}); // it ends its own processes, which write to the profile
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE);
    await ended;
    clearTimeout(timer);
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  try {
    const { targetInfos } = await send('Target.getTargets');
    const { targetId } = targetInfos.find(({ type }) => type === 'page');
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    session = sessionId;
    for (const domain of ['Runtime', 'Log', 'Page']) await send(`${domain}.enable`);
    const loaded = new Promise((resolve) => events.set('Page.loadEventFired', resolve));
    await send('Page.navigate', { url });
    await loaded;
  } catch (error) {
    await close();
    throw error;
  }
  return { evaluate, send, log, close };
}

module.exports = { find, open };

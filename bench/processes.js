'use strict';

/**
 * A process that measures one contender (child.js). It speaks in lines of JSON,
 * and is stopped while others have their turn, so that what its compiler and its
 * collector do in the background is on nobody's time but its own.
 */

const { spawn } = require('node:child_process');
const path = require('node:path');

const CHILD = path.join(__dirname, 'child.js');

/** Bluebird turns warnings and long stack traces on by these variables. */
const ENVIRONMENT = {
  ...process.env,
  NODE_ENV: 'production',
  BLUEBIRD_DEBUG: '',
};

/**
 * Where time is measured the nursery of the heap has the size that it grows to in a
 * busy process. Left alone, V8 makes it half or twice as large from one process to the
 * next, and what survives a collection costs half or twice as much.
 */
const NURSERY = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

const canStop = process.platform !== 'win32';

class Measurement {
  /**
   * Starts the process; `message` tells what comes of it.
   *
   * @param {import('./child.js').Job} job
   * @param {object} settings
   * @param {import('./runtimes.js').Runtime} settings.runtime  runs it
   * @param {string | null} settings.core  to pin it to
   * @param {number} settings.timeout  seconds that each message may take
   * @param {AbortController} settings.interrupt  kills it
   */
  constructor(job, { runtime, core, timeout, interrupt }) {
    const flags = job.measure === 'time' && runtime.engine.startsWith('V8') ? NURSERY : [];
    const command = [runtime.program, '--expose-gc', ...flags, CHILD, JSON.stringify(job)];
    if (core !== null) command.unshift('taskset', '-c', core);
    this.timeout = timeout;
    this.interrupt = interrupt;
    this.lines = [];
    this.rest = '';
    this.stderr = '';
    this.ended = null; // {error} when it can say no more
    this.late = false;
    this.wake = () => {};
    this.child = spawn(command[0], command.slice(1), { env: ENVIRONMENT, stdio: 'pipe' });
    this.kill = () => this.child.kill('SIGKILL');
    interrupt.signal.addEventListener('abort', this.kill, { once: true });
    process.once('exit', this.kill);
    this.listen();
  }

  listen() {
    const { child } = this;
    child.stdin.on('error', () => {}); // it has died: `close` says so
    child.stdout.on('data', (data) => this.read(data));
    child.stderr.on('data', (data) => (this.stderr += data));
    child.on('error', (error) => this.end({ error: error.message }));
    child.on('close', (code, killedBy) => {
      // On a terminal Ctrl-C reaches the child as well, perhaps before us.
      if (killedBy === 'SIGINT') this.interrupt.abort();
      this.end(this.late ? { error: `no result after ${this.timeout} s, killed` } : died(this.stderr, code, killedBy));
    });
  }

  read(data) {
    const lines = (this.rest + data).split('\n');
    this.rest = lines.pop();
    // What a library prints is none of ours.
    this.lines.push(...lines.map(parse).filter((message) => message !== null));
    this.wake();
  }

  end(result) {
    if (this.ended !== null) return;
    this.ended = result;
    this.interrupt.signal.removeEventListener('abort', this.kill);
    process.removeListener('exit', this.kill);
    this.wake();
  }

  /**
   * What it says next. The process is stopped then, unless that was the last.
   *
   * @returns {Promise<object>} `{error}` when it fails, dies or takes too long
   */
  async message() {
    const timer = setTimeout(() => {
      this.late = true;
      this.kill();
    }, this.timeout * 1000);
    while (this.lines.length === 0 && this.ended === null) {
      await new Promise((resolve) => (this.wake = resolve));
    }
    clearTimeout(timer);
    if (this.lines.length === 0) return this.ended;
    const message = this.lines.shift();
    if (canStop && !isLast(message)) this.child.kill('SIGSTOP');
    return message;
  }

  /** Gives it a turn. @returns {Promise<object>} as `message` */
  turn() {
    if (canStop) this.child.kill('SIGCONT');
    this.child.stdin.write('\n');
    return this.message();
  }
}

/** Whether it will say no more. */
const isLast = (message) => 'error' in message || 'version' in message;

function parse(line) {
  try {
    const message = JSON.parse(line);
    return typeof message === 'object' ? message : null; // null is an object too
  } catch {
    return null;
  }
}

function died(stderr, code, killedBy) {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '';
  const how = `died with ${killedBy ?? `code ${code}`}`;
  return { error: reason ? `${how}: ${reason.trim()}` : how };
}

module.exports = { Measurement, isLast };

'use strict';

/**
 * One measurement in a process of its own: one suite, one contender, one case.
 *
 *     node --expose-gc bench/child.js '{"suite": FILE, "contender": FILE, ...}'
 *
 * It says in lines of JSON on standard output what comes of it, or the reason of
 * failure. A measurement of memory is one line. One of time goes by turns: a line
 * after the warm-up, and then, for each line on standard input, one for a timed
 * iteration; in the end one for what else is counted. While it waits nothing of it
 * runs. Nothing runs between the start and the end of a timed iteration but the
 * suite: collection, checks and counts come after it.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {'callbacks' | 'promises' | 'async'} style
 * @property {() => Library} load  loads the library; runs in the child only
 *
 * @typedef {object} Library
 * @property {string | null} version  null: that of the runtime
 * @property {PromiseConstructor} [Promise]
 * @property {(fn: Function) => Function} [promisify]
 * @property {() => object} [stats]  figures of the engine: `calls` into it, `bytes` off the heap
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} title
 * @property {string[]} styles           of the contenders that can run it
 * @property {(parameters: object) => string[]} [only]  names of those that do; default all
 * @property {(library: Library, parameters: object) => string | undefined} [lacks]
 *   why a library cannot take part
 * @property {object[]} cases            parameters and repetitions; `isLong`: not in the default run
 * @property {(parameters: object) => string} describe
 * @property {string} [unit]             default "ms"; else per operation
 * @property {(parameters: object) => number} [operations]
 * @property {boolean} [hasFloor]        subtract the callbacks contender
 * @property {boolean} [countsPromises]  report crossings per promise
 * @property {boolean} [collects]        collect all garbage between `prepare` and `run`
 * @property {{unit: string, count: (parameters: object) => number}} [growth]
 *   report what time and memory grow by between two cases, per unit
 * @property {(contender: object, parameters: object) => Round} create
 *
 * @typedef {object} Round
 * @property {number} expected  number of completions
 * @property {() => void} [prepare]  untimed
 * @property {(complete: (error: unknown) => void) => void} run  timed
 * @property {() => number} [elapsed]  milliseconds, where a part of the run is timed
 *
 * @typedef {object} Job
 * @property {string} suite       file
 * @property {string} contender   file
 * @property {object} parameters  of the case; `n` among them
 * @property {number} warmups
 * @property {number} warmupN     `n` of the warm-up iterations
 * @property {number} iterations
 * @property {'time' | 'memory'} measure
 */

const fs = require('node:fs');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { countPromises } = require('./count-promises.js');

const ROOT = path.dirname(__dirname);

/** What the exit handler says when the event loop ran empty. */
let progress = null;
let isOver = false;

function say(message) {
  fs.writeSync(1, `\n${JSON.stringify(message)}\n`);
}

/** Says the last there is to say. */
function report(result) {
  if (isOver) return;
  isOver = true;
  say(result);
}

function fail(reason) {
  report({ error: reason });
  process.exit(1);
}

const byte = Buffer.alloc(1);

/** Waits for the next turn; ends the process when there will be none. */
function waitForTurn() {
  if (fs.readSync(0, byte) > 0) return;
  isOver = true;
  process.exit(1);
}

/** @returns {string} the first line of what was thrown */
function reasonOf(error) {
  const [line] = String(error?.message ?? error).split('\n', 1);
  return line.replaceAll(`${ROOT}${path.sep}`, '');
}

/** A collector that can be asked for; only V8 has one that can be asked for the nursery alone. */
const gc = process.versions.bun ? undefined : global.gc;

/**
 * Empties the nursery, so that each timed iteration starts alike and does not
 * pay for the one before it. Only the nursery: after a full collection V8
 * throws away optimised code whose maps and closures died with the last
 * iteration, and every contender is measured while it is being recompiled.
 */
function collectYoung() {
  gc?.({ type: 'minor' });
}

/**
 * Runs one iteration.
 *
 * @param {Suite} suite
 * @param {Round} round
 * @returns {Promise<number>} milliseconds from the start to the last completion
 */
function measureRound({ collects }, round) {
  const { expected } = round;
  round.prepare?.();
  if (collects) gc?.();
  return new Promise((resolve, reject) => {
    let completed = 0;
    let start = 0;
    progress = () => `${completed} of ${expected} requests completed`;

    function complete(error) {
      // At once: the queue may be busy for minutes with what is left over.
      if (error) fail(reasonOf(error));
      completed += 1;
      if (completed !== expected) return;
      const elapsed = round.elapsed?.() ?? performance.now() - start;
      // One turn later, so that a completion too many is seen.
      setImmediate(() => {
        if (completed === expected) resolve(elapsed);
        else reject(new Error(progress()));
      });
    }

    collectYoung();
    start = performance.now();
    round.run(complete);
  });
}

async function measureTimes(suite, contender, job) {
  const { parameters, warmupN } = job;
  const round = suite.create(contender, parameters);
  // The same closures where possible: new ones would be compiled anew.
  const warmup =
    warmupN === parameters.n
      ? round
      : suite.create(contender, { ...parameters, n: warmupN });
  const cold = [];
  for (let i = 0; i < job.warmups; i += 1) cold.push(await measureRound(suite, warmup));
  // The first one of all tells what the code costs before it is compiled.
  say({ first: warmup === round ? cold[0] : undefined });
  let before = null;
  for (let i = 0; i < job.iterations; i += 1) {
    waitForTurn();
    before = contender.stats?.();
    say({ time: await measureRound(suite, round) });
  }
  waitForTurn();
  const result = {};
  if (before) {
    const after = contender.stats();
    result.crossings = after.calls - before.calls;
    // Last, because a second promise class spoils the compiled code.
    if (suite.countsPromises && contender.style === 'promises') {
      const each = await countPromises(suite, parameters);
      result.promises = each * parameters.n;
    }
  }
  return result;
}

/**
 * Peak resident memory of this process in bytes. Linux hands `maxRSS` on from
 * the process that forked this one, so the figure of the kernel's memory map
 * is taken where there is one.
 */
function peakMemory() {
  try {
    const status = fs.readFileSync('/proc/self/status', 'latin1');
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status);
    if (peak) return Number(peak[1]) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

/**
 * One iteration without warm-up. The heap is what the runtime has set aside for
 * objects: it hardly gives any of it back, so the growth tells the peak.
 *
 * @returns {Promise<{memory: {peak: number, heap: number, engine?: number}}>}
 *   bytes: of the whole process at its peak, growth of the heap, growth of what
 *   the engine of the library holds off the heap
 */
async function measureMemory(suite, contender, job) {
  const round = suite.create(contender, job.parameters);
  const heapBefore = process.memoryUsage().heapTotal;
  const engineBefore = contender.stats?.().bytes;
  await measureRound(suite, round);
  const memory = { peak: peakMemory(), heap: process.memoryUsage().heapTotal - heapBefore };
  if (engineBefore !== undefined) memory.engine = contender.stats().bytes - engineBefore;
  return { memory };
}

/** @param {Contender} contender */
function loadLibrary(contender) {
  try {
    return contender.load();
  } catch (error) {
    return fail(`cannot load: ${reasonOf(error)}`);
  }
}

async function main() {
  /** @type {Job} */
  const job = JSON.parse(process.argv[2]);
  const { style, load } = require(job.contender);
  const library = loadLibrary({ load });
  const contender = { ...library, style };
  const suite = require(job.suite);
  const lack = suite.lacks?.(library, job.parameters);
  const measure = job.measure === 'memory' ? measureMemory : measureTimes;
  const result = lack ? { lack } : await measure(suite, contender, job);
  report({ version: library.version, ...result });
  process.exit(0);
}

process.on('uncaughtException', (error) => fail(reasonOf(error)));
process.on('exit', () => {
  if (isOver) return;
  process.exitCode = 1;
  report({ error: progress ? progress() : 'ended without a result' });
});
main().catch((error) => fail(reasonOf(error)));

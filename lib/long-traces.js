'use strict';
/**
 * Long stack traces: an error also shows where the promise was made whose
 * handler it left, and where the one whose handler made that, and so on.
 *
 *   TypeError: no user
 *       at show (app.js:12:9)            where it was thrown
 *   From previous event:
 *       at load (app.js:7:6)             where then(show) was called
 *   From previous event:
 *       at main (app.js:3:4)             where then(load) was called
 *
 * Frames of this library and of Node's internals are left out, and so is what a
 * part has in common with the next one.
 *
 * A Trace refers to the one before it, so a chain that runs for ever would keep
 * them all: beyond MAX_LINKS a trace gets copies of the last few parts that
 * differ, which refer to nothing older.
 */
const { isNativeError, library } = require('#runtime');

const { captureStackTrace } = Error;

/** What stands between the parts. */
const SEPARATOR = 'From previous event:';
/** Parts after the error's own that are kept and shown at most. */
const MAX_PARTS = 16;
/** Links that a trace may have before it is shortened, which is dear. */
const MAX_LINKS = 2 * MAX_PARTS;

const FRAME = /^\s*at /;
const FIRST_FRAME = /\n\s*at /g;
/** Frames of Node that say nothing about the program; the last two carry contexts along. */
const NODE_INTERNAL = /(?:^\s*at |\()node:(?:internal\/|async_hooks:|domain:)/;
const OURS = library.directory;
/** Frames of ours, or between two of the program, that a trace has beside those of the program. */
const EXTRA_FRAMES = 10;

const isOurs = (line) => line.includes(OURS);
const isInternal = (line) => NODE_INTERNAL.test(line);
/** Whether one of `lines` is ours, or a built-in function that we have called. */
const isHidden = (line, index, lines) => isOurs(line) || (line.endsWith('(<anonymous>)') && isOurs(lines[index + 1] ?? ''));

/** Takes the stack, as error.stack has it, with room for our own frames. */
function capture(holder, above) {
  const limit = Error.stackTraceLimit;
  const isRaised = typeof limit === 'number' && limit > 0 && Reflect.set(Error, 'stackTraceLimit', limit + EXTRA_FRAMES);
  captureStackTrace(holder, above);
  if (isRaised) Error.stackTraceLimit = limit;
}

/** A place in the program, and the one that led to it. */
class Trace {
  /**
   * @param {Function} above the function on the stack that is left out with all that it called
   * @param {Trace} [parent]
   */
  constructor(above, parent) {
    this.parent = parent;
    this.links = parent === undefined ? 0 : parent.links + 1;
    this.lines = undefined;
    capture(this, above);
    if (this.links > MAX_LINKS) this.shorten();
  }

  shorten() {
    let parent;
    for (const lines of partsOf(this.parent).reverse()) parent = new Part(lines, parent);
    this.parent = parent;
    this.links = parent === undefined ? 0 : parent.links + 1;
  }
}

/** A copy of a Trace that has been read. */
class Part {
  constructor(lines, parent) {
    this.parent = parent;
    this.links = parent === undefined ? 0 : parent.links + 1;
    this.lines = lines;
  }
}

/** The frames of a trace that are worth showing. Until it is asked for them it holds on to the functions on the stack. */
function linesOf(trace) {
  if (trace.lines === undefined) {
    const { stack } = trace;
    const lines = typeof stack === 'string' ? stack.split('\n').filter((line) => FRAME.test(line)) : [];
    trace.lines = lines.filter((...at) => !isHidden(...at)).filter((line) => !isInternal(line));
    trace.stack = undefined;
  }
  return trace.lines;
}

/** The parts of a trace, the latest first: those that show something, each of them once. */
function partsOf(trace) {
  const parts = [];
  const seen = new Set();
  for (let t = trace; t !== undefined && parts.length < MAX_PARTS; t = t.parent) {
    const lines = linesOf(t);
    const text = lines.join('\n');
    if (text === '' || seen.has(text)) continue;
    seen.add(text);
    parts.push(lines);
  }
  return parts;
}

/** Errors that have their long stack trace. A later one would tell less. */
const finished = new WeakSet();

/** Whether something is an error, of any realm. */
function isError(value) {
  try {
    return isNativeError(value) || value instanceof Error;
  } catch {
    return false; // a proxy
  }
}

/**
 * Adds a trace to the stack of an error, and leaves out of it what nobody wants
 * to see. Errors that cannot be changed stay as they are.
 * @param {Error} error
 * @param {Trace} [trace]
 */
function attach(error, trace) {
  if (finished.has(error)) return;
  finished.add(error);
  try {
    const { stack } = error;
    if (typeof stack !== 'string') return;
    const [head, ...frames] = splitStack(stack, error.message);
    const value = [head, ...layOut([ownLines(frames), ...partsOf(trace)])].join('\n');
    Object.defineProperty(error, 'stack', { value, writable: true, enumerable: false, configurable: true });
  } catch {
    // Frozen, or a getter of the user that throws.
  }
}

/** What stands before the first frame of a stack, which may be many lines, and each line from there on. */
function splitStack(stack, message) {
  const start = typeof message === 'string' ? stack.indexOf(message) : -1;
  FIRST_FRAME.lastIndex = start === -1 ? 0 : start + message.length;
  const match = FIRST_FRAME.exec(stack);
  if (match === null) return [stack];
  return [stack.slice(0, match.index), ...stack.slice(match.index + 1).split('\n')];
}

/** The lines of an error's own stack. Internals of Node that threw it stay; those that called the program go. */
function ownLines(lines) {
  const others = lines.filter((...at) => !isHidden(...at));
  const first = others.findIndex((line) => !isInternal(line));
  return others.filter((line, index) => index < first || !isInternal(line));
}

/** The lines of all parts, without what each has in common with the next one. */
function layOut(parts) {
  const result = [];
  parts.forEach((part, index) => {
    const lines = withoutRoot(part, parts[index + 1]);
    if (lines.length === 0) return;
    if (result.length > 0) result.push(SEPARATOR);
    result.push(...lines);
  });
  return result;
}

/** `part` without the frames at its end that end `next` too. */
function withoutRoot(part, next) {
  if (next === undefined) return part;
  let common = 0;
  while (common < part.length && common < next.length && part.at(-1 - common) === next.at(-1 - common)) common++;
  return part.slice(0, part.length - common);
}

module.exports = { Trace, attach, isError, linesOf };

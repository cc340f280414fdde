'use strict';
/**
 * The engine as a WebAssembly module (src/host_wasm.c): for where the addon
 * cannot be loaded. What create() returns is described in src/host_node.c.
 *
 * A WebAssembly memory that grows detaches all views of it. The arrays that the
 * layers above hold must never do that, so they are ordinary arrays, and each
 * call copies what it needs from and to the module's own: a word costs a
 * nanosecond, a call less than into an addon.
 */
const text = require('./wasm-module');

const OK = 0;
const ENOMEM = -1;
const ELIMIT = -2;

/** Words of the header, as in src/engine.h. */
const COMMANDS = 0;
const READY = 1;
const HEADER_END = 4;
const DEADLINES = 4;
const ROOM = 5;

const STATS = ['calls', 'turns', 'commands', 'slots', 'pages', 'bytes'];
const PAGE_SLOTS = 256;

/** The bytes of a base64 text. Neither Buffer nor atob is everywhere. */
function decode(base64) {
  const bytes = new Uint8Array((base64.length * 3) >> 2);
  let length = 0;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < base64.length; i++) {
    const digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(base64[i]);
    if (digit < 0) break; // padding
    bits = (bits << 6) | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[length++] = bits >> count;
      bits &= (1 << count) - 1;
    }
  }
  return bytes.subarray(0, length);
}

/** Copying by hand is faster up to about so many words. */
const FEW = 64;

/** Copies `count` words. */
function copy(from, fromStart, to, toStart, count) {
  if (count > FEW) {
    to.set(from.subarray(fromStart, fromStart + count), toStart);
  } else {
    for (let i = 0; i < count; i++) to[toStart + i] = from[fromStart + i];
  }
}

function coded(error, code) {
  error.code = code;
  return error;
}

/** Makes an engine. @throws {Error} WebAssembly is missing or forbidden, or memory is short */
function create() {
  const { exports: engine } = new WebAssembly.Instance(new WebAssembly.Module(decode(text)));
  const { memory } = engine;
  if (engine.create() !== OK) throw coded(new RangeError('cpromise: out of memory: cannot make an engine'), 'CPROMISE_MEMORY');

  /** The memory as words and as doubles. Made anew where it may have grown, after open() and reserve(). */
  let words = new Int32Array(memory.buffer);
  let doubles = new Float64Array(memory.buffer);

  const at = engine.arrays.value >> 2;
  const [commandsAt, windowAt, headerAt] = [0, 2, 4].map((i) => words[at + i] >> 2);
  const [commands, window, header] = [1, 3, 5].map((i) => new Int32Array(words[at + i]));
  const deadlinesAt = words[at + 6] >> 3;
  const deadlines = new Float64Array(words[at + 7]);

  function look() {
    if (words.length > 0) return;
    words = new Int32Array(memory.buffer);
    doubles = new Float64Array(memory.buffer);
  }

  function open() {
    const page = engine.open();
    look();
    if (page < 0) {
      const reason = page === ELIMIT ? 'too many pending promises' : 'out of memory';
      throwShort(`${reason}: cannot open a page of ${PAGE_SLOTS} more promises`, page === ELIMIT ? 'CPROMISE_LIMIT' : 'CPROMISE_MEMORY');
    }
    return page;
  }

  function throwShort(reason, code) {
    const { slots, pages, bytes } = stats();
    throw coded(new RangeError(`cpromise: ${reason} (${slots} slots live in ${pages} pages, ${bytes} bytes held)`), code);
  }

  function sendDeadlines() {
    const pairs = header[DEADLINES];
    header[DEADLINES] = 0;
    words[headerAt + DEADLINES] = pairs;
    if (pairs > 0) copy(deadlines, 0, doubles, deadlinesAt, pairs << 1);
  }

  /** What the engine says of the deadlines after each call. */
  function receiveDeadlines() {
    header[ROOM] = words[headerAt + ROOM];
    const after = deadlines.length - 2;
    deadlines[after] = doubles[deadlinesAt + after];
    deadlines[after + 1] = doubles[deadlinesAt + after + 1];
  }

  function send() {
    const pairs = header[COMMANDS];
    header[COMMANDS] = 0;
    words[headerAt + COMMANDS] = pairs;
    if (pairs > 0) copy(commands, 0, words, commandsAt, pairs << 1);
    sendDeadlines();
  }

  function turn() {
    send();
    const status = engine.turn();
    for (let i = 1; i < HEADER_END; i++) header[i] = words[headerAt + i];
    copy(words, windowAt, window, 0, header[READY]);
    receiveDeadlines();
    if (status !== OK) throwCommand();
  }

  function flush() {
    send();
    const status = engine.flush();
    receiveDeadlines();
    if (status !== OK) throwCommand();
  }

  function reserve() {
    sendDeadlines();
    const status = engine.reserve();
    look();
    receiveDeadlines();
    if (status === ENOMEM) throwShort('out of memory: no room for one more deadline', 'CPROMISE_MEMORY');
    if (status !== OK) throwCommand();
  }

  function throwCommand() {
    throw coded(new Error('cpromise: a command made no sense'), 'CPROMISE_COMMAND');
  }

  function stats() {
    engine.stats();
    const numbers = new Float64Array(memory.buffer, engine.numbers.value, STATS.length);
    return Object.fromEntries(STATS.map((name, i) => [name, numbers[i]]));
  }

  function check() {
    const start = engine.check();
    if (start === 0) return null;
    const bytes = new Uint8Array(memory.buffer, start);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  }

  receiveDeadlines();
  return { commands, window, header, deadlines, open, turn, flush, reserve, due: engine.due, stats, check };
}

module.exports = { create };

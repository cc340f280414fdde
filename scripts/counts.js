'use strict';
/**
 * Reads from the lines that a test program printed how many tests passed,
 * failed and were skipped: {passed, failed, skipped}, undefined when they say
 * nothing.
 */

const sum = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped });
const none = { passed: 0, failed: 0, skipped: 0 };

/** The end of mocha's spec reporter. */
function ofMocha(lines) {
  const start = endOfMocha(lines);
  if (start < 0) return undefined;
  const number = (word) => {
    const line = lines.slice(start, start + 3).find((l) => new RegExp(`^  \\d+ ${word}\\b`).test(l));
    return line ? parseInt(line, 10) : 0;
  };
  return { passed: number('passing'), failed: number('failing'), skipped: number('pending') };
}

/** Index of the line `N passing`, after which mocha tells the failures; or -1. */
function endOfMocha(lines) {
  return lines.findLastIndex((line) => /^ {2}\d+ passing \(/.test(line));
}

/** One line `N passed, N failed[, N skipped]`. */
function ofLine(line) {
  const found = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line);
  return found ? { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3] || 0) } : undefined;
}

/** The last such line of a program. */
function ofLast(lines) {
  return lines.map(ofLine).findLast((c) => c !== undefined);
}

/** test/c: runs that begin with a line `matrix: …`; the last line of each is its sum. */
function ofMatrix(lines) {
  let all;
  let last;
  for (const line of [...lines, 'matrix: end']) {
    if (line.startsWith('matrix: ')) {
      if (last !== undefined) all = sum(all || none, last);
      last = undefined;
    } else {
      last = ofLine(line) || last;
    }
  }
  return all;
}

/** The last line of a test run. */
function format({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

module.exports = { none, sum, ofMocha, endOfMocha, ofLast, ofMatrix, format };

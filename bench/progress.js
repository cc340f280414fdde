'use strict';

const BAR = 24;

function duration(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * Says on standard error where the run is: a bar that is redrawn on a terminal,
 * a plain line per round and case elsewhere.
 *
 * @param {number} total  number of tasks
 * @param {object} [stream]
 */
function createProgress(total, stream = process.stderr) {
  const start = Date.now();
  let begun = 0;
  let last = '';

  function label({ measure, round, rounds, group }) {
    const { suite, settings, runtime } = group;
    return `${measure} ${round + 1}/${rounds} ${runtime.title}, ${suite.name}, ${suite.describe(settings)}`;
  }

  function bar() {
    const done = begun - 1;
    const filled = Math.floor((BAR * done) / total);
    const seconds = (Date.now() - start) / 1000;
    const left = done > 0 ? `, ${duration((seconds / done) * (total - done))} left` : '';
    return `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${begun}/${total}, ${duration(seconds)}${left}`;
  }

  return {
    /** @param {object} task  about to run */
    show(task) {
      begun += 1;
      const text = label(task);
      if (stream.isTTY) {
        const line = `${bar()}: ${text}: ${task.row.contender.name}`;
        stream.write(`\r\u001b[2K${line.slice(0, stream.columns - 1)}`);
      } else if (text !== last) {
        stream.write(`${text}\n`);
      }
      last = text;
    },
    clear() {
      if (stream.isTTY) stream.write('\r\u001b[2K');
    },
  };
}

module.exports = { createProgress };

'use strict';

/**
 * Says on standard error where the run is: one line that is rewritten on a
 * terminal, a plain line per round and case elsewhere.
 *
 * @param {number} total  number of tasks
 */
function createProgress(total) {
  const { stderr } = process;
  const start = Date.now();
  let done = 0;
  let last = '';

  const label = ({ measure, round, rounds, group }) =>
    `${measure} ${round + 1}/${rounds} ${group.suite.name}, ` +
    group.suite.describe(group.settings);

  return {
    /** @param {object} task  about to run */
    show(task) {
      done += 1;
      const text = label(task);
      if (stderr.isTTY) {
        const seconds = Math.round((Date.now() - start) / 1000);
        const line = `[${done}/${total}, ${seconds} s] ${text}`;
        const full = `${line}: ${task.row.contender.name}`;
        stderr.write(`\r\u001b[2K${full.slice(0, stderr.columns - 1)}`);
      } else if (text !== last) {
        stderr.write(`${text}\n`);
      }
      last = text;
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[2K');
    },
  };
}

module.exports = { createProgress };

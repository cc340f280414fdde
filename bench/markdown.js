'use strict';

/**
 * Prints the figures of `run.js --json FILE` as Markdown, for the README, of all contenders or of some:
 *
 *     node bench/markdown.js FILE [NAME...]
 */
const fs = require('node:fs');
const { mebibytes, ratio, reason, time } = require('./format.js');

/** A row per contender, fastest first; ratios to Bluebird and to native promises of the same run. */
function rows(group, names, tellRuntime) {
  const results = group.results.filter(({ contender }) => names.length === 0 || names.includes(contender));
  return results.map((row, i) => {
    const title = `${group.title}, ${group.size}${tellRuntime ? `, ${group.runtime}` : ''}`;
    const cells = reason(row)
      ? [reason(row), '', '', '']
      : [`${time(row.time?.lowest)} ${group.unit}`, ratio(row, 'time', 'bluebird'), ratio(row, 'time', 'native'), mebibytes(row.peakMemory?.lowest)];
    return `| ${[i === 0 ? title : '', row.contender, ...cells.map((cell) => cell ?? '')].join(' | ')} |`;
  });
}

const [file, ...names] = process.argv.slice(2);
const { groups, runtimes } = JSON.parse(fs.readFileSync(file, 'utf8'));
console.log('| suite | contender | lowest | / bluebird | / native | peak MiB |\n|---|---|--:|--:|--:|--:|');
for (const group of groups) for (const row of rows(group, names, runtimes.length > 1)) console.log(row);

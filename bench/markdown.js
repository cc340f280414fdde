'use strict';

/** Prints the figures of `run.js --json FILE` as Markdown, for the README: node bench/markdown.js FILE */
const fs = require('node:fs');
const { mebibytes, ratio, reason, time } = require('./format.js');

/** A row per contender, fastest first; ratios to Bluebird and to native promises of the same run. */
function rows(group, tellRuntime) {
  return group.results.map((row, i) => {
    const title = `${group.title}, ${group.size}${tellRuntime ? `, ${group.runtime}` : ''}`;
    const cells = reason(row)
      ? [reason(row), '', '', '']
      : [`${time(row.time?.lowest)} ${group.unit}`, ratio(row, 'time', 'bluebird'), ratio(row, 'time', 'native'), mebibytes(row.peakMemory?.lowest)];
    return `| ${[i === 0 ? title : '', row.contender, ...cells.map((cell) => cell ?? '')].join(' | ')} |`;
  });
}

const { groups, runtimes } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
console.log('| suite | contender | lowest | / bluebird | / native | peak MiB |\n|---|---|--:|--:|--:|--:|');
for (const group of groups) for (const row of rows(group, runtimes.length > 1)) console.log(row);

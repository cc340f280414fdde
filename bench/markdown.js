'use strict';

/** Prints the figures of `run.js --json FILE` as Markdown, for the README: node bench/markdown.js FILE */
const fs = require('node:fs');

const number = (x) => (x >= 100 ? Math.round(x).toLocaleString('en-US') : x.toFixed(1));

/** A row per contender, fastest first; ratios to Bluebird and to native promises of the same run. */
function rows(group) {
  const value = (row) => row.time && row.time.lowest;
  const named = (name) => group.results.find((row) => row.contender === name);
  const ratio = (row, name) => (named(name) && value(named(name)) ? (value(row) / value(named(name))).toFixed(2) : '');
  const sorted = [...group.results].sort((a, b) => (value(a) ?? Infinity) - (value(b) ?? Infinity));
  return sorted.map((row, i) => {
    const suite = i === 0 ? `${group.title}, ${group.size}` : '';
    if (value(row) === undefined) return `| ${suite} | ${row.contender} | ${row.error ?? 'no result'} | | | |`;
    const memory = row.peakMemory ? number(row.peakMemory.lowest / 2 ** 20) : '';
    return `| ${suite} | ${row.contender} | ${number(value(row))} ${group.unit} | ${ratio(row, 'bluebird')} | ${ratio(row, 'native')} | ${memory} |`;
  });
}

const { groups } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
console.log('| suite | contender | lowest | / bluebird | / native | peak MiB |\n|---|---|--:|--:|--:|--:|');
for (const group of groups) for (const row of rows(group)) console.log(row);

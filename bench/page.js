'use strict';

/**
 * The document as one page that needs nothing else: charts, platform, and all
 * figures as tables.
 *
 *     node bench/page.js RESULT.json... PAGE.html
 *
 * Of several results the first one counts where two have the same group.
 */

const fs = require('node:fs');
const path = require('node:path');
const { barsOf, draw, ratiosOf } = require('./charts.js');
const { mebibytes, number, percent, ratio, reason, time } = require('./format.js');

const MEBIBYTE = 2 ** 20;

/** The contenders of the first chart. Bluebird is the line at 1. */
const COMPARED = ['cpromise', 'cpromise-coroutine', 'cpromise-async', 'native', 'native-async', 'bluebird-coroutine'];

const escape = (text) => `${text}`.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const code = (text) => `<code>${escape(text)}</code>`;

/** The key that two groups of one suite, size and runtime have in common. */
const keyOf = ({ suite, title, size, runtime }) => JSON.stringify([suite, title, size, runtime]);

/**
 * @param {object[]} documents  of runs on one machine
 * @returns {object} one document
 */
function merge(documents) {
  const groups = new Map();
  const runtimes = new Map();
  const versions = {};
  for (const document of documents) {
    for (const group of document.groups) if (!groups.has(keyOf(group))) groups.set(keyOf(group), group);
    for (const runtime of document.runtimes) if (!runtimes.has(runtime.title)) runtimes.set(runtime.title, runtime);
    Object.assign(versions, document.versions);
  }
  const { platform } = documents[0];
  return {
    platform: { ...platform, command: documents.map((document) => document.platform.command).join('; ') },
    runtimes: [...runtimes.values()],
    versions,
    complete: documents.every(({ complete }) => complete),
    groups: [...groups.values()],
  };
}

/** One entry per suite and size: its groups, one per runtime. */
function sectionsOf(groups) {
  const sections = new Map();
  for (const group of groups) {
    const key = keyOf({ ...group, runtime: undefined });
    if (!sections.has(key)) sections.set(key, []);
    sections.get(key).push(group);
  }
  return [...sections.values()];
}

const titleOf = ({ title, size }) => `${title[0].toUpperCase()}${title.slice(1)}, ${size}`;

const nameOf = ({ suite, size }) => `${suite}, ${size}`;

/** The rows of a chart: what `figure` finds in each result. */
function rowsOf(groups, figure) {
  return groups.flatMap(({ runtime, results }) =>
    results
      .filter((result) => figure(result) > 0)
      .map((result) => ({ contender: result.contender, runtime, value: figure(result) })),
  );
}

/** Both forms of a chart; the switch on top of the page shows one of them. */
async function drawBoth(rows, order, title, label) {
  if (rows.length === 0) return '';
  const forms = [];
  for (const isLog of [false, true]) {
    const svg = await draw(barsOf({ rows, order, title, isLog }), label);
    forms.push(`<div class="${isLog ? 'log' : 'linear'}">${svg}</div>`);
  }
  return `<div class="chart">${forms.join('\n')}</div>`;
}

const COLUMNS = [
  ['lowest', (r) => time(r.time?.lowest)],
  ['median', (r) => time(r.time?.median)],
  ['spread', (r) => percent(r.time?.spread)],
  ['first', (r) => time(r.first?.median)],
  ['/ Bluebird', (r) => ratio(r, 'time', 'bluebird')],
  ['/ native', (r) => ratio(r, 'time', 'native')],
  ['over floor', (r) => time(r.aboveFloor)],
  ['peak MiB', (r) => mebibytes(r.peakMemory?.lowest)],
  ['/ Bluebird', (r) => ratio(r, 'memory', 'bluebird')],
  ['/ native', (r) => ratio(r, 'memory', 'native')],
  ['heap +MiB', (r) => mebibytes(r.heapGrowth?.lowest)],
  ['engine +MiB', (r) => mebibytes(r.engineGrowth?.lowest)],
];

function tableOf(groups) {
  const columns = COLUMNS.filter(([title]) => title !== 'over floor' || groups[0].hasFloor);
  const head = ['runtime', 'contender', ...columns.map(([title]) => title)].map((title) => `<th scope="col">${escape(title)}</th>`).join('');
  const rows = groups.flatMap(({ runtime, results }) => results.map((result) => {
    const why = reason(result);
    const cells = why
      ? `<td class="reason" colspan="${columns.length}">${escape(why)}</td>`
      : columns.map(([, format]) => `<td>${escape(format(result) ?? '')}</td>`).join('');
    return `<tr><td class="name">${escape(runtime)}</td><th scope="row">${escape(result.contender)}</th>${cells}</tr>`;
  }));
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

/** What grows between two sizes, where a suite says so. */
function growthOf(groups) {
  const rows = groups.flatMap(({ runtime, growth }) => (growth?.rows ?? []).map((row) =>
    `<tr><td class="name">${escape(runtime)}</td><th scope="row">${escape(row.contender)}</th>` +
    `<td>${number(row.time)}</td><td>${number(row.memory)}</td></tr>`));
  if (rows.length === 0) return '';
  const { unit, from, to } = groups.find(({ growth }) => growth).growth;
  const head = ['runtime', 'contender', `ns per ${unit}`, `bytes per ${unit}`].map((title) => `<th scope="col">${title}</th>`).join('');
  return `<p>What grows from ${number(from)} to ${number(to)}:</p>
<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

/** The charts of time and memory of some contenders. */
async function drawPair(groups, contenders, name) {
  const [{ unit }] = groups;
  const isShown = (result) => contenders.includes(result.contender);
  const times = rowsOf(groups, (result) => isShown(result) && result.time?.lowest);
  const peaks = rowsOf(groups, (result) => isShown(result) && result.peakMemory && result.peakMemory.lowest / MEBIBYTE);
  return `<figure>
${await drawBoth(times, contenders, `lowest time, ${unit}`, `Time: ${name}`)}
${await drawBoth(peaks, contenders, 'peak memory of the process, MiB', `Memory: ${name}`)}
</figure>`;
}

/** The contenders with figures, in the order of the first runtime: all, and those that several runtimes have. */
function contendersOf(groups) {
  const lists = groups.map(({ results }) => results.filter(({ time }) => time).map(({ contender }) => contender));
  const all = [...new Set(lists.flat())];
  return { all, shared: all.filter((name) => lists.filter((list) => list.includes(name)).length > 1) };
}

async function sectionOf(groups) {
  const [{ suite, unit, runtime }] = groups;
  const name = titleOf(groups[0]);
  const { all, shared } = contendersOf(groups);
  const figures = [];
  // Where most runtimes lack most contenders, they get charts of their own.
  if (shared.length < all.length) figures.push(await drawPair(groups.slice(0, 1), all, `${name}, ${runtime}`));
  if (shared.length > 0) figures.push(await drawPair(groups, shared, name));
  return `<section>
<h2>${escape(name)}</h2>
<p>${code(`npm run bench -- --suite ${suite}`)}</p>
${figures.join('\n')}
${growthOf(groups)}
<details><summary>Figures (${escape(unit)})</summary>
${tableOf(groups)}
</details>
</section>`;
}

/** The first chart: ratios in the first runtime. */
async function overviewOf(sections) {
  const rows = sections.flatMap(([group]) =>
    group.results
      .filter(({ contender, timeRatio }) => COMPARED.includes(contender) && timeRatio?.bluebird)
      .map(({ contender, timeRatio }) => ({ suite: nameOf(group), contender, value: timeRatio.bluebird })),
  );
  if (rows.length === 0) return '';
  const contenders = COMPARED.filter((name) => rows.some(({ contender }) => contender === name));
  const title = `Time as a multiple of that of Bluebird, ${sections[0][0].runtime}`;
  return `<section>
<h2>${escape(title)}</h2>
<p>Left of the line is faster than Bluebird with promises.</p>
<figure><div class="chart whole">${await draw(ratiosOf(rows, contenders), title)}</div></figure>
</section>`;
}

function factsOf({ platform, runtimes, versions, complete }) {
  const facts = [
    ...Object.entries(platform),
    ...runtimes.map(({ title, engine, problem }) => [title, problem === undefined ? engine : `cannot be had: ${problem}`]),
    ['versions', Object.entries(versions).map((pair) => pair.join(' ')).join(', ')],
  ];
  if (!complete) facts.push(['interrupted', 'only what was finished is shown']);
  return `<dl>\n${facts.map(([key, value]) => `<dt>${escape(key)}</dt><dd>${escape(value)}</dd>`).join('\n')}\n</dl>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --line: #d5d8dc; --soft: #f3f4f6;
  --color-1: #0b64c0; --color-2: #d1570a; --color-3: #0a8a5f; --color-4: #6d7278; --color-5: #b04a8f; --color-6: #a07a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6ea; --paper: #15171a; --line: #3a3e44; --soft: #202327;
    --color-1: #62aef5; --color-2: #f59448; --color-3: #3fc795; --color-4: #9aa0a8; --color-5: #e28cc4; --color-6: #dfb93a; }
}
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 0; }
p { max-width: 46rem; } code { font-size: 0.9em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: 0.9rem; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 0.5rem 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 31rem), 1fr)); gap: 0.5rem 2rem; align-items: start; }
.chart { min-width: 0; } .chart svg { display: block; max-width: 100%; height: auto; }
.log { display: none; } body:has(#logarithmic:checked) .log { display: block; } body:has(#logarithmic:checked) .linear { display: none; }
.switch { position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
.wide { overflow-x: auto; } summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; white-space: nowrap; } thead th { border-bottom: 1px solid var(--line); }
tbody th, .name, .reason { text-align: left; font-weight: normal; } tbody tr:nth-child(even) { background: var(--soft); }
`;

/**
 * @param {object} document  of figures.js
 * @returns {Promise<string>} HTML
 */
async function createPage(document) {
  const sections = sectionsOf(document.groups);
  const parts = [];
  for (const groups of sections) parts.push(await sectionOf(groups));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Promises: benchmarks</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Promises: benchmarks</h1>
<p>Shorter is better. Times are the lowest of all repetitions, each of which is a process of its own; memory is measured in runs
apart. In the tables ≈ marks a ratio whose difference from 1 is inside the noise. What the suites do and how they are measured is
told in ${code('bench/README.md')}.</p>
${factsOf(document)}
<p class="switch"><label><input type="checkbox" id="logarithmic"> logarithmic scales</label></p>
${await overviewOf(sections)}
${parts.join('\n')}
</body>
</html>
`;
}

/** Writes the page, making the folder where it is missing. */
async function writePage(document, file) {
  const page = await createPage(document);
  fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  fs.writeFileSync(file, page);
}

module.exports = { createPage, merge, writePage };

if (require.main === module) {
  const [target, ...sources] = process.argv.slice(2).reverse();
  writePage(merge(sources.reverse().map((file) => JSON.parse(fs.readFileSync(file, 'utf8')))), target);
}

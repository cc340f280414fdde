'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { createDocument } = require('../bench/figures.js');
const { createPage, merge, writePage } = require('../bench/page.js');
const browser = require('./helpers/browser');

const CONTENDERS = ['callbacks', 'native', 'bluebird', 'cpromise', 'q'];

function sampleDocument() {
  const runtimes = [
    { name: '20', title: 'Node 20.0.0', program: 'node-20', engine: 'V8 1' },
    { name: '22', title: 'Node 22.0.0', program: 'node-22', engine: 'V8 2' },
    { name: 'bun', title: 'Bun 1.0.0', program: 'bun', problem: 'no <such> package' },
  ];
  const row = (name, i) => ({
    contender: { name },
    version: name === 'native' ? null : '1.0.0',
    error: null,
    lack: null,
    times: [[10 + i, 11 + i], [10.5 + i, 12 + i], [10 + i, 10 + i]],
    firsts: [20 + i],
    memory: [1, 2].map((k) => ({ peak: (60 + i + k) * 2 ** 20, heap: 2 ** 20, ...(name === 'cpromise' && { engine: 2 ** 19 }) })),
    crossings: null,
  });
  const suites = ['doxbee-sequential-timers', 'serial', 'gc-pressure'].map((name) => require(`../bench/suites/${name}.js`));
  const groups = suites.flatMap((suite) => suite.cases.flatMap((settings) => runtimes.slice(0, 2).map((runtime) => ({
    suite, settings, runtime, rows: CONTENDERS.map(row),
  }))));
  groups[0].rows.push({ ...row('broken', 9), error: 'lost 3 of <5> requests' });
  groups[0].rows.push({ ...row('limited', 9), lack: 'has no race' });
  return createDocument({ platform: { cpu: 'A & B', command: 'node bench/run.js' }, runtimes, groups, isComplete: true });
}

const count = (text, pattern) => [...text.matchAll(pattern)].length;

describe('bench: the page', function () {
  this.timeout(120_000);

  const document = sampleDocument();
  const CHARTS = 5 * 2 * 2 + 1; // five cases; time and memory; linear and logarithmic; the overview
  let page;
  before(async () => {
    page = await createPage(document);
  });

  it('has the charts, and needs nothing from elsewhere', () => {
    assert.equal(count(page, /<svg /g), CHARTS);
    assert.doesNotMatch(page, /<script|<link(?! rel="icon" href="data:,")|@import|url\(/);
    const addresses = page.match(/https?:\/\/[^"]+/g);
    assert.deepEqual([...new Set(addresses)].sort(), ['http://www.w3.org/1999/xlink', 'http://www.w3.org/2000/svg']);
  });

  it('has all figures in tables', () => {
    const rows = document.groups.flatMap(({ results }) => results).length;
    const growth = document.groups.flatMap((group) => group.growth?.rows ?? []).length;
    assert.equal(growth, 2 * CONTENDERS.length);
    assert.equal(count(page, /<th scope="row">/g), rows + growth);
    assert.match(page, /<th scope="row">cpromise<\/th><td>13.0<\/td><td>13.[0-9]<\/td>/);
    assert.match(page, /<th scope="row">broken<\/th><td class="reason" colspan="12">failed: lost 3 of &lt;5&gt; requests</);
    assert.match(page, /<th scope="row">limited<\/th><td class="reason" colspan="12">takes no part: has no race</);
  });

  it('tells platform, runtimes and versions', () => {
    assert.match(page, /<dt>cpu<\/dt><dd>A &amp; B<\/dd>/);
    assert.match(page, /<dt>Node 22.0.0<\/dt><dd>V8 2<\/dd>/);
    assert.match(page, /<dt>Bun 1.0.0<\/dt><dd>cannot be had: no &lt;such&gt; package<\/dd>/);
    assert.match(page, /<dt>versions<\/dt><dd>callbacks 1.0.0, bluebird 1.0.0,/);
  });

  it('of several runs has what each of them measured', async () => {
    const some = (title, isShown) => ({
      ...document,
      platform: { command: title },
      runtimes: document.runtimes.filter((runtime) => runtime.title === title),
      groups: document.groups.filter(({ runtime }) => runtime === title)
        .map((group) => ({ ...group, results: group.results.filter(({ contender }) => isShown(contender)) })),
    });
    const [full, other] = [some('Node 20.0.0', () => true), some('Node 22.0.0', (name) => name !== 'q')];
    const both = merge([full, { ...other, groups: [...full.groups.map((group) => ({ ...group, results: [] })), ...other.groups] }]);
    assert.equal(both.platform.command, 'Node 20.0.0; Node 22.0.0');
    assert.deepEqual(both.groups, [...full.groups, ...other.groups]);
    assert.deepEqual(both.runtimes.map(({ title }) => title), ['Node 20.0.0', 'Node 22.0.0']);
    // All contenders where they are all there, and those that both have.
    assert.equal(count(await createPage(both), /<svg /g), 2 * (CHARTS - 1) + 1);
  });

  describe('in Chromium', () => {
    let folder;
    let tab;
    before(async function () {
      const command = browser.find();
      if (command === undefined) {
        console.log('      skipped: no Chromium here (Debian: apt-get install chromium)');
        this.skip();
      }
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-page-'));
      const file = path.join(folder, 'report', 'index.html');
      await writePage(document, file);
      tab = await browser.open(command, pathToFileURL(file));
    });
    after(async () => {
      await tab?.close();
      if (folder) fs.rmSync(folder, { recursive: true });
    });

    const visible = () => tab.evaluate(`[...document.querySelectorAll('svg')]
      .filter((svg) => svg.getBoundingClientRect().width > 200 && svg.getBoundingClientRect().height > 50)
      .map((svg) => ({
        label: svg.getAttribute('aria-label'),
        bars: svg.querySelectorAll('.mark-rect.role-mark path').length,
        points: svg.querySelectorAll('.mark-symbol.role-mark path').length,
        text: svg.textContent,
      }))`);

    it('shows a chart of time and one of memory per suite and size', async () => {
      const [overview, ...charts] = await visible();
      assert.match(overview.label, /^Time as a multiple of that of Bluebird, Node 20.0.0$/);
      assert.ok(overview.points > 0);
      assert.equal(charts.length, 10);
      charts.forEach((chart, i) => {
        assert.match(chart.label, i % 2 === 0 ? /^Time: / : /^Memory: /);
        assert.equal(chart.bars, 2 * CONTENDERS.length);
        for (const name of [...CONTENDERS, 'Node 20.0.0', 'Node 22.0.0']) assert.ok(chart.text.includes(name), name);
      });
    });

    it('shows them on logarithmic scales instead', async () => {
      await tab.evaluate('document.querySelector("#logarithmic").click()');
      const [, ...charts] = await visible();
      assert.deepEqual(charts.map(({ bars, points }) => [bars, points]), new Array(10).fill([0, 2 * CONTENDERS.length]));
    });

    it('is readable in light and dark', async () => {
      const seen = [];
      for (const value of ['light', 'dark']) {
        await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
        const [ink, paper, bar] = await tab.evaluate(`[
          getComputedStyle(document.querySelector('svg text')).fill,
          getComputedStyle(document.body).backgroundColor,
          getComputedStyle(document.querySelector('.mark-rect.role-mark path')).fill,
        ]`);
        const brightness = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
        assert.ok(Math.abs(brightness(ink) - brightness(paper)) > 150, `${value}: ${ink} on ${paper}`);
        assert.ok(Math.abs(brightness(bar) - brightness(paper)) > 50, `${value}: ${bar} on ${paper}`);
        seen.push(paper);
      }
      assert.notEqual(seen[0], seen[1]);
    });

    it('fits a narrow window', async () => {
      await tab.send('Emulation.setDeviceMetricsOverride', { width: 400, height: 800, deviceScaleFactor: 1, mobile: false });
      assert.ok(await tab.evaluate('document.documentElement.scrollWidth') <= 400);
    });

    it('leaves the console clean', () => assert.deepEqual(tab.log, []));
  });
});

'use strict';

const assert = require('node:assert/strict');
const { execFile, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const CONTENDERS = require('../bench/contenders');
const { countPromises } = require('../bench/count-promises.js');
const { createGroups, createTasks } = require('../bench/plan.js');
const { createReport } = require('../bench/report.js');
const { summarize } = require('../bench/statistics.js');
const { failsAt } = require('../bench/workloads/failing-services.js');

const RUN = path.join(__dirname, '../bench/run.js');
const CHILD = path.join(__dirname, '../bench/child.js');
const FIXTURES = path.join(__dirname, 'fixtures/bench');
const UPLOADS = 200;
const run = promisify(execFile);

const fixture = (name) => path.join(FIXTURES, `${name}.js`);

/** Runs the bench; `whenStarted(child)` may act on it meanwhile. */
function runBench(args, { env = {}, whenStarted } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [RUN, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    whenStarted?.(child);
  });
}

describe('bench', function () {
  this.timeout(20_000);

  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-bench-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** Runs one small case; gives the rows by contender and the output. */
  async function measure(contenders, suite = 'doxbee-sequential') {
    const json = path.join(folder, 'result.json');
    const output = await runBench([
      ...['--suite', suite, '--contender', contenders.join()],
      ...['--n', String(UPLOADS), '--repeat', '1', '--timeout', '2'],
      ...['--json', json],
    ]);
    const document = JSON.parse(fs.readFileSync(json, 'utf8'));
    const { results } = document.groups[0];
    const rows = new Map(results.map((row) => [row.contender, row]));
    return { ...output, document, rows };
  }

  it('measures time and memory and relates them to the baselines', async () => {
    const { code, stdout, document, rows } = await measure([
      'native',
      'bluebird',
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /doxbee-sequential: .*200 uploads/);
    assert.equal(document.complete, true);
    assert.equal(document.versions.bluebird, '3.7.2');
    for (const [name, row] of rows) {
      assert.equal(row.contender, name);
      assert.ok(row.time.lowest > 0 && row.time.lowest <= row.time.median);
      assert.ok(row.peakMemory.lowest > 2 ** 20);
      assert.equal(row.timeRatio[name], 1);
      assert.ok(row.timeRatio.native > 0 && row.memoryRatio.bluebird > 0);
    }
  });

  it('every contender completes every request', async function () {
    this.timeout(120_000);
    const suites = ['doxbee-sequential-timers', 'madeup-parallel-timers'];
    const groups = createGroups({ suites, contenders: [], full: true, n: 20, repeat: 1 });
    const tasks = createTasks(groups).filter(({ measure }) => measure === 'memory');
    const measured = new Set(tasks.map(({ row }) => row.contender.name));
    assert.deepEqual([...measured].sort(), CONTENDERS.all.filter((name) => name !== 'p-map').sort());
    const failed = [];
    const work = tasks.values();
    async function runSome() {
      for (const { job, row } of work) {
        const { stdout } = await run(process.execPath, [CHILD, JSON.stringify(job)]).catch((error) => error);
        const { error, memory } = JSON.parse(stdout.trim());
        if (error || !(memory > 0)) failed.push(`${row.contender.name}: ${error}`);
      }
    }
    await Promise.all([runSome(), runSome()]);
    assert.deepEqual(failed, []);
  });

  describe('a faulty contender is a row with the reason', () => {
    const faults = {
      drops: /^\d+ of 200 requests completed$/,
      skips: /^commit after 3 of 4 operations$/,
      repeats: /of 200 requests completed$|^commit after/,
      throws: /^thrown on purpose$/,
      hangs: /^no result after 2 s, killed$/,
      dies: /^died with SIGKILL/,
      unloadable: /^cannot load: Cannot find module/,
      absent: /^cannot load: Cannot find module/,
    };

    let report;
    before(async () => {
      const names = Object.keys(faults);
      report = await measure(['native', ...names.map(fixture)]);
    });

    for (const [name, reason] of Object.entries(faults)) {
      it(name, () => {
        const row = report.rows.get(name);
        assert.match(row.error, reason);
        assert.equal(row.time, undefined);
        assert.match(report.stdout, new RegExp(`${name} +failed: `));
      });
    }

    it('and the others are measured, with a failing exit code', () => {
      assert.ok(report.rows.get('native').time.lowest > 0);
      assert.equal(report.code, 1);
    });
  });

  it('a contender that loses rejections is a row with the reason', async () => {
    const { rows } = await measure(['native', fixture('swallows')], 'doxbee-sequential-errors');
    assert.ok(rows.get('native').time.lowest > 0);
    assert.match(rows.get('swallows').error, /^upload \d+ ended at step null instead of \d$/);
  });

  it('a contender without the method of a suite takes no part, which is no failure', async () => {
    const { code, stdout, document } = await measure(['native', 'zousan'], 'micro');
    assert.equal(code, 0);
    const rows = document.groups.map(({ size, results }) => [size.split(/ |,/, 1)[0], results.find((row) => row.contender === 'zousan')]);
    assert.deepEqual(rows.map(([work, { lack }]) => [work, lack]), [
      ['new', undefined],
      ['resolve', undefined],
      ['then', undefined],
      ['chain', undefined],
      ['all', undefined],
      ['race', 'has no race'],
      ['latency', undefined],
    ]);
    assert.match(stdout, /zousan +takes no part: has no race/);
  });

  it('one step in ten of the failing uploads rejects', () => {
    const reached = new Array(8).fill(0);
    const failed = new Array(8).fill(0);
    for (let stream = 0; stream < 10_000; stream += 1) {
      const at = failsAt(stream) ?? 8;
      for (let step = 0; step < Math.min(at + 1, 8); step += 1) reached[step] += 1;
      if (at < 8) failed[at] += 1;
    }
    failed.forEach((count, step) => {
      const share = count / reached[step];
      assert.ok(share > 0.09 && share < 0.11, `step ${step}: ${share}`);
    });
  });

  it('reports what one promise more costs', () => {
    const row = (time, memory) => ({ contender: { name: 'native' }, version: '1', error: null, lack: null, times: [[time]], memory: [memory], crossings: null });
    const suite = require('../bench/suites/gc-pressure.js');
    const groups = [
      { suite, settings: { n: 50_000 }, rows: [row(100, 1e8)] },
      { suite, settings: { n: 100_000 }, rows: [row(185, 1.85e8)] },
    ];
    const { document, text } = createReport({}, groups, true);
    assert.deepEqual(document.groups[1].growth, {
      unit: 'promise', from: 50_000, to: 100_000, rows: [{ contender: 'native', time: 100, memory: 100 }],
    });
    assert.equal(document.groups[0].growth, undefined);
    assert.match(text, /native: 100 ns and 100 bytes more per promise between 50,000 and 100,000/);
  });

  it('relates crossings to the promises of the suite', async () => {
    const { stdout, rows } = await measure([fixture('counted')]);
    const row = rows.get('counted');
    assert.equal(row.crossings, 10);
    assert.equal(row.promises, UPLOADS * 17);
    assert.match(stdout, /counted: 0\.29 crossings into C per 100 promises/);
  });

  it('prints what is finished on Ctrl-C', async () => {
    const hanging = path.join(folder, 'hanging');
    const contenders = `native,${fixture('hangs')}`;
    const { code, stdout } = await runBench(
      [
        ...['--suite', 'doxbee-sequential', '--contender', contenders],
        ...['--n', '100', '--repeat', '1'],
      ],
      {
        env: { BENCH_HANGING: hanging },
        whenStarted(child) {
          const poll = setInterval(() => {
            if (!fs.existsSync(hanging)) return;
            clearInterval(poll);
            child.kill('SIGINT');
          }, 20);
          child.on('close', () => clearInterval(poll));
        },
      },
    );
    assert.equal(code, 130);
    assert.match(stdout, /native +[\d.]+/);
    assert.doesNotMatch(stdout, /failed/);
    assert.match(stdout, /interrupted: only what was finished is shown/);
  });

  it('refuses unknown names and numbers before it measures', async () => {
    for (const [args, message] of [
      [['--contender', 'nobody'], /contenders: no "nobody"; there are /],
      [['--suite', 'nothing'], /suites: no "nothing"; there are /],
      [['--n', '0'], /--n: expected a positive integer, got "0"/],
      [['--nonsense'], /--nonsense/],
    ]) {
      const { code, stdout, stderr } = await runBench(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  it('counts the promises of one request', async () => {
    const sequential = require('../bench/suites/doxbee-sequential.js');
    const parallel = require('../bench/suites/madeup-parallel.js');
    // 8 answers and 9 calls of then; 26 answers, one all, 2 calls of then.
    assert.equal(await countPromises(sequential, { n: 5 }), 17);
    assert.equal(await countPromises(parallel, { n: 5, queries: 25 }), 29);
  });

  it('summarizes samples', () => {
    assert.deepEqual(summarize([5, 1, 2, 4, 3]), {
      lowest: 1,
      median: 3,
      spread: 2 / 3,
    });
    assert.deepEqual(summarize([7]), { lowest: 7, median: 7, spread: 0 });
  });
});

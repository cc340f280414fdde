'use strict';

const assert = require('node:assert/strict');
const { execFile, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const CONTENDERS = require('../bench/contenders');
const { countPromises } = require('../bench/count-promises.js');
const { createDocument } = require('../bench/figures.js');
const { createGroups, createTasks } = require('../bench/plan.js');
const { createProgress } = require('../bench/progress.js');
const { findRuntimes } = require('../bench/runtimes.js');
const { aboveFloorInterval, aboveFloorRatio, isNoise, pairedRatio, ratioInterval, summarize } = require('../bench/statistics.js');
const { formatTable } = require('../bench/table.js');
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
  async function measure(contenders, suite = 'doxbee-sequential', more = []) {
    const json = path.join(folder, 'result.json');
    const output = await runBench([
      ...['--suite', suite, '--contender', contenders.join()],
      ...['--n', String(UPLOADS), '--repeat', '1', '--timeout', '2'],
      ...['--json', json, ...more],
    ]);
    const document = JSON.parse(fs.readFileSync(json, 'utf8'));
    const { results } = document.groups[0];
    const rows = new Map(results.map((row) => [row.contender, row]));
    return { ...output, document, rows };
  }

  it('measures time and memory and relates them to the baselines', async () => {
    const html = path.join(folder, 'report', 'index.html');
    const { code, stdout, document, rows } = await measure(['native', 'bluebird'], undefined, ['--html', html]);
    assert.equal(code, 0);
    assert.match(fs.readFileSync(html, 'utf8'), /<svg [^]*<th scope="row">bluebird<\/th>/);
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
    const suites = ['doxbee-sequential-timers', 'madeup-parallel-timers', 'collections', 'callbacks', 'time'];
    const groups = createGroups({ suites, contenders: [], full: true, n: 20, repeat: 1, runtimes: findRuntimes([]) });
    const seen = new Set();
    const isNew = ({ group, row }) => seen.size !== seen.add(`${group.suite.name} ${row.contender.name}`).size;
    const tasks = createTasks(groups).filter((task) => task.measure === 'memory' && isNew(task));
    const measured = new Set(tasks.map(({ row }) => row.contender.name));
    assert.deepEqual([...measured].sort(), [...CONTENDERS.all].sort());
    const failed = [];
    const work = tasks.values();
    async function runSome() {
      for (const { job, row } of work) {
        const { stdout } = await run(process.execPath, [CHILD, JSON.stringify(job)]).catch((error) => error);
        const { error, memory } = JSON.parse(stdout.trim());
        if (error || !(memory.peak > 0)) failed.push(`${row.contender.name}: ${error}`);
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

  describe('the document', () => {
    const runtime = { name: 'current', title: 'Node 1', program: 'node', engine: 'V8 1' };
    const row = (name, times, memory) => ({
      contender: { name }, version: null, error: null, lack: null, times, firsts: [], memory, crossings: null,
    });
    const peaks = (...sizes) => sizes.map((peak) => ({ peak, heap: peak / 2 }));
    const build = (groups, runtimes = [runtime]) => createDocument({ platform: {}, runtimes, groups, isComplete: true });

    it('says what one promise more costs', () => {
      const suite = require('../bench/suites/gc-pressure.js');
      const document = build([
        { suite, runtime, settings: { n: 50_000 }, rows: [row('native', [[100]], peaks(1e8))] },
        { suite, runtime, settings: { n: 100_000 }, rows: [row('native', [[185]], peaks(1.85e8))] },
      ]);
      assert.deepEqual(document.groups[1].growth, {
        unit: 'promise', from: 50_000, to: 100_000, rows: [{ contender: 'native', time: 100, memory: 100 }],
      });
      assert.equal(document.groups[0].growth, undefined);
      assert.match(formatTable(document), /native: 100 ns and 100 bytes more per promise between 50,000 and 100,000/);
    });

    it('marks a ratio inside the noise, and no other', () => {
      const suite = require('../bench/suites/serial.js');
      const settings = { n: 1e6 };
      const document = build([{
        suite,
        runtime,
        settings,
        rows: [
          row('bluebird', [[20, 21], [22, 20], [20, 25], [21, 20]], peaks(100, 101, 102)),
          row('near', [[21, 22], [20, 23], [21, 22], [20, 20]], peaks(102, 101, 100)),
          row('far', [[11, 10], [10, 12], [10, 13], [11, 12]], peaks(200, 201, 200)),
        ],
      }]);
      const [far, bluebird, near] = document.groups[0].results;
      assert.deepEqual([far.contender, bluebird.contender, near.contender], ['far', 'bluebird', 'near']);
      assert.equal(far.timeRatio.bluebird, (13 / 25 + 11 / 21) / 2);
      assert.equal(bluebird.timeInterval, undefined);
      assert.ok(isNoise(near.timeInterval.bluebird) && isNoise(near.memoryInterval.bluebird));
      const text = formatTable(document);
      assert.match(text, /far +10.0 +11.0 +\d+ % +- +0.5\d .* 1.99 /);
      assert.match(text, /near +20.0 +21.0 +\d+ % +- +≈1.0[0-5] .* ≈1.00 /);
    });

    it('keeps what the engine holds off the heap apart', () => {
      const suite = require('../bench/suites/serial.js');
      const memory = [{ peak: 2 ** 26, heap: 2 ** 21, engine: 2 ** 20 }];
      const document = build([{ suite, runtime, settings: { n: 1 }, rows: [row('cpromise', [[1]], memory)] }]);
      const [result] = document.groups[0].results;
      assert.deepEqual([result.peakMemory.lowest, result.heapGrowth.lowest, result.engineGrowth.lowest], [2 ** 26, 2 ** 21, 2 ** 20]);
      assert.match(formatTable(document), /cpromise: the engine's memory off the heap grew by 1.0 MiB/);
    });

    it('has a row for a runtime that cannot be had', () => {
      const absent = { name: '99', title: 'Node 99', program: 'node-99', problem: 'no such package' };
      const document = build([], [runtime, absent]);
      assert.deepEqual(document.runtimes[1], { title: 'Node 99', engine: undefined, problem: 'no such package' });
      assert.match(formatTable(document), /^Node 99 +cannot be had: no such package$/m);
    });

    it('relates each runtime to its own baselines', () => {
      const suite = require('../bench/suites/serial.js');
      const other = { ...runtime, title: 'Node 2' };
      const group = (where, time) => ({ suite, runtime: where, settings: { n: 1e6 }, rows: [row('native', [[time]], []), row('bluebird', [[30]], [])] });
      const document = build([group(runtime, 10), group(other, 60)], [runtime, other]);
      assert.deepEqual(document.groups.map(({ results }) => results.find((r) => r.contender === 'native').timeRatio.bluebird), [1 / 3, 2]);
      assert.match(formatTable(document), /serial: .*, Node 2 \(ns\/step\)/);
    });
  });

  it('a ratio is that of the same turns, whatever the turns were like', () => {
    assert.equal(pairedRatio([[10, 20], [40]], [[20, 40], [80]]), 0.5);
    assert.equal(pairedRatio([[10], [90], [11]], [[20], [20], [20], [1]]), 0.55);
    assert.equal(pairedRatio([[10, 1], [11]], [[20], [20, 1]]), 0.525);
    assert.equal(pairedRatio([], [[1]]), undefined);
  });

  it('a ratio above the floor is that of what each adds to the floor of the same turn', () => {
    assert.equal(aboveFloorRatio([[15, 30]], [[20, 40]], [[10, 20]]), 0.5);
    assert.equal(aboveFloorRatio([[9]], [[20]], [[10]]), undefined);
    assert.equal(aboveFloorRatio([[15]], [[10]], [[10]]), undefined);
    assert.equal(aboveFloorRatio([[15]], [[20]], []), undefined);
  });

  describe('the interval of a ratio', () => {
    /** Repetitions of one turn. */
    const each = (...times) => times.map((time) => [time]);

    it('contains 1 for samples of one kind, and does not for a clear difference', () => {
      assert.ok(isNoise(ratioInterval(each(10, 11, 12, 10, 11), each(11, 10, 10, 12, 11))));
      const [low, high] = ratioInterval(each(5, 5.1, 5.2, 5.3, 5.1), each(10, 10.2, 10.1, 10.3, 10.2));
      assert.ok(low > 0.4 && low <= 0.5 && high >= 0.5 && high < 0.6, `${low} ${high}`);
    });

    it('is the same in every run, and there is none for one repetition', () => {
      const samples = [each(3, 4, 5, 3), each(4, 4, 3, 5)];
      assert.deepEqual(ratioInterval(...samples), ratioInterval(...samples));
      assert.equal(ratioInterval([[1, 2]], [[2, 1]]), undefined);
      assert.equal(isNoise(undefined), false);
    });

    it('of what is above the floor: none where that may be nothing', () => {
      const [low, high] = aboveFloorInterval(each(15, 15), each(30, 30), each(10, 10));
      assert.deepEqual([low, high], [0.25, 0.25]);
      assert.equal(aboveFloorInterval(each(15, 9), each(30, 30), each(10, 10)), undefined);
    });
  });

  it('draws a bar on a terminal, plain lines elsewhere', () => {
    const suite = require('../bench/suites/serial.js');
    const group = { suite, settings: suite.cases[0], runtime: { title: 'Node 1' } };
    const task = (name) => ({ measure: 'time', round: 0, rounds: 2, group, row: { contender: { name } } });
    const written = (stream) => {
      let text = '';
      const progress = createProgress(2, { ...stream, write: (part) => (text += part) });
      progress.show(task('one'));
      progress.show(task('two'));
      progress.clear();
      return text.replaceAll('\u001b[2K', '');
    };
    assert.equal(written({}), 'time 1/2 Node 1, serial, 20,000 steps\n');
    const lines = written({ isTTY: true, columns: 200 }).split('\r');
    assert.match(lines[1], /^\[\.{24}\] 1\/2, 0 s: time 1\/2 Node 1, serial, 20,000 steps: one$/);
    assert.match(lines[2], /^\[#{12}\.{12}\] 2\/2, 0 s, 0 s left: .*: two$/);
    assert.equal(lines[3], '');
  });

  it('relates crossings to the promises of the suite', async () => {
    const { stdout, rows } = await measure([fixture('counted')]);
    const row = rows.get('counted');
    assert.equal(row.crossings, 10);
    assert.equal(row.promises, UPLOADS * 17);
    assert.match(stdout, /counted: 0\.29 crossings into C per 100 promises/);
  });

  it('prints the rounds that are finished on Ctrl-C', async () => {
    const hanging = path.join(folder, 'hanging');
    const contenders = `native,${fixture('hangs')}`;
    const { code, stdout } = await runBench(
      [
        ...['--suite', 'doxbee-sequential', '--contender', contenders],
        ...['--n', '100', '--repeat', '2'],
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
      [['--node', 'deno'], /--node: no "deno"; there are current, 20, 22, 24, 26, bun, all/],
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

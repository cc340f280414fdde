'use strict';

// At the edge: in workerd, which runs Cloudflare Workers.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const esbuild = require('esbuild');
const { fetched } = require('../../scripts/fetched');
const { EXPECTED } = require('../fixtures/broad');

const { LD_PRELOAD, ...environment } = process.env;

/** From this date on code may be made while a worker starts, WebAssembly too. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2025-06-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`;

/** It tells the port on the file descriptor of that number. */
const CONTROL = 3;

(process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip)('in Cloudflare Workers', () => {
  let folder;
  let server;
  let url;
  before(async () => {
    const program = path.join(fetched('workerd').folder, 'node_modules', '@cloudflare', 'workerd-linux-64', 'bin', 'workerd');
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cpromise-'));
    await esbuild.build({
      entryPoints: [path.join(__dirname, 'edge', 'worker.mjs')],
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      conditions: ['workerd', 'worker', 'browser'],
      outfile: path.join(folder, 'worker.js'),
    });
    fs.writeFileSync(path.join(folder, 'config.capnp'), CONFIG);
    const args = ['serve', `--control-fd=${CONTROL}`, path.join(folder, 'config.capnp')];
    server = spawn(program, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const port = await new Promise((resolve, reject) => {
      let text = '';
      server.stdio[CONTROL].on('data', (data) => {
        text += data;
        const found = /"socket":"http","port":(\d+)/.exec(text);
        if (found !== null) resolve(found[1]);
      });
      server.on('error', reject);
      server.on('exit', (code) => reject(new Error(`workerd has ended: ${code}`)));
    });
    url = `http://127.0.0.1:${port}`;
  });
  after(() => {
    server?.kill('SIGKILL');
    if (folder) fs.rmSync(folder, { recursive: true });
  });

  const ask = async (question, options) => (await fetch(`${url}/${question}`, options)).text();

  it('the host is WebAssembly', async () => {
    assert.equal(await ask('host'), 'wasm');
  });

  it('a little of everything', async () => {
    assert.deepEqual(JSON.parse(await ask('broad')), EXPECTED);
  });

  it('a deadline belongs to its request, whatever becomes of others', async () => {
    const times = [50, 400, 200, 30, 300];
    const answers = await Promise.all(times.map((ms, i) => ask(`later?ms=${ms}`, { method: 'POST', body: `body ${i}` })));
    assert.deepEqual(answers, times.map((ms, i) => `body ${i}`));
  });
});

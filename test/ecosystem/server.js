'use strict';
/** A server of the pages, bundled with esbuild. It is as strict as a page may be that uses WebAssembly. */
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const esbuild = require('esbuild');

const PAGES = path.join(__dirname, 'pages');
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
const STRICTER = POLICY.replace(" 'wasm-unsafe-eval'", '');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };

const fileOf = (name) => path.join(path.dirname(require.resolve('mocha/package.json')), name);

/**
 * The bundle of a page; what is of Node in the suites is replaced. The mode of the
 * entry is that of the whole bundle, and a part of the suites must not be strict.
 */
async function bundle(name) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `require('./${name}');`, resolveDir: PAGES },
    bundle: true,
    write: false,
    platform: 'browser',
    define: { global: 'globalThis' },
    alias: { assert: path.join(PAGES, 'assert.js'), sinon: path.join(PAGES, 'sinon.js') },
    plugins: [{ name: 'all of a folder', setup: allOfAFolder }],
  });
  return outputFiles[0].contents;
}

/** require('package/folder/*.js') loads them all. */
function allOfAFolder({ onResolve, onLoad }) {
  onResolve({ filter: /\/\*\.js$/ }, ({ path: pattern }) => ({ path: pattern, namespace: 'folder' }));
  onLoad({ filter: /./, namespace: 'folder' }, ({ path: pattern }) => {
    const [, name, folder] = /^([^/]+)\/(.*)\/\*\.js$/.exec(pattern);
    const resolveDir = path.join(path.dirname(require.resolve(`${name}/package.json`)), folder);
    const files = fs.readdirSync(resolveDir).filter((file) => file.endsWith('.js'));
    return { resolveDir, contents: files.map((file) => `require('./${file}');`).join('\n') };
  });
}

/** @returns {Promise<{url: string, close: () => Promise<void>}>} */
async function start() {
  const files = {
    '/aplus.html': fs.readFileSync(path.join(PAGES, 'aplus.html')),
    '/aplus.js': await bundle('aplus.js'),
    '/demo.html': fs.readFileSync(path.join(PAGES, 'demo.html')),
    '/demo.js': await bundle('demo.js'),
    '/mocha.js': fs.readFileSync(fileOf('mocha.js')),
    '/sinon.js': fs.readFileSync(require.resolve('sinon/pkg/sinon.js')),
    '/mocha.css': fs.readFileSync(fileOf('mocha.css')),
    '/words/one': 'a',
    '/words/two': 'b c',
    '/words/three': 'd',
  };
  const server = http.createServer((request, response) => {
    const [url, query] = request.url.split('?');
    if (url === '/words/never') return; // no answer
    response.setHeader('Content-Security-Policy', query === 'strict' ? STRICTER : POLICY);
    response.setHeader('Content-Type', TYPES[path.extname(url) || '.txt'] ?? TYPES['.txt']);
    response.statusCode = Object.hasOwn(files, url) ? 200 : 404;
    response.end(files[url]);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

module.exports = { start };

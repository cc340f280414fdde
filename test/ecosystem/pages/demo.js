'use strict';
/** What a page may do with promises: each line of the list is told by one of them. */
const Promise = require('cpromise');

globalThis.cpromise = Promise; // for those who try it in the console

const list = document.querySelector('ol');

function tell(text) {
  const line = document.createElement('li');
  line.textContent = text;
  list.append(line);
}

const words = (name) => Promise.resolve(fetch(`words/${name}`)).then((response) => response.text()).call('split', ' ');

async function main() {
  tell(`host: ${Promise.host}`);
  tell(`fetched: ${(await Promise.map(['one', 'two', 'three'], words, { concurrency: 2 })).flat().join(' ')}`);

  const clicked = Promise.fromCallback((callback) => {
    document.querySelector('button').addEventListener('click', () => callback(null, 'a click'), { once: true });
  });
  tell(`waited for: ${await clicked.timeout(10_000)}`);

  const { name } = await Promise.resolve(fetch('words/never')).timeout(20).catch((error) => error);
  tell(`too late: ${name}`);

  tell(`await: ${await globalThis.Promise.all([Promise.delay(1, 'of'), Promise.resolve('ours')])}`);

  const controller = new AbortController();
  const waiting = Promise.delay(60_000, 'no', { signal: controller.signal });
  controller.abort();
  tell(`given up: ${await waiting.catch((error) => error.name)}`);

  const queue = Promise.queue({ concurrency: 1 });
  const order = [];
  await Promise.all([3, 1, 2].map((n) => queue.add(() => Promise.delay(n).then(() => order.push(n)))));
  tell(`one after the other: ${order}`);
}

main().catch((error) => tell(`failed: ${error.stack}`)).finally(() => document.body.classList.add('done'));

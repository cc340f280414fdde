'use strict';

/**
 * The madeup-parallel request: many queries at once in one transaction, and a
 * commit when all have answered. Each function has the form
 * `(services, queries, complete)`.
 */

function checkResults(results, queries) {
  const last = results[queries - 1];
  if (results.length === queries && last.index === queries - 1) return;
  throw new Error(`${results.length} of ${queries} queries answered`);
}

function withCallbacks(services, queries, complete) {
  const tx = services.begin(queries);
  const results = new Array(queries);
  let waiting = queries;
  for (let index = 0; index < queries; index += 1) {
    services.execute(tx, { index }, (error, result) => {
      if (error) return complete(error);
      results[index] = result;
      waiting -= 1;
      if (waiting > 0) return;
      checkResults(results, queries);
      services.commit(tx, (commitError) => complete(commitError));
    });
  }
}

/** Sends all queries; gives the promises of their answers. */
function send(services, tx, queries) {
  const results = new Array(queries);
  for (let index = 0; index < queries; index += 1) {
    results[index] = services.execute(tx, { index });
  }
  return results;
}

function withPromises(P) {
  return (services, queries, complete) => {
    const tx = services.begin(queries);
    P.all(send(services, tx, queries))
      .then((values) => {
        checkResults(values, queries);
        return services.commit(tx);
      })
      .then(() => complete(null), complete);
  };
}

function withAsync(P) {
  return async (services, queries, complete) => {
    try {
      const tx = services.begin(queries);
      const values = await P.all(send(services, tx, queries));
      checkResults(values, queries);
      await services.commit(tx);
      complete(null);
    } catch (error) {
      complete(error);
    }
  };
}

function withCoroutines(P, coroutine) {
  return coroutine(function* (services, queries, complete) {
    try {
      const tx = services.begin(queries);
      const values = yield P.all(send(services, tx, queries));
      checkResults(values, queries);
      yield services.commit(tx);
      complete(null);
    } catch (error) {
      complete(error);
    }
  });
}

/** Each query is a task of the library's `parallel`. */
function withTasks(parallel) {
  return (services, queries, complete) => {
    const tx = services.begin(queries);
    const tasks = new Array(queries);
    for (let index = 0; index < queries; index += 1) {
      tasks[index] = (done) => services.execute(tx, { index }, done);
    }
    parallel(tasks, (error, results) => {
      if (error) return complete(error);
      checkResults(results, queries);
      services.commit(tx, (commitError) => complete(commitError));
    });
  };
}

const styles = {
  callbacks: () => withCallbacks,
  promises: ({ Promise: P }) => withPromises(P),
  async: ({ Promise: P }) => withAsync(P),
  coroutine: ({ Promise: P, coroutine }) => withCoroutines(P, coroutine),
  waterfall: ({ parallel }) => withTasks(parallel),
};

/** The request in the style of a contender. */
module.exports = (contender) => styles[contender.style](contender);

'use strict';

/**
 * The madeup-parallel request: many queries at once in one transaction, and a
 * commit when all have answered. Each function has the form
 * `(services, queries, complete, P)`.
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

function withPromises(services, queries, complete, P) {
  const tx = services.begin(queries);
  const results = new Array(queries);
  for (let index = 0; index < queries; index += 1) {
    results[index] = services.execute(tx, { index });
  }
  P.all(results)
    .then((values) => {
      checkResults(values, queries);
      return services.commit(tx);
    })
    .then(() => complete(null), complete);
}

module.exports = { callbacks: withCallbacks, promises: withPromises };

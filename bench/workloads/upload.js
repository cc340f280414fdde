'use strict';

/**
 * The doxbee upload: store a blob, look the file up, and record a new version
 * of it in one transaction. The same steps in five styles. No file exists
 * beforehand, so each upload takes the longer branch (create a query, execute
 * it) in a nested chain, as in the original benchmark.
 *
 * Each function has the form `(services, stream, path, complete)`, where
 * `complete(error)` is called once, after the commit.
 */

/** Statements of a complete upload: version, file, file version, update. */
const OPERATIONS = 4;

function createVersion(stream, blobId, file) {
  return { id: stream, blobId, previousId: file ? file.versionId : null };
}

function withCallbacks(services, stream, path, complete) {
  const tx = services.begin(OPERATIONS);
  services.putBlob(stream, (putError, blobId) => {
    if (putError) return complete(putError);
    services.getFile(path, (getError, file) => {
      if (getError) return complete(getError);
      const version = createVersion(stream, blobId, file);
      services.execute(tx, version, (versionError) => {
        if (versionError) return complete(versionError);
        if (file) return link(file.id);
        services.createQuery(path, version.id, (queryError, query) => {
          if (queryError) return complete(queryError);
          services.execute(tx, query, (executeError) => {
            if (executeError) return complete(executeError);
            link(stream);
          });
        });
      });

      function link(fileId) {
        const fileVersion = { fileId, versionId: version.id };
        services.execute(tx, fileVersion, (linkError) => {
          if (linkError) return complete(linkError);
          const update = { id: fileId, versionId: version.id };
          services.execute(tx, update, (updateError) => {
            if (updateError) return complete(updateError);
            services.commit(tx, (commitError) => complete(commitError));
          });
        });
      }
    });
  });
}

function withPromises(services, stream, path, complete) {
  const tx = services.begin(OPERATIONS);
  let blobId;
  let file;
  let version;
  let fileId;
  services
    .putBlob(stream)
    .then((id) => {
      blobId = id;
      return services.getFile(path);
    })
    .then((found) => {
      file = found;
      version = createVersion(stream, blobId, file);
      return services.execute(tx, version);
    })
    .then(() => {
      if (file) return file.id;
      return services
        .createQuery(path, version.id)
        .then((query) => services.execute(tx, query))
        .then(() => stream);
    })
    .then((id) => {
      fileId = id;
      return services.execute(tx, { fileId, versionId: version.id });
    })
    .then(() => services.execute(tx, { id: fileId, versionId: version.id }))
    .then(() => services.commit(tx))
    .then(() => complete(null), complete);
}

async function withAsync(services, stream, path, complete) {
  try {
    const tx = services.begin(OPERATIONS);
    const blobId = await services.putBlob(stream);
    const file = await services.getFile(path);
    const version = createVersion(stream, blobId, file);
    await services.execute(tx, version);
    const fileId = file
      ? file.id
      : await createFile(services, tx, stream, path, version);
    await services.execute(tx, { fileId, versionId: version.id });
    await services.execute(tx, { id: fileId, versionId: version.id });
    await services.commit(tx);
    complete(null);
  } catch (error) {
    complete(error);
  }
}

async function createFile(services, tx, stream, path, version) {
  const query = await services.createQuery(path, version.id);
  await services.execute(tx, query);
  return stream;
}

/** The same with generators: one coroutine for the upload, one for the branch. */
function withCoroutines(coroutine) {
  const createFileOnce = coroutine(function* (services, tx, stream, path, version) {
    const query = yield services.createQuery(path, version.id);
    yield services.execute(tx, query);
    return stream;
  });
  return coroutine(function* (services, stream, path, complete) {
    try {
      const tx = services.begin(OPERATIONS);
      const blobId = yield services.putBlob(stream);
      const file = yield services.getFile(path);
      const version = createVersion(stream, blobId, file);
      yield services.execute(tx, version);
      const fileId = file
        ? file.id
        : yield createFileOnce(services, tx, stream, path, version);
      yield services.execute(tx, { fileId, versionId: version.id });
      yield services.execute(tx, { id: fileId, versionId: version.id });
      yield services.commit(tx);
      complete(null);
    } catch (error) {
      complete(error);
    }
  });
}

/** The same with the waterfalls of a library for callbacks. */
function withWaterfalls(waterfall) {
  return (services, stream, path, complete) => {
    const tx = services.begin(OPERATIONS);
    let blobId;
    let file;
    let version;
    let fileId;
    waterfall(
      [
        (next) => services.putBlob(stream, next),
        (id, next) => {
          blobId = id;
          services.getFile(path, next);
        },
        (found, next) => {
          file = found;
          version = createVersion(stream, blobId, file);
          services.execute(tx, version, next);
        },
        (result, next) => {
          if (file) return next(null, file.id);
          waterfall(
            [
              (done) => services.createQuery(path, version.id, done),
              (query, done) => services.execute(tx, query, done),
              (executed, done) => done(null, stream),
            ],
            next,
          );
        },
        (id, next) => {
          fileId = id;
          services.execute(tx, { fileId, versionId: version.id }, next);
        },
        (result, next) => services.execute(tx, { id: fileId, versionId: version.id }, next),
        (result, next) => services.commit(tx, next),
      ],
      (error) => complete(error),
    );
  };
}

const styles = {
  callbacks: () => withCallbacks,
  promises: () => withPromises,
  async: () => withAsync,
  coroutine: ({ coroutine }) => withCoroutines(coroutine),
  waterfall: ({ waterfall }) => withWaterfalls(waterfall),
};

/** The upload in the style of a contender. */
module.exports = (contender) => styles[contender.style](contender);

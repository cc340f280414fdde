/*
 * host_node.c - the engine as a Node-API module. The only file that knows
 * node_api.h; it holds no logic beyond crossing the boundary.
 *
 * exports.create() makes an engine and returns the object that reaches it:
 *
 *   commands, window, header      Int32Array, see engine.h
 *   open()  -> page               RangeError when out of memory or slots
 *   turn()  -> undefined          Error when a command made no sense
 *   flush() -> undefined          as turn
 *   stats() -> object             see cp_stats
 *   check() -> string | null      see cp_check
 *
 * An engine lives until the last of these functions has been collected, or
 * the environment ends. There is no state outside of engines, so workers,
 * contexts and several copies of the library share nothing.
 */
#define NAPI_VERSION 8
#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine.h"

/* In callbacks: throw and return. */
#define THROW_IF(env, call)                                             \
  do {                                                                  \
    if ((call) != napi_ok) {                                            \
      napi_throw_error((env), "CPROMISE_NODE_API", "cpromise: " #call); \
      return NULL;                                                      \
    }                                                                   \
  } while (0)

/* In helpers: hand the status up. */
#define RETURN_IF(call)                     \
  do {                                      \
    napi_status status_ = (call);           \
    if (status_ != napi_ok) return status_; \
  } while (0)

/* In finalizers nobody is left to tell. */
#define FATAL_IF(call)                                                       \
  do {                                                                       \
    if ((call) != napi_ok) {                                                 \
      napi_fatal_error(__FILE__, NAPI_AUTO_LENGTH, #call, NAPI_AUTO_LENGTH); \
    }                                                                        \
  } while (0)

enum { ARRAYS = 3 };

typedef struct host {
  cp_engine *engine;
  int functions;           /* exported functions not collected yet */
  napi_ref arrays[ARRAYS]; /* keep the engine's view of them valid */
} host;

static void *resize(void *context, void *ptr, size_t size) {
  (void) context;
  return realloc(ptr, size);
}

static void release(void *context, void *ptr) {
  (void) context;
  free(ptr);
}

static void destroy(napi_env env, host *h) {
  int i;
  for (i = 0; i < ARRAYS; i++) {
    if (h->arrays[i] != NULL) {
      FATAL_IF(napi_delete_reference(env, h->arrays[i]));
    }
  }
  cp_destroy(h->engine);
  free(h);
}

static void finalize(napi_env env, void *data, void *hint) {
  host *h = data;
  (void) hint;
  if (--h->functions == 0) destroy(env, h);
}

static napi_value throw_open(napi_env env, host *h, int32_t status) {
  cp_stats stats;
  char message[200];
  cp_get_stats(h->engine, &stats);
  snprintf(message, sizeof message,
           "cpromise: %s: cannot open a page of %d more promises "
           "(%.0f slots live in %.0f pages, %.0f bytes held)",
           status == CP_ELIMIT ? "too many pending promises" : "out of memory",
           CP_PAGE_SLOTS, stats.slots, stats.pages, stats.bytes);
  THROW_IF(env,
           napi_throw_range_error(
               env, status == CP_ELIMIT ? "CPROMISE_LIMIT" : "CPROMISE_MEMORY",
               message));
  return NULL;
}

static napi_value throw_command(napi_env env) {
  THROW_IF(env, napi_throw_error(env, "CPROMISE_COMMAND",
                                 "cpromise: a command made no sense"));
  return NULL;
}

static napi_value host_open(napi_env env, napi_callback_info info) {
  void *data;
  napi_value result;
  int32_t page;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  page = cp_open(((host *) data)->engine);
  if (page < 0) return throw_open(env, data, page);
  THROW_IF(env, napi_create_int32(env, page, &result));
  return result;
}

static napi_value host_turn(napi_env env, napi_callback_info info) {
  void *data;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  if (cp_turn(((host *) data)->engine) != CP_OK) return throw_command(env);
  return NULL;
}

static napi_value host_flush(napi_env env, napi_callback_info info) {
  void *data;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  if (cp_flush(((host *) data)->engine) != CP_OK) return throw_command(env);
  return NULL;
}

static napi_status set_number(napi_env env, napi_value object, const char *name,
                              double number) {
  napi_value value;
  RETURN_IF(napi_create_double(env, number, &value));
  return napi_set_named_property(env, object, name, value);
}

static napi_value host_stats(napi_env env, napi_callback_info info) {
  void *data;
  napi_value result;
  cp_stats stats;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  cp_get_stats(((host *) data)->engine, &stats);
  THROW_IF(env, napi_create_object(env, &result));
  THROW_IF(env, set_number(env, result, "calls", stats.calls));
  THROW_IF(env, set_number(env, result, "turns", stats.turns));
  THROW_IF(env, set_number(env, result, "commands", stats.commands));
  THROW_IF(env, set_number(env, result, "slots", stats.slots));
  THROW_IF(env, set_number(env, result, "pages", stats.pages));
  THROW_IF(env, set_number(env, result, "bytes", stats.bytes));
  return result;
}

static napi_value host_check(napi_env env, napi_callback_info info) {
  void *data;
  napi_value result;
  const char *fault;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  fault = cp_check(((host *) data)->engine);
  if (fault == NULL) {
    THROW_IF(env, napi_get_null(env, &result));
  } else {
    THROW_IF(env,
             napi_create_string_utf8(env, fault, NAPI_AUTO_LENGTH, &result));
  }
  return result;
}

/* Makes an Int32Array of `words` words under `name`, held by `*reference`. */
static napi_status export_array(napi_env env, napi_value exports,
                                const char *name, size_t words,
                                int32_t **memory, napi_ref *reference) {
  void *bytes;
  napi_value buffer;
  napi_value array;
  RETURN_IF(
      napi_create_arraybuffer(env, words * sizeof **memory, &bytes, &buffer));
  RETURN_IF(
      napi_create_typedarray(env, napi_int32_array, words, buffer, 0, &array));
  RETURN_IF(napi_set_named_property(env, exports, name, array));
  RETURN_IF(napi_create_reference(env, array, 1, reference));
  *memory = bytes;
  return napi_ok;
}

static napi_status export_function(napi_env env, napi_value exports,
                                   const char *name, napi_callback callback,
                                   host *h) {
  napi_value function;
  RETURN_IF(napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, h,
                                 &function));
  RETURN_IF(napi_add_finalizer(env, function, h, finalize, NULL, NULL));
  h->functions++;
  return napi_set_named_property(env, exports, name, function);
}

static napi_status fill(napi_env env, napi_value object, host *h) {
  static const cp_allocator allocator = {resize, release, NULL};
  int32_t *commands;
  int32_t *window;
  int32_t *header;
  RETURN_IF(export_array(env, object, "commands", (size_t) 2 * CP_COMMANDS,
                         &commands, &h->arrays[0]));
  RETURN_IF(
      export_array(env, object, "window", CP_WINDOW, &window, &h->arrays[1]));
  RETURN_IF(
      export_array(env, object, "header", CP_HEADER, &header, &h->arrays[2]));
  h->engine = cp_create(&allocator, commands, window, header);
  if (h->engine == NULL) return napi_generic_failure;
  RETURN_IF(export_function(env, object, "open", host_open, h));
  RETURN_IF(export_function(env, object, "turn", host_turn, h));
  RETURN_IF(export_function(env, object, "flush", host_flush, h));
  RETURN_IF(export_function(env, object, "stats", host_stats, h));
  return export_function(env, object, "check", host_check, h);
}

static napi_value host_create(napi_env env, napi_callback_info info) {
  napi_value object;
  host *h;
  (void) info;
  THROW_IF(env, napi_create_object(env, &object));
  h = calloc(1, sizeof *h);
  if (h == NULL || fill(env, object, h) != napi_ok) {
    /* Functions that were made own the host already. */
    if (h != NULL && h->functions == 0) destroy(env, h);
    napi_throw_error(env, "CPROMISE_START", "cpromise: cannot make an engine");
    return NULL;
  }
  return object;
}

NAPI_MODULE_INIT() {
  napi_value create;
  THROW_IF(env, napi_create_function(env, "create", NAPI_AUTO_LENGTH,
                                     host_create, NULL, &create));
  THROW_IF(env, napi_set_named_property(env, exports, "create", create));
  return exports;
}

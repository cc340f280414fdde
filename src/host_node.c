/*
 * host_node.c - the engine as a Node-API module. It holds no logic beyond
 * crossing the boundary.
 *
 * exports.create() makes an engine and returns the object that reaches it:
 *
 *   commands, window, header      Int32Array, see engine.h
 *   deadlines                     Float64Array, see engine.h
 *   open()  -> page               RangeError when out of memory or slots
 *   turn()  -> undefined          Error when a command made no sense
 *   flush() -> undefined          as turn
 *   reserve() -> undefined        see cp_reserve; RangeError: out of memory
 *   due(now) -> undefined         see cp_due, where there is no clock
 *   clock(callback) -> undefined  starts the clock of host_uv.h
 *   now() -> number               what time it is on that clock
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
#include "host_status.h"
#include "host_uv.h"

enum { ARRAYS = 4 };

typedef struct host {
  cp_engine *engine;
  const double *deadlines;
  cp_uv *uv;               /* NULL without a clock */
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
  if (h->uv != NULL) cp_uv_close(h->uv);
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

/* Ends each call that may have changed the deadlines. */
static napi_value finish(napi_env env, host *h, int status) {
  if (h->uv != NULL) THROW_IF(env, cp_uv_update(h->uv));
  return status == CP_EINVAL ? throw_command(env) : NULL;
}

static napi_value host_turn(napi_env env, napi_callback_info info) {
  void *data;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  return finish(env, data, cp_turn(((host *) data)->engine));
}

static napi_value host_flush(napi_env env, napi_callback_info info) {
  void *data;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  return finish(env, data, cp_flush(((host *) data)->engine));
}

static napi_value throw_reserve(napi_env env, host *h) {
  cp_stats stats;
  char message[200];
  cp_get_stats(h->engine, &stats);
  snprintf(message, sizeof message,
           "cpromise: out of memory: no room for one more deadline "
           "(%.0f slots live in %.0f pages, %.0f bytes held)",
           stats.slots, stats.pages, stats.bytes);
  THROW_IF(env, napi_throw_range_error(env, "CPROMISE_MEMORY", message));
  return NULL;
}

static napi_value host_reserve(napi_env env, napi_callback_info info) {
  void *data;
  int status;
  THROW_IF(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data));
  status = cp_reserve(((host *) data)->engine);
  if (status == CP_ENOMEM) return throw_reserve(env, data);
  return finish(env, data, status);
}

static napi_value host_due(napi_env env, napi_callback_info info) {
  void *data;
  size_t count = 1;
  napi_value argument;
  double now;
  THROW_IF(env, napi_get_cb_info(env, info, &count, &argument, NULL, &data));
  THROW_IF(env, napi_get_value_double(env, argument, &now));
  cp_due(((host *) data)->engine, now);
  return NULL;
}

static napi_value host_clock(napi_env env, napi_callback_info info) {
  void *data;
  host *h;
  size_t count = 1;
  napi_value callback;
  THROW_IF(env, napi_get_cb_info(env, info, &count, &callback, NULL, &data));
  h = data;
  if (h->uv == NULL) {
    THROW_IF(env, cp_uv_open(env, h->engine, h->deadlines, callback, &h->uv));
  }
  return NULL;
}

static napi_value host_now(napi_env env, napi_callback_info info) {
  napi_value result;
  (void) info;
  THROW_IF(env, napi_create_double(env, cp_uv_now(), &result));
  return result;
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

typedef struct shared {
  const char *name;
  napi_typedarray_type type;
  size_t words;
} shared;

/* Makes an array, held by `*reference`. */
static napi_status export_array(napi_env env, napi_value exports,
                                const shared *array, void **memory,
                                napi_ref *reference) {
  int is_int = array->type == napi_int32_array;
  size_t size = array->words * (is_int ? sizeof(int32_t) : sizeof(double));
  napi_value buffer;
  napi_value value;
  RETURN_IF(napi_create_arraybuffer(env, size, memory, &buffer));
  RETURN_IF(napi_create_typedarray(env, array->type, array->words, buffer, 0,
                                   &value));
  RETURN_IF(napi_set_named_property(env, exports, array->name, value));
  return napi_create_reference(env, value, 1, reference);
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
  static const shared arrays[ARRAYS] = {
      {"commands", napi_int32_array, (size_t) 2 * CP_COMMANDS},
      {"window", napi_int32_array, CP_WINDOW},
      {"header", napi_int32_array, CP_HEADER},
      {"deadlines", napi_float64_array, CP_DEADLINE_WORDS},
  };
  void *memory[ARRAYS];
  int i;
  for (i = 0; i < ARRAYS; i++) {
    RETURN_IF(export_array(env, object, &arrays[i], &memory[i], &h->arrays[i]));
  }
  h->engine = cp_create(&allocator, memory[0], memory[1], memory[2], memory[3]);
  h->deadlines = memory[3];
  if (h->engine == NULL) return napi_generic_failure;
  RETURN_IF(export_function(env, object, "open", host_open, h));
  RETURN_IF(export_function(env, object, "turn", host_turn, h));
  RETURN_IF(export_function(env, object, "flush", host_flush, h));
  RETURN_IF(export_function(env, object, "reserve", host_reserve, h));
  RETURN_IF(export_function(env, object, "due", host_due, h));
  RETURN_IF(export_function(env, object, "clock", host_clock, h));
  RETURN_IF(export_function(env, object, "now", host_now, h));
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

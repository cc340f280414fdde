/* <uv.h> needs more of the system than C11 has. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _GNU_SOURCE
#define NAPI_VERSION 8
#include "host_uv.h"

#include <math.h>
#include <stdlib.h>
#include <uv.h>

#include "host_status.h"

/* A runtime without libuv loads the addon all the same, and calls none of this.
 * On Windows nothing is bound before it is called. */
#ifndef _WIN32
#pragma weak uv_close
#pragma weak uv_hrtime
#pragma weak uv_now
#pragma weak uv_ref
#pragma weak uv_timer_init
#pragma weak uv_timer_start
#pragma weak uv_unref
#endif

struct cp_uv {
  uv_timer_t timer;
  napi_env env;
  cp_uv **owner;
  cp_engine *engine;
  const double *deadlines;
  napi_ref callback; /* strong while `is_live` */
  napi_async_context context;
  napi_async_cleanup_hook_handle hook;
  double armed; /* what the timer is set for; INFINITY: for nothing */
  double told;  /* what time the engine has been told last */
  int is_live;
  int is_ref;
};

/* libuv cannot wait for longer than this, and need not. */
static const double LONGEST = 0x7fffffff;

double cp_uv_now(void) {
  return (double) uv_hrtime() / 1e6;
}

static void on_timer(uv_timer_t *timer);

/* Waits until the loop's clock, which counts whole milliseconds, shows that of
 * the deadline. It may not be over then; so for one more. Never for none: the
 * loop would call again and again, and do nothing else. */
static void arm(cp_uv *uv, double deadline) {
  double wait = floor(deadline) - (double) uv_now(uv->timer.loop);
  if (wait < 1) wait = 1;
  if (wait > LONGEST) wait = LONGEST;
  /* Fails only for a timer that is being closed. */
  if (uv_timer_start(&uv->timer, on_timer, (uint64_t) wait, 0) == 0) {
    uv->armed = deadline;
  }
}

/* The error that a callback has thrown goes where those of all callbacks go. */
static void report(napi_env env) {
  bool is_pending;
  napi_value error;
  if (napi_is_exception_pending(env, &is_pending) != napi_ok || !is_pending ||
      napi_get_and_clear_last_exception(env, &error) != napi_ok) {
    return;
  }
  (void) napi_fatal_exception(env, error);
}

static napi_status call(cp_uv *uv) {
  napi_value callback;
  napi_value receiver;
  napi_value result;
  RETURN_IF(napi_get_reference_value(uv->env, uv->callback, &callback));
  RETURN_IF(napi_get_global(uv->env, &receiver));
  return napi_make_callback(uv->env, uv->context, receiver, callback, 0, NULL,
                            &result);
}

/* An environment that is being stopped runs no JavaScript and opens no scopes:
 * then there is nothing left to do. */
static void on_timer(uv_timer_t *timer) {
  cp_uv *uv = timer->data;
  napi_handle_scope scope;
  uv->armed = INFINITY;
  if (napi_open_handle_scope(uv->env, &scope) != napi_ok) return;
  if (uv->deadlines[CP_NEXT_DEADLINE] <= cp_uv_now()) {
    uv->told = cp_uv_now();
    cp_due(uv->engine, uv->told);
    if (call(uv) != napi_ok) {
      uv->told = -INFINITY; /* again, then */
      report(uv->env);
    }
  }
  if (uv->engine != NULL) (void) cp_uv_update(uv);
  (void) napi_close_handle_scope(uv->env, scope);
}

napi_status cp_uv_update(cp_uv *uv) {
  double next = uv->deadlines[CP_NEXT_DEADLINE];
  int is_live = next < INFINITY;
  int is_ref = uv->deadlines[CP_REF_DEADLINES] > 0;
  if (is_ref != uv->is_ref) {
    uv->is_ref = is_ref;
    if (is_ref) {
      uv_ref((uv_handle_t *) &uv->timer);
    } else {
      uv_unref((uv_handle_t *) &uv->timer);
    }
  }
  /* What is due already only needs its turn. */
  if (next < uv->armed && next > uv->told) arm(uv, next);
  if (is_live == uv->is_live) return napi_ok;
  uv->is_live = is_live;
  return is_live ? napi_reference_ref(uv->env, uv->callback, NULL)
                 : napi_reference_unref(uv->env, uv->callback, NULL);
}

static void on_closed(uv_handle_t *handle) {
  cp_uv *uv = handle->data;
  FATAL_IF(napi_remove_async_cleanup_hook(uv->hook));
  free(uv);
}

void cp_uv_close(cp_uv *uv) {
  if (uv->engine == NULL) return;
  uv->engine = NULL;
  *uv->owner = NULL;
  FATAL_IF(napi_delete_reference(uv->env, uv->callback));
  FATAL_IF(napi_async_destroy(uv->env, uv->context));
  uv_close((uv_handle_t *) &uv->timer, on_closed);
}

/* The environment ends; it waits until the hook has been removed. */
static void on_cleanup(napi_async_cleanup_hook_handle hook, void *data) {
  (void) hook;
  cp_uv_close(data);
}

/* What Node-API holds for the clock. On failure nothing is held. */
static napi_status hold(cp_uv *uv, napi_value callback) {
  napi_env env = uv->env;
  napi_value name;
  RETURN_IF(
      napi_create_string_utf8(env, "CPROMISE_TIMER", NAPI_AUTO_LENGTH, &name));
  RETURN_IF(napi_async_init(env, NULL, name, &uv->context));
  if (napi_create_reference(env, callback, 0, &uv->callback) == napi_ok) {
    if (napi_add_async_cleanup_hook(env, on_cleanup, uv, &uv->hook) ==
        napi_ok) {
      return napi_ok;
    }
    FATAL_IF(napi_delete_reference(env, uv->callback));
  }
  FATAL_IF(napi_async_destroy(env, uv->context));
  return napi_generic_failure;
}

napi_status cp_uv_open(napi_env env, cp_engine *engine, const double *deadlines,
                       napi_value callback, cp_uv **owner) {
  uv_loop_t *loop;
  cp_uv *uv;
  napi_status status;
  RETURN_IF(napi_get_uv_event_loop(env, &loop));
  uv = calloc(1, sizeof *uv);
  if (uv == NULL) return napi_generic_failure;
  uv->env = env;
  uv->owner = owner;
  uv->engine = engine;
  uv->deadlines = deadlines;
  uv->armed = INFINITY;
  uv->told = -INFINITY;
  status = hold(uv, callback);
  if (status != napi_ok) {
    free(uv);
    return status;
  }
  /* Never fails. */
  (void) uv_timer_init(loop, &uv->timer);
  uv->timer.data = uv;
  uv_unref((uv_handle_t *) &uv->timer);
  *owner = uv;
  return napi_ok;
}

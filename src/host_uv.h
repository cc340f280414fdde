/*
 * host_uv.h - the clock of the Node host: one libuv timer that wakes the loop
 * when a deadline has come. Includes <node_api.h> of the includer's version.
 *
 * The timer is armed for the earliest deadline, or for one before it: it is
 * moved forward at once, back only when it has come. It keeps the loop alive
 * while a deadline is live that is to be waited for. The library itself is
 * kept alive while any deadline is live, since nobody else may hold it then.
 *
 * Nothing here may run where libuv is not to be called (Bun): all of it
 * begins with cp_uv_open.
 */
#ifndef CP_HOST_UV_H
#define CP_HOST_UV_H

#include <node_api.h>

#include "engine.h"

typedef struct cp_uv cp_uv;

/* What time it is on the clock of the loop, in milliseconds. */
double cp_uv_now(void);

/*
 * Starts the clock of `engine`, whose log of deadlines is `deadlines`: from now
 * on `callback` is called, as the loop calls, when something may be due; it is
 * to make a turn soon. *owner is the clock, and NULL again once it has been
 * closed, by cp_uv_close or by the end of the environment.
 */
napi_status cp_uv_open(napi_env env, cp_engine *engine, const double *deadlines,
                       napi_value callback, cp_uv **owner);

/* To be called after each call of the engine: sets the timer as it is to be. */
napi_status cp_uv_update(cp_uv *uv);

/* Closes the clock; its engine may go at once. */
void cp_uv_close(cp_uv *uv);

#endif /* CP_HOST_UV_H */

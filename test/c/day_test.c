/*
 * Twenty-four hours of deadlines on a clock that is only a number: a host sets
 * them, takes them away, sets them again, and wakes up on time, early or late,
 * as a loop does. Every deadline must come once, in order, and not early.
 *
 *   day_test [seed]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "rig.h"

static const double DAY = 24 * 3600 * 1000.0;

enum { MOST = 2000 }; /* live deadlines */

typedef struct waiting {
  int32_t slot;
  int ref;
  double deadline;
  int64_t order;
} waiting;

typedef struct day {
  rig *r;
  uint64_t random;
  double now;
  waiting live[MOST];
  int32_t count;
  int64_t next_order;
  int64_t set, again, cancelled, came, ended, wakes, early;
  int32_t peak;
} day;

static uint64_t seed = 1;

static int32_t below(day *d, int32_t bound) {
  return random_below(&d->random, bound);
}

/* Milliseconds of all sizes; whole ones often, so that many are equal. */
static double any_delay(day *d) {
  static const int32_t bounds[] = {1, 10, 100, 1000, 30000, 600000, 7200000};
  double delay = below(d, bounds[below(d, 7)]);
  return below(d, 3) == 0 ? delay + below(d, 1000) / 1000.0 : delay;
}

static void arm(day *d, waiting *w) {
  w->deadline = d->now + any_delay(d);
  w->ref = below(d, 2);
  w->order = d->next_order++;
  rig_deadline(d->r, w->slot, w->deadline, w->ref);
}

static void forget(day *d, int32_t i) {
  d->live[i] = d->live[--d->count];
}

/* One thing that a host does: begins, begins again, or calls it off. Deadlines
 * are applied before commands, so a slot is not named again after its end. */
static void act(day *d) {
  int32_t dice = below(d, 100);
  int32_t i;
  if (dice < 70 && d->count < MOST) {
    waiting *w = &d->live[d->count++];
    w->slot = rig_slot(d->r);
    arm(d, w);
    d->set++;
    if (d->count > d->peak) d->peak = d->count;
    return;
  }
  if (d->count == 0) return;
  i = below(d, d->count);
  if (dice < 85) {
    arm(d, &d->live[i]);
    d->again++;
    return;
  }
  if (dice < 90) rig_settle(d->r, d->live[i].slot);
  if (dice >= 90 && dice < 95) rig_drop(d->r, d->live[i].slot);
  if (dice >= 95) {
    rig_deadline(d->r, d->live[i].slot, INFINITY, 0);
    rig_settle(d->r, d->live[i].slot);
  }
  d->cancelled++;
  forget(d, i);
}

/* The one that is due first, or -1. */
static int32_t first(const day *d) {
  int32_t i, best = -1;
  for (i = 0; i < d->count; i++) {
    const waiting *w = &d->live[i];
    if (best < 0 || w->deadline < d->live[best].deadline ||
        (w->deadline == d->live[best].deadline &&
         w->order < d->live[best].order)) {
      best = i;
    }
  }
  return best;
}

static double next_deadline(const day *d) {
  int32_t i = first(d);
  return i < 0 ? INFINITY : d->live[i].deadline;
}

static void check_words(const day *d) {
  int32_t i, refs = 0;
  for (i = 0; i < d->count; i++) refs += d->live[i].ref;
  CHECK(d->r->deadlines[CP_NEXT_DEADLINE] == next_deadline(d));
  CHECK_EQ(d->r->deadlines[CP_REF_DEADLINES], refs);
}

/* Turns, and takes what is shown for what is due. Some begin again at once. */
static void turn(day *d) {
  rig *r = d->r;
  do {
    int32_t words = rig_quick_turn(r);
    int32_t i;
    for (i = 0; i < words; i += 2) {
      int32_t due = first(d);
      CHECK_GE(due, 0);
      CHECK_EQ(r->window[i], -d->live[due].slot);
      CHECK_EQ(r->window[i + 1], CP_DUE);
      CHECK(d->live[due].deadline <= d->now);
      d->came++;
      if (below(d, 10) == 0) {
        arm(d, &d->live[due]);
        /* Not in this turn, whatever the delay. */
        if (d->live[due].deadline <= d->now) {
          d->live[due].deadline = d->now + 1;
          rig_deadline(r, d->live[due].slot, d->live[due].deadline,
                       d->live[due].ref);
        }
        d->again++;
      } else {
        rig_settle(r, d->live[due].slot);
        forget(d, due);
        d->ended++;
      }
    }
  } while (r->header[CP_HEADER_MORE]);
}

/* Sleeps until the earliest deadline, or something else comes first; like a
 * loop it may wake up a little early, or late. */
static void pass_time(day *d) {
  double next = d->r->deadlines[CP_NEXT_DEADLINE];
  double event = d->now + below(d, 3000);
  double wake = next < event ? next : event;
  int32_t dice = below(d, 10);
  if (dice == 0) wake -= 0.25;
  if (dice == 1) wake += below(d, 5);
  if (dice == 2) wake = event;
  if (wake > d->now) d->now = wake;
  if (next > d->now) d->early++;
  d->wakes++;
}

static void a_day(void) {
  day *d = calloc(1, sizeof *d);
  CHECK(d != NULL);
  d->r = rig_new();
  d->random = seed;
  while (d->now < DAY) {
    int32_t actions = below(d, below(d, 1000) == 0 ? 2000 : 10);
    while (actions-- > 0) act(d);
    if (below(d, 2) == 0) turn(d);
    if (below(d, 100) == 0) {
      rig_flush(d->r);
    } else {
      CHECK_EQ(cp_flush(d->r->engine), CP_OK);
    }
    check_words(d);
    pass_time(d);
    cp_due(d->r->engine, d->now);
    turn(d);
    CHECK(next_deadline(d) > d->now);
  }
  printf("%" PRId64 " set, %" PRId64 " set again, %" PRId64
         " called off, %" PRId64 " came; %" PRId64 " wakes, %" PRId64
         " of them for nothing; at most %d live\n",
         d->set, d->again, d->cancelled, d->came, d->wakes, d->early, d->peak);
  CHECK_EQ(d->set, d->cancelled + d->ended + d->count);
  rig_free(d->r);
  free(d);
}

int main(int argc, char **argv) {
  if (argc > 1) seed = strtoull(argv[1], NULL, 0);
  printf("seed %" PRIu64 "\n", seed);
  RUN(a_day);
  return check_report();
}

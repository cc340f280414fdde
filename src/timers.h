/*
 * timers.h - deadlines: which promise is due next.
 *
 * A heap of promises in one array, the earliest deadline on top; of equal
 * ones, the one that was set first. Four children to a node: the children of
 * at[i] are at[4i + 1] to at[4i + 4], so 100,000 deadlines are nine levels.
 *
 *   at[0] {deadline, order, slot, ref}        slots.extra[slot].position = 0
 *   at[1] at[2] at[3] at[4]                                              1 ...
 *
 * A promise knows its place in the heap (flag CP__TIMED, extra.position), so
 * a deadline is taken out without a search: setting and clearing cost
 * O(log n). Whoever gives a slot back or makes its promise ready clears its
 * deadline.
 *
 * What time it is nobody here knows: deadlines are numbers that are compared.
 */
#ifndef CP_TIMERS_H
#define CP_TIMERS_H

#include <stdint.h>

struct cp__slots;

typedef struct cp__timer {
  double deadline;
  int64_t order; /* among equal deadlines */
  int32_t slot;
  int32_t ref; /* 1: the host is to wait for it, else 0 */
} cp__timer;

typedef struct cp__timers {
  cp__timer *at; /* memory for `capacity`; NULL until the first is set */
  int64_t next_order;
  int32_t count;
  int32_t capacity;
  int32_t refs; /* how many have ref = 1 */
} cp__timers;

/* Makes sure that there is memory for `room` deadlines more. Returns CP_OK, or
 * CP_ENOMEM, and nothing has changed. */
int cp__timers_reserve(struct cp__slots *slots, int32_t room);

/* Gives promise `slot` a deadline, in place of the one that it may have; not
 * NaN. There must be room if it has none. */
void cp__timers_set(struct cp__slots *slots, int32_t slot, double deadline,
                    int32_t ref);

/* Takes the deadline of a promise that has one. */
void cp__timers_clear(struct cp__slots *slots, int32_t slot);

/* Takes the earliest deadline that is not after `now` and returns its promise;
 * 0 when there is none. */
int32_t cp__timers_take(struct cp__slots *slots, double now);

/* The part of cp_check that concerns deadlines. */
const char *cp__timers_check(const struct cp__slots *slots);

#endif /* CP_TIMERS_H */

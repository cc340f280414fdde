/* Deadlines: what is due becomes ready, in order, once, and not before. */
#include <math.h>
#include <stdlib.h>

#include "random.h"
#include "rig.h"
#include "suites.h"

/* Turns at `now`. */
#define CHECK_DUE(r, now, ...)     \
  do {                             \
    cp_due((r)->engine, (now));    \
    CHECK_SHOWS((r), __VA_ARGS__); \
  } while (0)
#define CHECK_NOTHING_DUE(r, now) \
  do {                            \
    cp_due((r)->engine, (now));   \
    CHECK_SHOWS_NOTHING(r);       \
  } while (0)

static void check_words(const rig *r, double next, int refs) {
  CHECK(r->deadlines[CP_NEXT_DEADLINE] == next);
  CHECK_EQ(r->deadlines[CP_REF_DEADLINES], refs);
}

static void what_is_due_is_ready_as_a_job(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_deadline(r, s[0], 10, 1);
  rig_then(r, s[0], s[1]);
  rig_now(r, s[2]);
  CHECK_SHOWS(r, s[2]);
  CHECK_NOTHING_DUE(r, 9.99);
  CHECK_DUE(r, 10, -s[0], CP_DUE);
  CHECK_NOTHING_DUE(r, 1000);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1]);
  rig_free(r);
}

static void in_order_of_deadlines_and_of_setting(void) {
  rig *r = rig_new();
  int32_t s[7];
  rig_slots(r, s, 7);
  rig_deadline(r, s[0], 30, 1);
  rig_deadline(r, s[1], 10, 1);
  rig_deadline(r, s[2], 20, 0);
  rig_deadline(r, s[3], 10, 1);
  rig_deadline(r, s[4], 10, 0);
  rig_deadline(r, s[5], 10.5, 1);
  rig_deadline(r, s[6], 31, 1);
  CHECK_DUE(r, 10.4, -s[1], CP_DUE, -s[3], CP_DUE, -s[4], CP_DUE);
  CHECK_DUE(r, 30, -s[5], CP_DUE, -s[2], CP_DUE, -s[0], CP_DUE);
  check_words(r, 31, 1);
  rig_free(r);
}

static void after_the_commands_of_the_turn(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_deadline(r, s[0], 1, 1);
  rig_now(r, s[1]);
  rig_job(r, s[2], 5);
  CHECK_DUE(r, 1, s[1], -s[2], 5, -s[0], CP_DUE);
  rig_free(r);
}

static void the_clock_does_not_go_back(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  CHECK_NOTHING_DUE(r, 10);
  cp_due(r->engine, 5);
  rig_deadline(r, s[0], 7, 1);
  rig_deadline(r, s[1], 11, 1);
  CHECK_SHOWS(r, -s[0], CP_DUE);
  CHECK_NOTHING_DUE(r, NAN);
  CHECK_DUE(r, 11, -s[1], CP_DUE);
  rig_free(r);
}

static void minus_infinity_is_due_at_once(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  rig_deadline(r, s[0], 10, 1);
  CHECK_SHOWS_NOTHING(r);
  rig_deadline(r, s[0], -INFINITY, 1);
  rig_deadline(r, s[1], -INFINITY, 0);
  rig_flush(r);
  check_words(r, -INFINITY, 1);
  CHECK_SHOWS(r, -s[0], CP_DUE, -s[1], CP_DUE);
  check_words(r, INFINITY, 0);
  rig_free(r);
}

static void infinity_takes_a_deadline_away(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_deadline(r, s[0], 10, 1);
  rig_deadline(r, s[1], 10, 1);
  rig_deadline(r, s[2], INFINITY, 1);
  rig_deadline(r, s[0], INFINITY, 1);
  rig_flush(r);
  check_words(r, 10, 1);
  CHECK_DUE(r, 1e300, -s[1], CP_DUE);
  rig_free(r);
}

static void a_deadline_set_again_is_a_new_one(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_deadline(r, s[0], 10, 1);
  rig_deadline(r, s[1], 20, 1);
  rig_deadline(r, s[2], 20, 1);
  rig_flush(r);
  rig_deadline(r, s[0], 20, 0);
  rig_flush(r);
  check_words(r, 20, 2);
  CHECK_NOTHING_DUE(r, 19);
  CHECK_DUE(r, 20, -s[1], CP_DUE, -s[2], CP_DUE, -s[0], CP_DUE);
  rig_deadline(r, s[1], 30, 1);
  CHECK_DUE(r, 30, -s[1], CP_DUE);
  rig_free(r);
}

static void settled_or_dropped_it_leaves_no_deadline(void) {
  int way;
  for (way = 0; way < 3; way++) {
    rig *r = rig_new();
    int32_t s[3];
    rig_slots(r, s, 3);
    rig_deadline(r, s[0], 10, 1);
    rig_deadline(r, s[1], 10, 1);
    rig_then(r, s[0], s[2]);
    if (way == 0) rig_flush(r);
    if (way == 1) CHECK_SHOWS_NOTHING(r);
    rig_settle(r, s[0]);
    CHECK_SHOWS(r, s[2]);
    check_words(r, 10, 1);
    rig_drop(r, s[1]);
    rig_flush(r);
    check_words(r, INFINITY, 0);
    CHECK_NOTHING_DUE(r, 10);
    CHECK_EQ(rig_live(r), 1);
    rig_free(r);
  }
}

static void a_slot_that_is_used_again_has_no_deadline(void) {
  rig *r = rig_new();
  int32_t page = cp_open(r->engine);
  int32_t first = page << CP_PAGE_BITS;
  int32_t slot;
  for (slot = first; slot < first + CP_PAGE_SLOTS; slot++) {
    rig_deadline(r, slot, 10, 1);
    rig_settle(r, slot);
  }
  rig_flush(r);
  CHECK_EQ(cp_open(r->engine), page);
  CHECK_NOTHING_DUE(r, 10);
  rig_deadline(r, first, 11, 1);
  CHECK_DUE(r, 11, -first, CP_DUE);
  rig_free(r);
}

/* A race of `inputs` with a deadline at 10 for its owner, s[0]. */
static int32_t timed_race(rig *r, const int32_t *s) {
  rig_deadline(r, s[0], 10, 1);
  return rig_combine(r, s[0], s + 1, 2, 1, 1);
}

static void a_deadline_fires_a_combinator(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  timed_race(r, s);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 6);
  CHECK_DUE(r, 10, -s[0], CP_DUE);
  CHECK_EQ(rig_live(r), 3);
  rig_settle(r, s[1]);
  rig_settle(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void a_combinator_that_fires_clears_the_deadline(void) {
  int way;
  for (way = 0; way < 3; way++) {
    rig *r = rig_new();
    int32_t s[3];
    int32_t combinator;
    rig_slots(r, s, 3);
    combinator = timed_race(r, s);
    rig_flush(r);
    check_words(r, 10, 1);
    if (way < 2) rig_settle(r, s[1 + way]);
    if (way == 2) rig_log(r, CP_OP_FIRE, combinator, 5);
    /* In the very turn in which it is due. */
    CHECK_DUE(r, 10, -s[0], way < 2 ? way : 5);
    check_words(r, INFINITY, 0);
    CHECK_NOTHING_DUE(r, 11);
    rig_free(r);
  }
}

static void a_deadline_before_or_after_its_combinator(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_combine(r, s[0], s + 1, 2, 2, 1);
  rig_flush(r);
  rig_deadline(r, s[0], 5, 0);
  CHECK_NOTHING_DUE(r, 4);
  rig_settle(r, s[1]);
  CHECK_DUE(r, 5, -s[0], CP_DUE);
  /* The owner is free again, also for another deadline. */
  rig_deadline(r, s[0], 6, 0);
  CHECK_DUE(r, 6, -s[0], CP_DUE);
  rig_then(r, s[2], s[0]);
  rig_settle(r, s[2]);
  CHECK_SHOWS(r, s[0]);
  rig_free(r);
}

static void dropping_an_owner_clears_its_deadline(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  timed_race(r, s);
  rig_drop(r, s[0]);
  rig_flush(r);
  check_words(r, INFINITY, 0);
  CHECK_NOTHING_DUE(r, 10);
  rig_free(r);
}

/* A windowed combinator whose owner s[0] is ready for a grant. */
static int32_t granted(rig *r, const int32_t *s) {
  int32_t combinator = rig_slot(r);
  rig_deadline(r, s[0], 10, 1);
  rig_log(r, CP_OP_COMBINE, combinator, s[0]);
  rig_log(r, CP_OP_WINDOW, combinator, 3);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  return combinator;
}

static void a_grant_gives_way_to_a_deadline(void) {
  rig *r = rig_new();
  int32_t s[1];
  int32_t combinator;
  rig_slots(r, s, 1);
  combinator = granted(r, s);
  rig_flush(r);
  CHECK_DUE(r, 10, -s[0], CP_DUE);
  check_words(r, INFINITY, 0);
  rig_drop(r, combinator);
  CHECK_NOTHING_DUE(r, 11);
  rig_free(r);
}

static void a_window_goes_on_until_the_deadline(void) {
  rig *r = rig_new();
  int32_t s[1];
  int32_t combinator;
  rig_slots(r, s, 1);
  combinator = granted(r, s);
  CHECK_DUE(r, 9, -s[0], -4);
  rig_log(r, CP_OP_DONE, combinator, 1);
  rig_deadline(r, s[0], 12, 1);
  CHECK_NOTHING_DUE(r, 11);
  CHECK_DUE(r, 12, -s[0], CP_DUE);
  rig_drop(r, combinator);
  rig_settle(r, s[0]);
  rig_flush(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void dropped_while_a_grant_is_ready(void) {
  rig *r = rig_new();
  int32_t s[1];
  rig_slots(r, s, 1);
  granted(r, s);
  rig_flush(r);
  rig_drop(r, s[0]);
  rig_flush(r);
  check_words(r, INFINITY, 0);
  CHECK_NOTHING_DUE(r, 10);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void too_late_for_one_that_is_ready(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  rig_job(r, s[0], 3);
  rig_deadline(r, s[1], -INFINITY, 1);
  rig_flush(r);
  rig_deadline(r, s[0], -INFINITY, 1);
  CHECK_SHOWS(r, -s[0], 3, -s[1], CP_DUE);
  rig_free(r);
}

static void promises_may_wait_for_one_with_a_deadline(void) {
  rig *r = rig_new();
  int32_t s[5];
  rig_slots(r, s, 5);
  rig_deadline(r, s[0], 10, 1);
  rig_then(r, s[1], s[2]);
  rig_merge(r, s[1], s[0]);
  rig_combine(r, s[3], s, 1, 1, 1);
  rig_flush(r);
  CHECK_DUE(r, 10, -s[0], CP_DUE);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[2], -s[3], 0);
  rig_free(r);
}

/* More than one window and many logs. */
static void a_hundred_thousand(void) {
  enum { COUNT = 100000 };
  rig *r = rig_new();
  uint64_t random = 5;
  int32_t i, shown = 0;
  double before = 0;
  double *deadlines = calloc(COUNT + 2 * CP_PAGE_SLOTS, sizeof *deadlines);
  CHECK(deadlines != NULL);
  for (i = 0; i < COUNT; i++) {
    int32_t slot = rig_slot(r);
    deadlines[slot] = 1 + random_below(&random, 1000);
    rig_deadline(r, slot, deadlines[slot], 1);
  }
  rig_flush(r);
  check_words(r, 1, COUNT);
  cp_due(r->engine, 1000);
  do {
    int32_t words = rig_quick_turn(r);
    for (i = 0; i < words; i += 2) {
      int32_t slot = -r->window[i];
      CHECK_EQ(r->window[i + 1], CP_DUE);
      CHECK(deadlines[slot] >= before);
      before = deadlines[slot];
      deadlines[slot] = -1;
      shown++;
    }
  } while (r->header[CP_HEADER_MORE]);
  CHECK_EQ(shown, COUNT);
  check_words(r, INFINITY, 0);
  free(deadlines);
  rig_free(r);
}

static void room_is_told_and_kept(void) {
  rig *r = rig_new();
  int32_t s[1];
  rig_slots(r, s, 1);
  CHECK_EQ(r->header[CP_HEADER_ROOM], 0);
  CHECK_EQ(cp_reserve(r->engine), CP_OK);
  CHECK_EQ(r->header[CP_HEADER_ROOM], CP_DEADLINES);
  r->deadlines[0] = 1;
  r->deadlines[1] = 2.0 * s[0];
  r->header[CP_HEADER_DEADLINES] = 1;
  CHECK_EQ(cp_reserve(r->engine), CP_OK);
  CHECK_EQ(r->header[CP_HEADER_DEADLINES], 0);
  check_words(r, 1, 0);
  CHECK_GE(r->header[CP_HEADER_ROOM], CP_DEADLINES);
  rig_free(r);
}

/* Memory runs out at each step: what is set stays set. */
static void without_memory_for_more(void) {
  rig *r = rig_new();
  int32_t i, set = 0;
  do {
    int32_t slot;
    r->memory.fail_percent = 0;
    slot = rig_slot(r);
    r->memory.fail_percent = 100;
    if (r->header[CP_HEADER_DEADLINES] == r->header[CP_HEADER_ROOM]) {
      int status = cp_reserve(r->engine);
      CHECK_EQ(r->header[CP_HEADER_DEADLINES], 0);
      CHECK_TEXT(cp_check(r->engine), NULL);
      if (status != CP_OK) {
        CHECK_EQ(status, CP_ENOMEM);
        CHECK_EQ(r->header[CP_HEADER_ROOM], 0);
        r->memory.fail_percent = 0;
        CHECK_EQ(cp_reserve(r->engine), CP_OK);
        CHECK_GE(r->header[CP_HEADER_ROOM], 1);
      }
    }
    rig_deadline(r, slot, 1, 1);
    set++;
  } while (set < 5000);
  CHECK_GE(r->memory.failures, 3);
  r->memory.fail_percent = 0;
  rig_flush(r);
  check_words(r, 1, set);
  cp_due(r->engine, 1);
  do {
    i = rig_quick_turn(r);
    set -= i / 2;
  } while (i > 0);
  CHECK_EQ(set, 0);
  rig_free(r);
}

/* Passed over alone: the good one beside it is applied. */
static void check_nonsense(rig *r, double deadline, double name) {
  int32_t good = rig_slot(r);
  double *entry;
  rig_flush(r);
  CHECK_EQ(cp_reserve(r->engine), CP_OK);
  entry = r->deadlines;
  entry[0] = deadline;
  entry[1] = name;
  entry[2] = -INFINITY;
  entry[3] = 2.0 * good;
  r->header[CP_HEADER_DEADLINES] = 2;
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  CHECK_TEXT(cp_check(r->engine), NULL);
  CHECK_EQ(r->header[CP_HEADER_READY], 2);
  CHECK_EQ(r->window[0], -good);
}

static void nonsense_is_passed_over(void) {
  rig *r = rig_new();
  int32_t s[8];
  int32_t combinator;
  rig_slots(r, s, 8);
  rig_then(r, s[0], s[1]);
  combinator = rig_combine(r, s[2], s, 1, 1, 1);
  rig_settle(r, s[3]);
  rig_log(r, CP_OP_USE, combinator, 1);
  rig_log(r, CP_OP_COUNT, s[4], 1);
  check_nonsense(r, 1, 2.0 * s[1]);             /* in a list */
  check_nonsense(r, 1, 2.0 * combinator);       /* no promise */
  check_nonsense(r, 1, 2.0 * (combinator + 1)); /* an item */
  check_nonsense(r, 1, 2.0 * s[3]);             /* given back */
  check_nonsense(r, 1, 2.0 * s[4]);             /* a carrier */
  check_nonsense(r, NAN, 2.0 * s[0]);
  check_nonsense(r, 1, NAN);
  check_nonsense(r, 1, -1);
  check_nonsense(r, 1, 0);
  check_nonsense(r, 1, 1e10);
  check_nonsense(r, 1, INFINITY);
  check_nonsense(r, 1, 2.0 * (1 << 20));
  rig_free(r);
}

static void counts_that_make_no_sense(void) {
  static const int32_t counts[] = {-1, INT32_MIN, CP_DEADLINES + 1, INT32_MAX};
  rig *r = rig_new();
  int i;
  r->header[CP_HEADER_DEADLINES] = 1; /* without room */
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  for (i = 0; i < 4; i++) {
    r->header[CP_HEADER_DEADLINES] = counts[i];
    CHECK_EQ(cp_flush(r->engine), CP_EINVAL);
    CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
    CHECK_EQ(cp_reserve(r->engine), CP_EINVAL);
  }
  r->header[CP_HEADER_DEADLINES] = 0;
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

/* One with a deadline can neither wait for a promise nor be ready. */
static void commands_that_a_deadline_forbids(void) {
  rig *r = rig_new();
  int32_t s[3];
  int i;
  rig_slots(r, s, 3);
  rig_deadline(r, s[0], 10, 1);
  rig_flush(r);
  for (i = 0; i < 5; i++) {
    if (i == 0) rig_then(r, s[1], s[0]);
    if (i == 1) rig_now(r, s[0]);
    if (i == 2) rig_job(r, s[0], 1);
    if (i == 3) rig_merge(r, s[0], s[1]);
    if (i == 4) rig_log(r, CP_OP_COMBINE, s[0], s[1]);
    CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
    CHECK_TEXT(cp_check(r->engine), NULL);
    CHECK_EQ(r->header[CP_HEADER_READY], 0);
  }
  CHECK_DUE(r, 10, -s[0], CP_DUE);
  rig_free(r);
}

void timers_suite(void) {
  RUN(what_is_due_is_ready_as_a_job);
  RUN(in_order_of_deadlines_and_of_setting);
  RUN(after_the_commands_of_the_turn);
  RUN(the_clock_does_not_go_back);
  RUN(minus_infinity_is_due_at_once);
  RUN(infinity_takes_a_deadline_away);
  RUN(a_deadline_set_again_is_a_new_one);
  RUN(settled_or_dropped_it_leaves_no_deadline);
  RUN(a_slot_that_is_used_again_has_no_deadline);
  RUN(a_deadline_fires_a_combinator);
  RUN(a_combinator_that_fires_clears_the_deadline);
  RUN(a_deadline_before_or_after_its_combinator);
  RUN(dropping_an_owner_clears_its_deadline);
  RUN(a_grant_gives_way_to_a_deadline);
  RUN(a_window_goes_on_until_the_deadline);
  RUN(dropped_while_a_grant_is_ready);
  RUN(too_late_for_one_that_is_ready);
  RUN(promises_may_wait_for_one_with_a_deadline);
  RUN(a_hundred_thousand);
  RUN(room_is_told_and_kept);
  RUN(without_memory_for_more);
  RUN(nonsense_is_passed_over);
  RUN(counts_that_make_no_sense);
  RUN(commands_that_a_deadline_forbids);
}

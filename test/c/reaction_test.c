/* THEN, NOW, SETTLE: who becomes ready, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "suites.h"

static void reactions_run_in_the_order_they_were_added(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[2]);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[3]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[2], s[1], s[3]);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void a_rejected_promise_runs_its_reactions_too(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[2]);
  rig_reject(r, s[0]);
  CHECK_SHOWS(r, s[1], s[2]);
  rig_free(r);
}

static void settle_without_reactions_gives_the_slot_back(void) {
  rig *r = rig_new();
  int32_t s = rig_slot(r);
  CHECK_EQ(rig_live(r), 1);
  rig_settle(r, s);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void now_is_ready_at_once(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  rig_now(r, s[1]);
  rig_now(r, s[0]);
  CHECK_SHOWS(r, s[1], s[0]);
  rig_free(r);
}

static void order_is_fifo_over_the_whole_engine(void) {
  rig *r = rig_new();
  int32_t a, b, a1, a2, b1, n1, n2;
  a = rig_slot(r);
  b = rig_slot(r);
  a1 = rig_slot(r);
  a2 = rig_slot(r);
  b1 = rig_slot(r);
  n1 = rig_slot(r);
  n2 = rig_slot(r);
  rig_then(r, a, a1);
  rig_now(r, n1);
  rig_then(r, b, b1);
  rig_then(r, a, a2);
  rig_settle(r, b);
  rig_now(r, n2);
  rig_settle(r, a);
  CHECK_SHOWS(r, n1, b1, n2, a1, a2);
  rig_free(r);
}

static void order_does_not_depend_on_flushes(void) {
  rig *r = rig_new();
  int32_t s[5];
  rig_slots(r, s, 5);
  rig_then(r, s[0], s[1]);
  rig_flush(r);
  rig_then(r, s[0], s[2]);
  rig_now(r, s[3]);
  rig_flush(r);
  rig_settle(r, s[0]);
  rig_flush(r);
  rig_now(r, s[4]);
  CHECK_SHOWS(r, s[3], s[1], s[2], s[4]);
  rig_free(r);
}

static void what_was_shown_goes_on_as_a_promise(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[1], s[2]);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1]);
  rig_then(r, s[1], s[3]);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[2], s[3]);
  CHECK_EQ(rig_live(r), 2);
  rig_settle(r, s[2]);
  rig_settle(r, s[3]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void a_ready_promise_takes_reactions(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_now(r, s[0]);
  rig_then(r, s[0], s[1]);
  rig_now(r, s[2]);
  CHECK_SHOWS(r, s[0], s[2]);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1]);
  rig_free(r);
}

/* A promise waits again after it was shown: it was resolved with a promise. */
static void a_shown_promise_waits_again(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[1], s[3]);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1]);
  rig_then(r, s[2], s[1]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, s[2]);
  CHECK_SHOWS(r, s[1]);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[3]);
  rig_free(r);
}

/* Two promises that wait for each other stay pending; nothing runs in a
 * circle, and dropping them gives them back. */
static void a_circle_stays_pending(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[1], s[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2);
  rig_drop(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2);
  rig_drop(r, s[1]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

/* Whether a word of the header tells of deadlines, which a flush applies. */
static int is_of_deadlines(int i) {
  return i == CP_HEADER_DEADLINES || i == CP_HEADER_ROOM;
}

static void flush_leaves_window_and_header_alone(void) {
  rig *r = rig_new();
  int32_t s = rig_slot(r);
  int i;
  memset(r->window, 0x55, sizeof r->window);
  for (i = 1; i < CP_HEADER; i++) {
    if (!is_of_deadlines(i)) r->header[i] = 77;
  }
  rig_now(r, s);
  rig_flush(r);
  CHECK_EQ(r->window[0], 0x55555555);
  for (i = 1; i < CP_HEADER; i++) {
    CHECK_EQ(r->header[i], is_of_deadlines(i) ? 0 : 77);
  }
  CHECK_SHOWS(r, s);
  CHECK_EQ(r->window[1], 0x55555555);
  CHECK_EQ(r->header[CP_HEADER_MORE], 0);
  CHECK_EQ(r->header[CP_HEADER_PAGES], 1);
  for (i = CP_HEADER_ROOM + 1; i < CP_HEADER; i++) CHECK_EQ(r->header[i], 77);
  rig_free(r);
}

static void only_the_counted_commands_are_applied(void) {
  rig *r = rig_new();
  int32_t s[2];
  rig_slots(r, s, 2);
  rig_now(r, s[0]);
  rig_now(r, s[1]);
  r->header[CP_HEADER_COMMANDS] = 1;
  CHECK_SHOWS(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void a_full_command_buffer_is_applied(void) {
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t children[CP_COMMANDS - 1];
  int32_t i, shown = 0;
  for (i = 0; i < CP_COMMANDS - 1; i++) {
    children[i] = rig_slot(r);
    rig_then(r, root, children[i]);
  }
  rig_settle(r, root);
  CHECK_EQ(r->header[CP_HEADER_COMMANDS], CP_COMMANDS);
  do {
    int32_t ready = rig_turn(r);
    for (i = 0; i < ready; i++) CHECK_EQ(r->window[i], children[shown++]);
  } while (r->header[CP_HEADER_MORE]);
  CHECK_EQ(shown, CP_COMMANDS - 1);
  rig_free(r);
}

static void more_ready_than_the_window_holds(void) {
  enum { COUNT = 10000 };
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t *children = malloc(COUNT * sizeof *children);
  int32_t i, shown = 0, turns = 0;
  CHECK(children != NULL);
  rig_slots(r, children, COUNT);
  for (i = 0; i < COUNT; i++) rig_then(r, root, children[i]);
  rig_settle(r, root);
  do {
    int32_t ready = rig_turn(r);
    CHECK_GE(ready, 1);
    CHECK_EQ(r->header[CP_HEADER_MORE], shown + ready < COUNT);
    for (i = 0; i < ready; i++) CHECK_EQ(r->window[i], children[shown++]);
    turns++;
  } while (shown < COUNT && turns < COUNT);
  CHECK_EQ(turns, 3);
  CHECK_SHOWS_NOTHING(r);
  free(children);
  rig_free(r);
}

static void what_becomes_ready_between_windows_comes_last(void) {
  enum { COUNT = 5000 };
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t last = 0, late, shown, i;
  for (i = 0; i < COUNT; i++) {
    last = rig_slot(r);
    rig_then(r, root, last);
  }
  late = rig_slot(r);
  rig_settle(r, root);
  shown = rig_turn(r);
  rig_now(r, late);
  CHECK_EQ(rig_turn(r), COUNT - shown + 1);
  CHECK_EQ(r->window[COUNT - shown - 1], last);
  CHECK_EQ(r->window[COUNT - shown], late);
  rig_free(r);
}

static void stats_count(void) {
  rig *r = rig_new();
  int32_t s[3];
  cp_stats stats;
  cp_get_stats(r->engine, &stats);
  CHECK_EQ(stats.calls, 0);
  CHECK_EQ(stats.pages, 0);
  CHECK_EQ(stats.slots, 0);
  CHECK_EQ(stats.bytes, r->memory.bytes);
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_settle(r, s[0]);
  rig_flush(r);
  rig_now(r, s[2]);
  rig_turn(r);
  cp_get_stats(r->engine, &stats);
  CHECK_EQ(stats.calls, 3);
  CHECK_EQ(stats.turns, 1);
  CHECK_EQ(stats.commands, 3);
  CHECK_EQ(stats.pages, 1);
  CHECK_EQ(stats.slots, CP_PAGE_SLOTS - 1);
  CHECK_EQ(stats.bytes, r->memory.bytes);
  rig_free(r);
}

static void engines_share_nothing(void) {
  rig *a = rig_new();
  rig *b = rig_new();
  int32_t in_a = rig_slot(a);
  int32_t in_b = rig_slot(b);
  CHECK_EQ(in_a, in_b);
  rig_now(a, in_a);
  CHECK_SHOWS_NOTHING(b);
  CHECK_SHOWS(a, in_a);
  rig_free(a);
  rig_now(b, in_b);
  CHECK_SHOWS(b, in_b);
  rig_free(b);
}

static void destroy_allows_null(void) {
  cp_destroy(NULL);
}

static void destroy_in_the_middle_frees_all(void) {
  rig *r = rig_new();
  int32_t s[6];
  rig_slots(r, s, 6);
  rig_then(r, s[0], s[1]);
  rig_combine(r, s[2], s + 3, 3, 3, 1);
  rig_now(r, s[4]);
  rig_flush(r);
  rig_now(r, s[5]);
  rig_free(r);
}

void reaction_suite(void) {
  RUN(reactions_run_in_the_order_they_were_added);
  RUN(a_rejected_promise_runs_its_reactions_too);
  RUN(settle_without_reactions_gives_the_slot_back);
  RUN(now_is_ready_at_once);
  RUN(order_is_fifo_over_the_whole_engine);
  RUN(order_does_not_depend_on_flushes);
  RUN(what_was_shown_goes_on_as_a_promise);
  RUN(a_ready_promise_takes_reactions);
  RUN(a_shown_promise_waits_again);
  RUN(a_circle_stays_pending);
  RUN(flush_leaves_window_and_header_alone);
  RUN(only_the_counted_commands_are_applied);
  RUN(a_full_command_buffer_is_applied);
  RUN(more_ready_than_the_window_holds);
  RUN(what_becomes_ready_between_windows_comes_last);
  RUN(stats_count);
  RUN(engines_share_nothing);
  RUN(destroy_allows_null);
  RUN(destroy_in_the_middle_frees_all);
}

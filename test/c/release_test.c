/* MERGE and DROP: promises that end without an outcome of their own. */
#include "rig.h"
#include "suites.h"

static void merge_moves_reactions_behind_those_of_the_target(void) {
  rig *r = rig_new();
  int32_t s[6];
  rig_slots(r, s, 6);
  rig_then(r, s[0], s[2]);
  rig_then(r, s[1], s[3]);
  rig_then(r, s[0], s[4]);
  rig_merge(r, s[0], s[1]);
  rig_then(r, s[1], s[5]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 5);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[3], s[2], s[4], s[5]);
  rig_free(r);
}

static void merge_into_an_empty_list(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[2]);
  rig_then(r, s[0], s[3]);
  rig_merge(r, s[0], s[1]);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[2], s[3]);
  rig_free(r);
}

static void merge_of_an_empty_list(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[1], s[2]);
  rig_merge(r, s[0], s[1]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[2]);
  rig_free(r);
}

static void merge_into_a_promise_that_waits_or_is_ready(void) {
  rig *r = rig_new();
  int32_t s[6];
  rig_slots(r, s, 6);
  rig_then(r, s[0], s[1]); /* s1 waits */
  rig_then(r, s[2], s[3]);
  rig_merge(r, s[2], s[1]);
  rig_then(r, s[4], s[5]);
  rig_settle(r, s[0]); /* s1 is ready */
  rig_merge(r, s[4], s[1]);
  CHECK_SHOWS(r, s[1]);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[3], s[5]);
  rig_free(r);
}

static void merges_in_a_row_keep_the_order(void) {
  enum { COUNT = 100 };
  rig *r = rig_new();
  int32_t promises[COUNT], children[COUNT];
  int i;
  rig_slots(r, promises, COUNT);
  rig_slots(r, children, COUNT);
  for (i = 0; i < COUNT; i++) rig_then(r, promises[i], children[i]);
  for (i = COUNT - 1; i > 0; i--) rig_merge(r, promises[i], promises[i - 1]);
  rig_settle(r, promises[0]);
  CHECK_EQ(rig_turn(r), COUNT);
  for (i = 0; i < COUNT; i++) CHECK_EQ(r->window[i], children[i]);
  rig_free(r);
}

/* The target waits for the source: it would wait for itself, for ever. */
static void merge_into_a_reaction_of_the_source(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[2]);
  rig_merge(r, s[0], s[1]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2);
  rig_drop(r, s[1]);
  rig_drop(r, s[2]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

/* Items first, in the middle and last in a list that moves can still leave
 * it, whatever stands before and behind them. */
static void items_of_a_merged_list_can_leave_it(void) {
  int into_empty, place;
  for (into_empty = 0; into_empty <= 1; into_empty++) {
    for (place = 0; place <= 2; place++) {
      rig *r = rig_new();
      int32_t from, into, owner, race, s[4];
      from = rig_slot(r);
      into = rig_slot(r);
      owner = rig_slot(r);
      rig_slots(r, s, 4);
      if (!into_empty) rig_then(r, into, s[0]);
      if (place > 0) rig_then(r, from, s[1]);
      race = rig_combine(r, owner, &from, 1, 1, 1);
      if (place < 2) rig_then(r, from, s[2]);
      rig_merge(r, from, into);
      rig_then(r, into, s[3]);
      CHECK_SHOWS_NOTHING(r);
      rig_log(r, CP_OP_FIRE, race, 0);
      CHECK_SHOWS(r, -owner, 0);
      rig_settle(r, into);
      CHECK_EQ(rig_turn(r), 2 + !into_empty + (place == 1));
      CHECK_EQ(r->window[r->header[CP_HEADER_READY] - 1], s[3]);
      rig_free(r);
    }
  }
}

static void a_merged_list_counts_its_items(void) {
  rig *r = rig_new();
  int32_t from, into, owner, s[2];
  from = rig_slot(r);
  into = rig_slot(r);
  owner = rig_slot(r);
  rig_slots(r, s, 2);
  rig_then(r, from, s[0]);
  rig_combine(r, owner, &from, 1, 1, 1);
  rig_then(r, into, s[1]);
  rig_merge(r, from, into);
  rig_settle(r, into);
  CHECK_SHOWS(r, s[1], s[0], -owner, 0);
  rig_free(r);
}

static void drop_alone_gives_the_slot_back(void) {
  rig *r = rig_new();
  int32_t s = rig_slot(r);
  rig_drop(r, s);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void drop_frees_the_reactions_from_waiting(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[2]);
  rig_drop(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 3);
  /* They are promises as any other. */
  rig_then(r, s[3], s[1]);
  rig_settle(r, s[2]);
  rig_settle(r, s[3]);
  CHECK_SHOWS(r, s[1]);
  rig_free(r);
}

static void a_dropped_reaction_is_not_shown(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[2]);
  rig_then(r, s[0], s[3]);
  rig_drop(r, s[2]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 4); /* s2 still stands in the list */
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1], s[3]);
  CHECK_EQ(rig_live(r), 2);
  rig_free(r);
}

static void a_dropped_reaction_goes_with_its_dropped_promise(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[0], s[2]);
  rig_drop(r, s[1]);
  rig_drop(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 1);
  rig_drop(r, s[2]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void a_dropped_reaction_survives_a_merge(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_then(r, s[0], s[2]);
  rig_then(r, s[0], s[3]);
  rig_drop(r, s[2]);
  rig_merge(r, s[0], s[1]);
  rig_settle(r, s[1]);
  CHECK_SHOWS(r, s[3]);
  CHECK_EQ(rig_live(r), 1);
  rig_free(r);
}

static void a_chain_is_dropped_from_either_end(void) {
  enum { COUNT = 1000 };
  int from_root;
  for (from_root = 0; from_root <= 1; from_root++) {
    rig *r = rig_new();
    int32_t s[COUNT];
    int i;
    rig_slots(r, s, COUNT);
    for (i = 1; i < COUNT; i++) rig_then(r, s[i - 1], s[i]);
    for (i = 0; i < COUNT; i++) rig_drop(r, s[from_root ? i : COUNT - 1 - i]);
    CHECK_SHOWS_NOTHING(r);
    CHECK_EQ(rig_live(r), 0);
    rig_free(r);
  }
}

static void a_dropped_ready_promise_is_not_shown(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_now(r, s[0]);
  rig_job(r, s[1], 5);
  rig_now(r, s[2]);
  rig_then(r, s[1], s[3]);
  rig_drop(r, s[0]);
  rig_drop(r, s[1]);
  CHECK_SHOWS(r, s[2]);
  CHECK_EQ(rig_live(r), 2);
  rig_drop(r, s[2]);
  rig_drop(r, s[3]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void a_queue_of_dropped_promises_shows_nothing(void) {
  enum { COUNT = 6000 };
  rig *r = rig_new();
  int32_t s[COUNT];
  int i;
  rig_slots(r, s, COUNT);
  for (i = 0; i < COUNT; i++) rig_now(r, s[i]);
  for (i = 0; i < COUNT; i++) rig_drop(r, s[i]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(r->header[CP_HEADER_MORE], 0);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void a_dropped_promise_that_waits_frees_its_reactions(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_then(r, s[1], s[2]);
  rig_drop(r, s[1]);
  rig_settle(r, s[2]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, s[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

void release_suite(void) {
  RUN(merge_moves_reactions_behind_those_of_the_target);
  RUN(merge_into_an_empty_list);
  RUN(merge_of_an_empty_list);
  RUN(merge_into_a_promise_that_waits_or_is_ready);
  RUN(merges_in_a_row_keep_the_order);
  RUN(merge_into_a_reaction_of_the_source);
  RUN(items_of_a_merged_list_can_leave_it);
  RUN(a_merged_list_counts_its_items);
  RUN(drop_alone_gives_the_slot_back);
  RUN(drop_frees_the_reactions_from_waiting);
  RUN(a_dropped_reaction_is_not_shown);
  RUN(a_dropped_reaction_goes_with_its_dropped_promise);
  RUN(a_dropped_reaction_survives_a_merge);
  RUN(a_chain_is_dropped_from_either_end);
  RUN(a_dropped_ready_promise_is_not_shown);
  RUN(a_queue_of_dropped_promises_shows_nothing);
  RUN(a_dropped_promise_that_waits_frees_its_reactions);
}

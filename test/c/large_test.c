/* Millions: no recursion, no search, no lost reaction. */
#include <stdlib.h>

#include "rig.h"
#include "suites.h"

static int32_t *new_slots(rig *r, int32_t count) {
  int32_t *slots = malloc((size_t) count * sizeof *slots);
  CHECK(slots != NULL);
  rig_slots(r, slots, count);
  return slots;
}

/* Turns until all is shown and checks that it is `slots`, in order. */
static void check_shows_all(rig *r, const int32_t *slots, int32_t count) {
  int32_t shown = 0;
  do {
    int32_t i, ready = rig_quick_turn(r);
    CHECK_LE(shown + ready, count);
    for (i = 0; i < ready; i++) CHECK_EQ(r->window[i], slots[shown++]);
  } while (r->header[CP_HEADER_MORE]);
  CHECK_EQ(shown, count);
}

static void millions_of_reactions_on_one_promise(void) {
  enum { COUNT = 3000000 };
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t *children = new_slots(r, COUNT);
  int32_t i;
  for (i = 0; i < COUNT; i++) rig_then(r, root, children[i]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, root);
  check_shows_all(r, children, COUNT);
  for (i = 0; i < COUNT; i++) rig_settle(r, children[i]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  free(children);
  rig_free(r);
}

static void a_chain_of_a_million_links(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t *links = new_slots(r, COUNT);
  int32_t i;
  for (i = 1; i < COUNT; i++) rig_then(r, links[i - 1], links[i]);
  CHECK_SHOWS_NOTHING(r);
  for (i = 1; i < COUNT; i++) {
    rig_settle(r, links[i - 1]);
    CHECK_EQ(rig_quick_turn(r), 1);
    CHECK_EQ(r->window[0], links[i]);
  }
  rig_settle(r, links[COUNT - 1]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  free(links);
  rig_free(r);
}

static void a_million_promises_merged_into_the_next(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t *links = new_slots(r, COUNT);
  int32_t child = rig_slot(r);
  int32_t i;
  rig_then(r, links[0], child);
  for (i = 1; i < COUNT; i++) rig_merge(r, links[i - 1], links[i]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, links[COUNT - 1]);
  CHECK_SHOWS(r, child);
  CHECK_EQ(rig_live(r), 1);
  free(links);
  rig_free(r);
}

static void all_of_a_million(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t *inputs = new_slots(r, COUNT);
  int32_t owner = rig_slot(r);
  int32_t i;
  rig_combine(r, owner, inputs, COUNT, COUNT, 1);
  CHECK_SHOWS_NOTHING(r);
  for (i = COUNT - 1; i > 0; i--) rig_settle(r, inputs[i]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, inputs[0]);
  CHECK_SHOWS(r, -owner, 0);
  CHECK_EQ(rig_live(r), 1);
  free(inputs);
  rig_free(r);
}

static void all_of_a_million_carriers(void) {
  enum { COUNT = 1000000 / CP_PAGE_SLOTS * CP_PAGE_SLOTS };
  rig *r = rig_new();
  int32_t combinator = rig_slot(r);
  int32_t owner = rig_slot(r);
  int32_t first = cp_open(r->engine) << CP_PAGE_BITS;
  int32_t i;
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  for (i = first; i < first + COUNT; i += CP_PAGE_SLOTS) {
    rig_log(r, CP_OP_COUNT, i, CP_PAGE_SLOTS);
    CHECK_EQ(cp_open(r->engine) << CP_PAGE_BITS, i + CP_PAGE_SLOTS);
  }
  rig_log(r, CP_OP_NEED, combinator, COUNT);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  for (i = first + COUNT - 1; i > first; i--) rig_settle(r, i);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, first);
  CHECK_SHOWS(r, -owner, 0);
  CHECK_EQ(rig_live(r), 1 + CP_PAGE_SLOTS); /* the last page is unused */
  rig_free(r);
}

/* The items of one combinator fill a list from which they then leave; the
 * time must grow with their number, not with its square. */
static void a_race_of_the_same_promise_a_million_times(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t promise = rig_slot(r);
  int32_t owner = rig_slot(r);
  int32_t combinator = rig_combine(r, owner, NULL, 0, 1, 1);
  int32_t i;
  for (i = 0; i < COUNT; i++) {
    rig_log(r, CP_OP_ITEM, promise, rig_slot(r));
  }
  rig_log(r, CP_OP_FIRE, combinator, 3);
  CHECK_SHOWS(r, -owner, 3);
  CHECK_EQ(rig_live(r), 2);
  rig_settle(r, promise);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

/* A promise that never settles and loses race after race keeps nothing. */
static void a_million_races_lost_by_one_promise(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t inputs[2];
  int32_t i;
  cp_stats stats;
  inputs[0] = rig_slot(r);
  for (i = 0; i < COUNT; i++) {
    int32_t owner = rig_slot(r);
    inputs[1] = rig_slot(r);
    rig_combine(r, owner, inputs, 2, 1, 1);
    rig_settle(r, inputs[1]);
    CHECK_EQ(rig_quick_turn(r), 2);
    CHECK_EQ(r->window[0], -owner);
    CHECK_EQ(r->window[1], 1);
    rig_settle(r, owner);
  }
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 1);
  cp_get_stats(r->engine, &stats);
  CHECK_LE(stats.pages, 3);
  rig_free(r);
}

static void a_million_dropped(void) {
  enum { COUNT = 1000000 };
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t *children = new_slots(r, COUNT);
  int32_t i;
  for (i = 0; i < COUNT; i++) rig_then(r, root, children[i]);
  for (i = 0; i < COUNT; i += 2) rig_drop(r, children[i]);
  rig_drop(r, root);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), COUNT / 2);
  for (i = 1; i < COUNT; i += 2) rig_drop(r, children[i]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  free(children);
  rig_free(r);
}

void large_suite(void) {
  RUN(millions_of_reactions_on_one_promise);
  RUN(a_chain_of_a_million_links);
  RUN(a_million_promises_merged_into_the_next);
  RUN(all_of_a_million);
  RUN(all_of_a_million_carriers);
  RUN(a_race_of_the_same_promise_a_million_times);
  RUN(a_million_races_lost_by_one_promise);
  RUN(a_million_dropped);
}

/* COUNT: promises that carry an item of a combinator themselves. */
#include "rig.h"
#include "suites.h"

enum { INPUTS = 3 };

/* A combinator for `owner` over INPUTS promises made for it. */
typedef struct scene {
  rig *r;
  int32_t owner;
  int32_t combinator;
  int32_t inputs[INPUTS];
} scene;

static void scene_init(scene *s, int32_t need, int32_t slack) {
  rig *r = s->r = rig_new();
  s->owner = rig_slot(r);
  s->combinator = rig_slot(r);
  rig_slots(r, s->inputs, INPUTS);
  rig_log(r, CP_OP_COMBINE, s->combinator, s->owner);
  rig_log(r, CP_OP_COUNT, s->inputs[0], INPUTS);
  rig_log(r, CP_OP_NEED, s->combinator, need);
  rig_log(r, CP_OP_SLACK, s->combinator, slack);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2 + INPUTS);
}

static void all_of_carriers(void) {
  scene s;
  scene_init(&s, INPUTS, 1);
  rig_settle(s.r, s.inputs[1]);
  rig_settle(s.r, s.inputs[2]);
  CHECK_SHOWS_NOTHING(s.r);
  /* The items went with the promises that carried them. */
  CHECK_EQ(rig_live(s.r), 2 + INPUTS - 2);
  rig_settle(s.r, s.inputs[0]);
  CHECK_SHOWS(s.r, -s.owner, 0);
  CHECK_EQ(rig_live(s.r), 1);
  rig_free(s.r);
}

static void a_carrier_that_rejects(void) {
  scene s;
  scene_init(&s, INPUTS, 1);
  rig_settle(s.r, s.inputs[0]);
  rig_reject(s.r, s.inputs[2]);
  CHECK_SHOWS(s.r, -s.owner, 2);
  CHECK_EQ(rig_live(s.r), 2); /* the owner, and the input that is pending */
  rig_settle(s.r, s.inputs[1]);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 1);
  rig_free(s.r);
}

static void rejections_of_carriers_that_count_as_well(void) {
  scene s;
  scene_init(&s, INPUTS, 0);
  rig_reject(s.r, s.inputs[2]);
  rig_settle(s.r, s.inputs[0]);
  CHECK_SHOWS_NOTHING(s.r);
  rig_reject(s.r, s.inputs[1]);
  CHECK_SHOWS(s.r, -s.owner, 1);
  rig_free(s.r);
}

static void carriers_settled_before_armed(void) {
  rig *r = rig_new();
  int32_t inputs[2], owner, combinator;
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_slots(r, inputs, 2);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_COUNT, inputs[0], 2);
  rig_settle(r, inputs[1]);
  rig_settle(r, inputs[0]);
  rig_log(r, CP_OP_NEED, combinator, 1);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  CHECK_SHOWS(r, -owner, 1);
  CHECK_EQ(rig_live(r), 1);
  rig_free(r);
}

/* Whether the combinator fires or not, a carrier's reactions come after. */
static void the_item_is_counted_ahead_of_the_reactions(void) {
  scene s;
  int32_t children[2], other;
  scene_init(&s, 1, 9);
  rig_slots(s.r, children, 2);
  other = rig_slot(s.r);
  rig_combine(s.r, other, &s.inputs[1], 1, 1, 1);
  rig_then(s.r, s.inputs[1], children[0]);
  rig_then(s.r, s.inputs[2], children[1]);
  rig_reject(s.r, s.inputs[2]);
  CHECK_SHOWS(s.r, children[1]);
  rig_settle(s.r, s.inputs[1]);
  CHECK_SHOWS(s.r, -s.owner, 1, -other, 0, children[0]);
  CHECK_EQ(rig_live(s.r), 5);
  rig_free(s.r);
}

/* Carriers that wait, are ready, or have reactions when the combinator fires
 * are plain promises from then on. */
static void carriers_outlive_the_combinator(void) {
  scene s;
  int32_t parent, child;
  scene_init(&s, 1, 1);
  parent = rig_slot(s.r);
  child = rig_slot(s.r);
  rig_then(s.r, parent, s.inputs[0]);
  rig_now(s.r, s.inputs[1]);
  rig_then(s.r, s.inputs[2], child);
  rig_log(s.r, CP_OP_FIRE, s.combinator, 7);
  CHECK_SHOWS(s.r, s.inputs[1], -s.owner, 7);
  CHECK_EQ(rig_live(s.r), 6);
  rig_settle(s.r, parent);
  rig_settle(s.r, s.inputs[1]);
  rig_settle(s.r, s.inputs[2]);
  CHECK_SHOWS(s.r, s.inputs[0], child);
  rig_settle(s.r, s.inputs[0]);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 2);
  rig_free(s.r);
}

static void dropping_the_owner_of_carriers(void) {
  scene s;
  scene_init(&s, INPUTS, 1);
  rig_settle(s.r, s.inputs[0]);
  rig_drop(s.r, s.owner);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 2);
  rig_settle(s.r, s.inputs[1]);
  rig_drop(s.r, s.inputs[2]);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 0);
  rig_free(s.r);
}

/* Dropped alone, in a list, or ready: it never counts. */
static void a_dropped_carrier_never_counts(void) {
  int place;
  for (place = 0; place <= 2; place++) {
    scene s;
    int32_t parent;
    scene_init(&s, 2, 1);
    parent = rig_slot(s.r);
    if (place == 1) rig_then(s.r, parent, s.inputs[0]);
    if (place == 2) rig_now(s.r, s.inputs[0]);
    rig_drop(s.r, s.inputs[0]);
    CHECK_SHOWS_NOTHING(s.r);
    rig_settle(s.r, parent);
    CHECK_SHOWS_NOTHING(s.r);
    CHECK_EQ(rig_live(s.r), 2 + INPUTS - 1);
    rig_settle(s.r, s.inputs[1]);
    CHECK_SHOWS_NOTHING(s.r);
    rig_settle(s.r, s.inputs[2]);
    CHECK_SHOWS(s.r, -s.owner, 2);
    CHECK_EQ(rig_live(s.r), 1);
    rig_free(s.r);
  }
}

/* The combinator fires while a dropped carrier still stands in a list. */
static void a_dropped_carrier_that_waits_outlives_the_combinator(void) {
  scene s;
  int32_t parent;
  scene_init(&s, 1, 1);
  parent = rig_slot(s.r);
  rig_then(s.r, parent, s.inputs[0]);
  rig_drop(s.r, s.inputs[0]);
  rig_settle(s.r, s.inputs[1]);
  CHECK_SHOWS(s.r, -s.owner, 1);
  CHECK_EQ(rig_live(s.r), 4);
  rig_settle(s.r, parent);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 2);
  rig_free(s.r);
}

/* Merged, the item stands in the list of the target, before what the carrier
 * had there; it counts when the target settles. */
static void a_merged_carrier_counts_with_its_target(void) {
  int in_front, behind;
  for (in_front = 0; in_front <= 1; in_front++) {
    for (behind = 0; behind <= 1; behind++) {
      scene s;
      int32_t target, a, b, expected[4];
      int32_t i, count = 0;
      scene_init(&s, 1, 1);
      target = rig_slot(s.r);
      a = rig_slot(s.r);
      b = rig_slot(s.r);
      if (in_front) rig_then(s.r, target, a);
      if (behind) rig_then(s.r, s.inputs[1], b);
      rig_merge(s.r, s.inputs[1], target);
      CHECK_SHOWS_NOTHING(s.r);
      rig_settle(s.r, target);
      if (in_front) expected[count++] = a;
      expected[count++] = -s.owner;
      expected[count++] = 1;
      if (behind) expected[count++] = b;
      CHECK_EQ(rig_turn(s.r), count);
      for (i = 0; i < count; i++) CHECK_EQ(s.r->window[i], expected[i]);
      rig_free(s.r);
    }
  }
}

static void a_merged_carrier_leaves_when_the_combinator_fires(void) {
  scene s;
  int32_t target, c[3];
  scene_init(&s, 1, 1);
  target = rig_slot(s.r);
  rig_slots(s.r, c, 3);
  rig_then(s.r, target, c[0]);
  rig_then(s.r, s.inputs[0], c[1]);
  rig_merge(s.r, s.inputs[0], target);
  rig_merge(s.r, s.inputs[1], target);
  rig_then(s.r, target, c[2]);
  rig_settle(s.r, s.inputs[2]);
  CHECK_SHOWS(s.r, -s.owner, 2);
  CHECK_EQ(rig_live(s.r), 5);
  rig_settle(s.r, target);
  CHECK_SHOWS(s.r, c[0], c[1], c[2]);
  rig_free(s.r);
}

static void one_carrier_merged_into_another(void) {
  scene s;
  scene_init(&s, 2, 9);
  rig_merge(s.r, s.inputs[0], s.inputs[2]);
  rig_settle(s.r, s.inputs[2]);
  CHECK_SHOWS(s.r, -s.owner, 0);
  CHECK_EQ(rig_live(s.r), 2);
  rig_free(s.r);
}

static void a_carrier_owns_a_combinator(void) {
  scene s;
  int32_t leaf;
  scene_init(&s, 1, 1);
  leaf = rig_slot(s.r);
  rig_combine(s.r, s.inputs[1], &leaf, 1, 1, 1);
  rig_settle(s.r, leaf);
  CHECK_SHOWS(s.r, -s.inputs[1], 0);
  rig_settle(s.r, s.inputs[1]);
  CHECK_SHOWS(s.r, -s.owner, 1);
  CHECK_EQ(rig_live(s.r), 3);
  rig_free(s.r);
}

static void indexes_go_on_over_items_and_carriers(void) {
  rig *r = rig_new();
  int32_t owner, combinator, plain, carriers[2], late;
  owner = rig_slot(r);
  combinator = rig_slot(r);
  plain = rig_slot(r);
  rig_slots(r, carriers, 2);
  late = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_ITEM, plain, rig_slot(r));
  rig_log(r, CP_OP_COUNT, carriers[0], 2);
  rig_log(r, CP_OP_ITEM, plain, rig_slot(r));
  rig_log(r, CP_OP_USE, combinator, 40);
  rig_log(r, CP_OP_COUNT, late, 1);
  rig_log(r, CP_OP_NEED, combinator, 5);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  rig_settle(r, plain);
  rig_settle(r, late);
  rig_settle(r, carriers[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, carriers[1]);
  CHECK_SHOWS(r, -owner, 2);
  CHECK_EQ(rig_live(r), 1);
  rig_free(r);
}

static void a_whole_page_of_carriers(void) {
  rig *r = rig_new();
  int32_t owner, combinator, first, i;
  owner = rig_slot(r);
  combinator = rig_slot(r);
  first = cp_open(r->engine) << CP_PAGE_BITS;
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_COUNT, first, CP_PAGE_SLOTS);
  rig_log(r, CP_OP_NEED, combinator, CP_PAGE_SLOTS);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  for (i = 0; i < CP_PAGE_SLOTS; i++) rig_settle(r, first + i);
  CHECK_SHOWS(r, -owner, CP_PAGE_SLOTS - 1);
  CHECK_EQ(r->header[CP_HEADER_PAGES], 1);
  rig_free(r);
}

void carrier_suite(void) {
  RUN(all_of_carriers);
  RUN(a_carrier_that_rejects);
  RUN(rejections_of_carriers_that_count_as_well);
  RUN(carriers_settled_before_armed);
  RUN(the_item_is_counted_ahead_of_the_reactions);
  RUN(carriers_outlive_the_combinator);
  RUN(dropping_the_owner_of_carriers);
  RUN(a_dropped_carrier_never_counts);
  RUN(a_dropped_carrier_that_waits_outlives_the_combinator);
  RUN(a_merged_carrier_counts_with_its_target);
  RUN(a_merged_carrier_leaves_when_the_combinator_fires);
  RUN(one_carrier_merged_into_another);
  RUN(a_carrier_owns_a_combinator);
  RUN(indexes_go_on_over_items_and_carriers);
  RUN(a_whole_page_of_carriers);
}

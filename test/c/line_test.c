/* Lines and lanes: who gets a place, and when. */
#include "rig.h"
#include "suites.h"

typedef struct scene {
  rig *r;
  int32_t line;
  int32_t lane;
} scene;

static void scene_init(scene *s, int32_t places) {
  rig *r = s->r = rig_new();
  s->line = rig_slot(r);
  s->lane = rig_slot(r);
  rig_log(r, CP_OP_WINDOW, s->line, places);
  rig_log(r, CP_OP_COMBINE, s->lane, s->line);
}

/* A fresh promise that waits in a lane. */
static int32_t join(scene *s, int32_t lane) {
  int32_t promise = rig_slot(s->r);
  rig_then(s->r, lane, promise);
  return promise;
}

static void give_back(scene *s, int32_t count) {
  rig_log(s->r, CP_OP_DONE, s->line, count);
}

static void end(scene *s) {
  rig_drop(s->r, s->line);
  CHECK_SHOWS_NOTHING(s->r);
  CHECK_EQ(rig_live(s->r), 0);
  rig_free(s->r);
}

static void settle_all(scene *s, const int32_t *promises, int count) {
  int i;
  for (i = 0; i < count; i++) rig_settle(s->r, promises[i]);
}

static void places_are_granted_in_the_order_of_coming(void) {
  scene s;
  int32_t p[4];
  int i;
  scene_init(&s, 2);
  for (i = 0; i < 4; i++) p[i] = join(&s, s.lane);
  CHECK_SHOWS_NOTHING(s.r); /* not before it looks */
  give_back(&s, 0);
  CHECK_SHOWS(s.r, -p[0], 0, -p[1], 0);
  give_back(&s, 0);
  CHECK_SHOWS_NOTHING(s.r);
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[2], 0);
  give_back(&s, 2);
  CHECK_SHOWS(s.r, -p[3], 0);
  settle_all(&s, p, 4);
  end(&s);
}

static void the_first_lane_that_is_not_empty_comes_first(void) {
  scene s;
  int32_t high;
  int32_t low;
  int32_t p[5];
  scene_init(&s, 1);
  high = rig_slot(s.r);
  low = rig_slot(s.r);
  rig_log(s.r, CP_OP_COMBINE, high, s.line);
  rig_log(s.r, CP_OP_COMBINE, low, s.lane);
  p[3] = join(&s, low);
  p[1] = join(&s, s.lane);
  p[2] = join(&s, s.lane);
  p[0] = join(&s, high);
  give_back(&s, 0);
  CHECK_SHOWS(s.r, -p[0], 0);
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[1], 0);
  p[4] = join(&s, high);
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[4], 0);
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[2], 0);
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[3], 0);
  settle_all(&s, p, 5);
  end(&s);
}

static void the_number_of_places_may_change(void) {
  scene s;
  int32_t p[6];
  int i;
  scene_init(&s, 0);
  for (i = 0; i < 6; i++) p[i] = join(&s, s.lane);
  give_back(&s, 0);
  CHECK_SHOWS_NOTHING(s.r);
  rig_log(s.r, CP_OP_WINDOW, s.line, 2);
  CHECK_SHOWS(s.r, -p[0], 0, -p[1], 0);
  rig_log(s.r, CP_OP_WINDOW, s.line, 1);
  give_back(&s, 1);
  CHECK_SHOWS_NOTHING(s.r); /* one is still under way */
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[2], 0);
  rig_log(s.r, CP_OP_WINDOW, s.line, 1 << 20);
  CHECK_SHOWS(s.r, -p[3], 0, -p[4], 0, -p[5], 0);
  settle_all(&s, p, 6);
  end(&s);
}

static void clearing_makes_all_ready_without_a_place(void) {
  scene s;
  int32_t second;
  int32_t p[4];
  scene_init(&s, 1);
  second = rig_slot(s.r);
  rig_log(s.r, CP_OP_COMBINE, second, s.lane);
  p[0] = join(&s, s.lane);
  p[1] = join(&s, s.lane);
  p[2] = join(&s, second);
  give_back(&s, 0);
  rig_log(s.r, CP_OP_FIRE, s.line, -1);
  CHECK_SHOWS(s.r, -p[0], 0, -p[1], -1, -p[2], -1);
  p[3] = join(&s, s.lane);
  give_back(&s, 0);
  CHECK_SHOWS_NOTHING(s.r); /* the place of p[0] is held */
  give_back(&s, 1);
  CHECK_SHOWS(s.r, -p[3], 0);
  settle_all(&s, p, 4);
  end(&s);
}

static void who_was_dropped_takes_no_place(void) {
  scene s;
  int32_t p[3];
  scene_init(&s, 1);
  p[0] = join(&s, s.lane);
  p[1] = join(&s, s.lane);
  p[2] = join(&s, s.lane);
  rig_drop(s.r, p[0]);
  rig_drop(s.r, p[2]);
  give_back(&s, 0);
  CHECK_SHOWS(s.r, -p[1], 0);
  give_back(&s, 1);
  CHECK_SHOWS_NOTHING(s.r);
  rig_settle(s.r, p[1]);
  end(&s);
}

static void who_waits_may_have_reactions(void) {
  scene s;
  int32_t promise;
  int32_t child;
  scene_init(&s, 1);
  promise = join(&s, s.lane);
  child = rig_slot(s.r);
  rig_then(s.r, promise, child);
  give_back(&s, 0);
  CHECK_SHOWS(s.r, -promise, 0);
  rig_settle(s.r, promise);
  CHECK_SHOWS(s.r, child);
  rig_settle(s.r, child);
  end(&s);
}

static void invalid(scene *s, int op, int32_t slot, int32_t arg) {
  rig_log(s->r, op, slot, arg);
  CHECK_EQ(cp_turn(s->r->engine), CP_EINVAL);
  CHECK_TEXT(cp_check(s->r->engine), NULL);
}

static void what_makes_no_sense_is_passed_over(void) {
  scene s;
  int32_t waiting;
  int32_t other;
  scene_init(&s, 1);
  waiting = join(&s, s.lane);
  other = rig_slot(s.r);
  CHECK_SHOWS_NOTHING(s.r);
  invalid(&s, CP_OP_DONE, s.line, 1); /* none is held */
  invalid(&s, CP_OP_DONE, s.line, -1);
  invalid(&s, CP_OP_DONE, s.lane, 0);
  invalid(&s, CP_OP_WINDOW, s.line, -1);
  invalid(&s, CP_OP_WINDOW, s.lane, 1);
  invalid(&s, CP_OP_DROP, s.line, 0); /* somebody waits */
  invalid(&s, CP_OP_DROP, s.lane, 0);
  invalid(&s, CP_OP_SETTLE, s.line, CP_FULFILLED);
  invalid(&s, CP_OP_SETTLE, s.lane, CP_FULFILLED);
  invalid(&s, CP_OP_MERGE, s.lane, other);
  invalid(&s, CP_OP_MERGE, other, s.lane);
  invalid(&s, CP_OP_MERGE, other, s.line);
  invalid(&s, CP_OP_THEN, s.line, other);
  invalid(&s, CP_OP_THEN, other, s.lane);
  invalid(&s, CP_OP_JOB, s.line, 0);
  invalid(&s, CP_OP_JOB, s.lane, 0);
  invalid(&s, CP_OP_NOW, s.lane, 0);
  invalid(&s, CP_OP_COMBINE, s.lane, s.line); /* not fresh */
  invalid(&s, CP_OP_COMBINE, other, s.line + (1 << 20));
  give_back(&s, 0);
  CHECK_SHOWS(s.r, -waiting, 0);
  rig_settle(s.r, waiting);
  rig_settle(s.r, other);
  end(&s);
}

static void a_million_pass_through_few_slots(void) {
  enum { TOTAL = 1000000, PLACES = 10 };
  scene s;
  cp_stats stats;
  int32_t started = 0;
  int32_t i;
  scene_init(&s, PLACES);
  for (i = 0; i < 1000; i++) join(&s, s.lane);
  give_back(&s, 0);
  while (started < TOTAL) {
    int32_t words = rig_quick_turn(s.r);
    CHECK_LE(words, 2 * PLACES);
    for (i = 0; i < words; i += 2) {
      rig_settle(s.r, -s.r->window[i]);
      if (++started <= TOTAL - 1000) join(&s, s.lane);
    }
    give_back(&s, words / 2);
  }
  CHECK_SHOWS_NOTHING(s.r);
  cp_get_stats(s.r->engine, &stats);
  CHECK_LE(stats.pages, 64);
  end(&s);
}

void line_suite(void) {
  RUN(places_are_granted_in_the_order_of_coming);
  RUN(the_first_lane_that_is_not_empty_comes_first);
  RUN(the_number_of_places_may_change);
  RUN(clearing_makes_all_ready_without_a_place);
  RUN(who_was_dropped_takes_no_place);
  RUN(who_waits_may_have_reactions);
  RUN(what_makes_no_sense_is_passed_over);
  RUN(a_million_pass_through_few_slots);
}

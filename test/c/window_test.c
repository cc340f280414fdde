/* WINDOW, DONE, YIELD: granting places, and stopping. */
#include "rig.h"
#include "suites.h"

/* What the window shows for a grant of `places`. */
#define GRANT(places) (-1 - (places))

typedef struct scene {
  rig *r;
  int32_t owner;
  int32_t combinator;
} scene;

/* A window of `limit`; a negative `total` is not known yet. */
static void scene_init(scene *s, int32_t limit, int32_t total, int32_t slack) {
  rig *r = s->r = rig_new();
  s->owner = rig_slot(r);
  s->combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, s->combinator, s->owner);
  rig_log(r, CP_OP_WINDOW, s->combinator, limit);
  if (total >= 0) rig_log(r, CP_OP_NEED, s->combinator, total);
  rig_log(r, CP_OP_SLACK, s->combinator, slack);
}

/* A fresh promise that is item `index`: carried, or an item of its own. */
static int32_t start(scene *s, int32_t index, int carried) {
  rig *r = s->r;
  int32_t promise = rig_slot(r);
  rig_log(r, CP_OP_USE, s->combinator, index);
  if (carried) {
    rig_log(r, CP_OP_COUNT, promise, 1);
  } else {
    rig_log(r, CP_OP_ITEM, promise, rig_slot(r));
  }
  return promise;
}

static void end(scene *s) {
  rig_log(s->r, CP_OP_DROP, s->combinator, 0);
  rig_settle(s->r, s->owner);
  CHECK_SHOWS_NOTHING(s->r);
  CHECK_EQ(rig_live(s->r), 0);
  rig_free(s->r);
}

static void grants_up_to_the_limit_then_as_places_become_free(void) {
  int carried;
  for (carried = 0; carried <= 1; carried++) {
    scene s;
    int32_t a, b, c, d;
    scene_init(&s, 2, 4, 1);
    CHECK_SHOWS(s.r, -s.owner, GRANT(2));
    a = start(&s, 0, carried);
    b = start(&s, 1, carried);
    CHECK_SHOWS_NOTHING(s.r);
    rig_settle(s.r, b);
    CHECK_SHOWS(s.r, -s.owner, GRANT(1));
    c = start(&s, 2, carried);
    rig_settle(s.r, c);
    CHECK_SHOWS(s.r, -s.owner, GRANT(1));
    d = start(&s, 3, carried);
    rig_settle(s.r, a);
    CHECK_SHOWS_NOTHING(s.r); /* nothing is left to start */
    rig_settle(s.r, d);
    CHECK_SHOWS(s.r, -s.owner, 3);
    end(&s);
  }
}

static void grants_no_more_than_is_left(void) {
  scene s;
  scene_init(&s, 10, 3, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(3));
  rig_log(s.r, CP_OP_DONE, s.combinator, 3);
  CHECK_SHOWS(s.r, -s.owner, -1);
  end(&s);
}

static void nothing_to_do_is_complete(void) {
  scene s;
  scene_init(&s, 1, 0, 1);
  CHECK_SHOWS(s.r, -s.owner, -1);
  end(&s);
}

static void a_grant_in_the_queue_grows(void) {
  scene s;
  int32_t a, b;
  scene_init(&s, 2, 9, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  a = start(&s, 0, 0);
  b = start(&s, 1, 1);
  rig_settle(s.r, a);
  rig_flush(s.r);
  rig_settle(s.r, b);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  rig_log(s.r, CP_OP_FIRE, s.combinator, 7);
  CHECK_SHOWS(s.r, -s.owner, 7);
  end(&s);
}

static void a_grant_in_the_queue_is_taken_back_by_firing(void) {
  scene s;
  int32_t a, b;
  scene_init(&s, 2, 9, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  a = start(&s, 0, 0);
  b = start(&s, 1, 1);
  rig_settle(s.r, a);
  rig_flush(s.r);
  rig_reject(s.r, b);
  CHECK_SHOWS(s.r, -s.owner, 1);
  end(&s);
}

static void done_keeps_its_place_and_yield_gives_it_back(void) {
  scene s;
  scene_init(&s, 3, 100, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(3));
  rig_log(s.r, CP_OP_DONE, s.combinator, 50);
  CHECK_SHOWS_NOTHING(s.r);
  rig_log(s.r, CP_OP_YIELD, s.combinator, 2);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  rig_log(s.r, CP_OP_DONE, s.combinator, 49);
  CHECK_SHOWS_NOTHING(s.r);
  rig_log(s.r, CP_OP_YIELD, s.combinator, 3);
  CHECK_SHOWS(s.r, -s.owner, GRANT(1)); /* one is left */
  rig_log(s.r, CP_OP_DONE, s.combinator, 1);
  CHECK_SHOWS(s.r, -s.owner, -1);
  end(&s);
}

static void the_number_may_come_later(void) {
  scene s;
  int32_t a;
  scene_init(&s, 2, -1, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  a = start(&s, 0, 1);
  rig_log(s.r, CP_OP_DONE, s.combinator, 5);
  rig_log(s.r, CP_OP_NEED, s.combinator, 6);
  CHECK_SHOWS_NOTHING(s.r);
  rig_settle(s.r, a);
  CHECK_SHOWS(s.r, -s.owner, 0);
  end(&s);
}

static void the_number_may_complete_it(void) {
  scene s;
  scene_init(&s, 2, -1, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  rig_log(s.r, CP_OP_DONE, s.combinator, 5);
  CHECK_SHOWS_NOTHING(s.r);
  rig_log(s.r, CP_OP_NEED, s.combinator, 5);
  CHECK_SHOWS(s.r, -s.owner, -1);
  end(&s);
}

static void rejections_may_count_as_well(void) {
  scene s;
  int32_t a;
  scene_init(&s, 1, 2, 0);
  CHECK_SHOWS(s.r, -s.owner, GRANT(1));
  a = start(&s, 0, 0);
  rig_reject(s.r, a);
  CHECK_SHOWS(s.r, -s.owner, GRANT(1));
  a = start(&s, 1, 1);
  rig_reject(s.r, a);
  CHECK_SHOWS(s.r, -s.owner, 1);
  end(&s);
}

/* What was in flight lives on by itself, and late commands do nothing. */
static void after_firing_commands_have_no_effect(void) {
  scene s;
  int32_t a, b, c;
  scene_init(&s, 3, 9, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(3));
  a = start(&s, 0, 0);
  rig_reject(s.r, a);
  rig_flush(s.r);
  b = start(&s, 1, 0);
  c = start(&s, 2, 1);
  rig_log(s.r, CP_OP_DONE, s.combinator, 4);
  rig_log(s.r, CP_OP_YIELD, s.combinator, 1);
  rig_log(s.r, CP_OP_NEED, s.combinator, 1);
  rig_log(s.r, CP_OP_FIRE, s.combinator, 5);
  CHECK_SHOWS(s.r, -s.owner, 0);
  CHECK_EQ(rig_live(s.r), 4); /* owner, combinator, b, c */
  rig_settle(s.r, b);
  rig_reject(s.r, c);
  CHECK_SHOWS_NOTHING(s.r);
  end(&s);
}

/* While a grant stands in the queue, or not. */
static void dropping_the_owner_dissolves_it(void) {
  int queued;
  for (queued = 0; queued <= 1; queued++) {
    scene s;
    int32_t a;
    scene_init(&s, 2, 9, 1);
    if (queued) {
      rig_flush(s.r);
    } else {
      CHECK_SHOWS(s.r, -s.owner, GRANT(2));
    }
    a = start(&s, 0, 0);
    rig_drop(s.r, s.owner);
    CHECK_SHOWS_NOTHING(s.r);
    CHECK_EQ(rig_live(s.r), 1);
    rig_settle(s.r, a);
    CHECK_SHOWS_NOTHING(s.r);
    CHECK_EQ(rig_live(s.r), 0);
    rig_free(s.r);
  }
}

static void settling_the_owner_dissolves_it(void) {
  scene s;
  int32_t a;
  scene_init(&s, 2, 9, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  a = start(&s, 0, 1);
  rig_reject(s.r, s.owner);
  CHECK_SHOWS_NOTHING(s.r);
  CHECK_EQ(rig_live(s.r), 1);
  rig_settle(s.r, a);
  CHECK_SHOWS_NOTHING(s.r);
  rig_free(s.r);
}

static void invalid(scene *s, int op, int32_t arg) {
  rig_log(s->r, op, s->combinator, arg);
  CHECK_EQ(cp_flush(s->r->engine), CP_EINVAL);
  CHECK_TEXT(cp_check(s->r->engine), NULL);
}

static void what_makes_no_sense_is_passed_over(void) {
  scene s;
  scene_init(&s, 2, 9, 1);
  CHECK_SHOWS(s.r, -s.owner, GRANT(2));
  invalid(&s, CP_OP_WINDOW, 3); /* it has one */
  invalid(&s, CP_OP_SLACK, 1);
  invalid(&s, CP_OP_NEED, 9); /* it is known */
  invalid(&s, CP_OP_DONE, 10);
  invalid(&s, CP_OP_DONE, -1);
  invalid(&s, CP_OP_YIELD, 3);
  invalid(&s, CP_OP_DROP, 0); /* it has not fired */
  rig_log(s.r, CP_OP_DONE, s.combinator, 9);
  CHECK_SHOWS(s.r, -s.owner, -1);
  end(&s);
}

static void a_window_needs_an_untouched_combinator_and_a_limit(void) {
  scene s;
  rig *r = s.r = rig_new();
  s.owner = rig_slot(r);
  s.combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, s.combinator, s.owner);
  invalid(&s, CP_OP_WINDOW, 0);
  invalid(&s, CP_OP_DONE, 1); /* no window yet */
  invalid(&s, CP_OP_YIELD, 0);
  rig_log(r, CP_OP_NEED, s.combinator, 1);
  rig_flush(r);
  invalid(&s, CP_OP_WINDOW, 1);
  rig_drop(r, s.owner);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void a_million_items_need_few_slots(void) {
  enum { LIMIT = 8, TOTAL = 1000000 };
  int32_t running[LIMIT];
  int32_t started = 0, count = 0, i;
  cp_stats stats;
  scene s;
  scene_init(&s, LIMIT, TOTAL, 1);
  for (;;) {
    int32_t words = rig_quick_turn(s.r);
    if (words == 2 && s.r->window[1] >= -1) break;
    CHECK_EQ(words, 2);
    for (i = GRANT(0) - s.r->window[1]; i > 0; i--) {
      running[count++] = start(&s, started++, i & 1);
    }
    CHECK_LE(count, LIMIT);
    while (count > LIMIT / 2 || (started == TOTAL && count > 0)) {
      rig_settle(s.r, running[--count]);
    }
  }
  CHECK_EQ(started, TOTAL);
  CHECK_EQ(s.r->window[0], -s.owner);
  cp_get_stats(s.r->engine, &stats);
  CHECK_LE(stats.pages, 64);
  end(&s);
}

void window_suite(void) {
  RUN(grants_up_to_the_limit_then_as_places_become_free);
  RUN(grants_no_more_than_is_left);
  RUN(nothing_to_do_is_complete);
  RUN(a_grant_in_the_queue_grows);
  RUN(a_grant_in_the_queue_is_taken_back_by_firing);
  RUN(done_keeps_its_place_and_yield_gives_it_back);
  RUN(the_number_may_come_later);
  RUN(the_number_may_complete_it);
  RUN(rejections_may_count_as_well);
  RUN(after_firing_commands_have_no_effect);
  RUN(dropping_the_owner_dissolves_it);
  RUN(settling_the_owner_dissolves_it);
  RUN(what_makes_no_sense_is_passed_over);
  RUN(a_window_needs_an_untouched_combinator_and_a_limit);
  RUN(a_million_items_need_few_slots);
}

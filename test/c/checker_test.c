/* cp_check finds faults: one thing at a time is spoiled behind the engine's
 * back, found, and mended again. */
#include "../../src/queue.h"
#include "rig.h"
#include "suites.h"

/* How the engine begins. */
typedef struct inside {
  cp__slots slots;
  cp__queue ready;
} inside;

/* A little of everything. */
typedef struct scene {
  rig *r;
  cp__slots *slots;
  cp__queue *ready;
  int32_t closed; /* this page and the next are closed */
  int32_t parent; /* has the reactions a, item, b */
  int32_t a;
  int32_t item;
  int32_t b;
  int32_t other; /* has the reactions c, item2 */
  int32_t c;
  int32_t item2;
  int32_t owner; /* of the combinator of both items */
  int32_t combinator;
  int32_t first;  /* ready, the first of three */
  int32_t second; /* a job */
  int32_t third;
  int32_t freed;
  int32_t idle;
} scene;

/* Opens three pages, closes them, and opens one of them again. */
static void scene_pages(scene *s) {
  enum { PAGES = 3 };
  rig *r = s->r;
  int32_t i;
  s->closed = cp_open(r->engine);
  for (i = 1; i < PAGES; i++) CHECK_EQ(cp_open(r->engine), s->closed + i);
  for (i = 0; i < PAGES * CP_PAGE_SLOTS; i++) {
    rig_settle(r, (s->closed << CP_PAGE_BITS) + i);
  }
  rig_flush(r);
  CHECK_EQ(rig_slot(r) >> CP_PAGE_BITS, s->closed + PAGES - 1);
}

static void scene_init(scene *s) {
  rig *r = s->r = rig_new();
  inside *engine = (inside *) (void *) r->engine;
  s->slots = &engine->slots;
  s->ready = &engine->ready;
  scene_pages(s);
  s->parent = rig_slot(r);
  s->a = rig_slot(r);
  s->item = rig_slot(r);
  s->b = rig_slot(r);
  s->other = rig_slot(r);
  s->c = rig_slot(r);
  s->item2 = rig_slot(r);
  s->owner = rig_slot(r);
  s->combinator = rig_slot(r);
  s->first = rig_slot(r);
  s->second = rig_slot(r);
  s->third = rig_slot(r);
  s->freed = rig_slot(r);
  s->idle = rig_slot(r);
  rig_then(r, s->parent, s->a);
  rig_then(r, s->other, s->c);
  rig_log(r, CP_OP_COMBINE, s->combinator, s->owner);
  rig_log(r, CP_OP_ITEM, s->parent, s->item);
  rig_log(r, CP_OP_ITEM, s->other, s->item2);
  rig_log(r, CP_OP_NEED, s->combinator, 2);
  rig_log(r, CP_OP_SLACK, s->combinator, 1);
  rig_then(r, s->parent, s->b);
  rig_now(r, s->first);
  rig_job(r, s->second, 4);
  rig_now(r, s->third);
  rig_settle(r, s->freed);
  rig_flush(r);
}

/* `*place` as `value` must be found; the old value makes all well again. */
static void spoil(scene *s, int32_t *place, int32_t value, const char *fault) {
  int32_t kept = *place;
  *place = value;
  CHECK_TEXT(cp_check(s->r->engine), fault);
  *place = kept;
  CHECK_TEXT(cp_check(s->r->engine), NULL);
}

/* As spoil, for the flags of `slot`: some are set, others cleared. */
static void spoil_flags(scene *s, int32_t slot, int set, int clear,
                        const char *fault) {
  uint32_t *flags = &s->slots->at[slot].flags;
  uint32_t kept = *flags;
  *flags = (kept | (uint32_t) set) & ~(uint32_t) clear;
  CHECK_TEXT(cp_check(s->r->engine), fault);
  *flags = kept;
  CHECK_TEXT(cp_check(s->r->engine), NULL);
}

static void faults_in_lists(void) {
  scene s;
  cp__slot *at;
  int32_t beyond;
  scene_init(&s);
  at = s.slots->at;
  beyond = s.slots->pages << CP_PAGE_BITS;
  spoil(&s, &at[s.parent].first, 0, "an empty list has a last reaction");
  spoil(&s, &at[s.parent].first, beyond, "a list leaves the pages");
  spoil(&s, &at[s.parent].first, INT32_MAX, "a list leaves the pages");
  spoil(&s, &at[s.a].next, 5, "a list leaves the pages");
  spoil(&s, &at[s.b].next, s.a, "a list runs in a circle");
  spoil(&s, &at[s.b].next, ~s.other, "a list ends at another promise");
  spoil(&s, &at[s.b].next, 0, "a list ends at another promise");
  spoil(&s, &at[s.parent].last, s.a, "a list ends before its last reaction");
  spoil(&s, &at[s.a].next, s.b, "a linked slot stands in no list");
  spoil(&s, &at[s.a].next, s.freed, "a free slot stands in a list");
  spoil(&s, &at[s.a].next, s.idle, "a listed slot is not marked linked");
  spoil(&s, &at[s.a].next, s.combinator, "a listed slot is not marked linked");
  spoil(&s, &at[s.a].next, s.c, "a list ends at another promise");
  spoil(&s, &at[s.a].next, s.third, "a list ends at another promise");
  spoil(&s, &at[s.item].prev, s.b, "an item points back at the wrong slot");
  spoil(&s, &at[s.item2].prev, ~s.other,
        "an item points back at the wrong slot");
  spoil_flags(&s, s.a, 0, CP__LINKED, "a listed slot is not marked linked");
  spoil_flags(&s, s.a, CP__JOB, 0, "a job stands in a reaction list");
  spoil_flags(&s, s.parent, 0, CP__HAS_ITEMS, "a list hides an item");
  spoil_flags(&s, s.item, 0, CP__LINKED, "a listed slot is not marked linked");
  spoil_flags(&s, s.idle, CP__LINKED, 0, "a linked slot stands in no list");
  spoil_flags(&s, s.a, CP__COMBINATOR, 0, "a combinator stands in a list");
  rig_free(s.r);
}

static void faults_in_roles(void) {
  scene s;
  scene_init(&s);
  spoil_flags(&s, s.freed, CP__ITEM, 0, "a free slot has a role");
  spoil_flags(&s, s.freed, CP__LINKED, 0, "a free slot has a role");
  spoil_flags(&s, s.freed, 0, CP__FREE, "a page miscounts its live slots");
  spoil_flags(&s, s.idle, CP__JOB, 0, "a job is not ready");
  spoil_flags(&s, s.idle, CP__DEAD, 0,
              "a dropped promise should have been given back");
  spoil_flags(&s, s.owner, CP__LINKED, 0,
              "a promise waits for a combinator and stands in a list");
  spoil_flags(&s, s.idle, CP__COMBINED, 0, "a promise waits for no combinator");
  rig_free(s.r);
}

static void faults_in_pages(void) {
  scene s;
  int32_t page;
  scene_init(&s);
  page = s.idle >> CP_PAGE_BITS;
  s.slots->live[page]--;
  CHECK_TEXT(cp_check(s.r->engine), "a page miscounts its live slots");
  s.slots->live[page]++;
  CHECK_TEXT(cp_check(s.r->engine), NULL);
  CHECK_EQ(s.slots->closed_count, 2);
  spoil(&s, &s.slots->closed_count, 1, "a closed page is mislaid");
  spoil(&s, &s.slots->closed[0], page, "an open page waits for reuse");
  spoil(&s, &s.slots->closed[0], 0, "an open page waits for reuse");
  spoil(&s, &s.slots->closed[0], s.slots->pages,
        "an open page waits for reuse");
  spoil(&s, &s.slots->closed[0], s.slots->closed[1],
        "a closed page waits twice");
  rig_free(s.r);
}

static void faults_in_the_ready_queue(void) {
  scene s;
  cp__slot *at;
  int32_t beyond;
  scene_init(&s);
  at = s.slots->at;
  beyond = s.slots->pages << CP_PAGE_BITS;
  spoil(&s, &s.ready->head, 0, "a linked slot stands in no list");
  spoil(&s, &s.ready->head, s.second, "a linked slot stands in no list");
  spoil(&s, &s.ready->tail, s.second, "the ready queue ends before its tail");
  spoil(&s, &at[s.first].next, s.third, "a linked slot stands in no list");
  spoil(&s, &at[s.first].next, beyond, "the ready queue leaves the pages");
  spoil(&s, &at[s.first].next, 1, "the ready queue leaves the pages");
  spoil(&s, &at[s.third].next, ~s.parent, "the ready queue leaves the pages");
  spoil(&s, &at[s.third].next, s.first, "the ready queue runs in a circle");
  spoil(&s, &at[s.third].next, s.idle, "a ready slot is not marked linked");
  spoil(&s, &at[s.second].next, 0, "the ready queue ends before its tail");
  spoil(&s, &at[s.third].next, s.freed, "a free slot is ready");
  spoil(&s, &at[s.third].next, s.item, "what is no promise is ready");
  spoil_flags(&s, s.first, 0, CP__LINKED, "a ready slot is not marked linked");
  rig_free(s.r);
}

static void faults_in_combinators(void) {
  scene s;
  cp__slot *at;
  cp__extra *extra;
  int32_t beyond;
  scene_init(&s);
  at = s.slots->at;
  extra = s.slots->extra;
  beyond = s.slots->pages << CP_PAGE_BITS;
  spoil(&s, &extra[s.combinator].arg, s.idle,
        "a combinator and its owner disagree");
  spoil(&s, &extra[s.combinator].arg, beyond,
        "a combinator and its owner disagree");
  spoil(&s, &extra[s.combinator].arg, 0, "a combinator and its owner disagree");
  spoil(&s, &extra[s.owner].waits_for, s.idle,
        "a combinator and its owner disagree");
  spoil_flags(&s, s.owner, 0, CP__COMBINED,
              "a combinator and its owner disagree");
  spoil(&s, &at[s.combinator].need, 0, "a complete combinator has not fired");
  spoil(&s, &at[s.combinator].slack, 0, "a complete combinator has not fired");
  spoil(&s, &at[s.combinator].items, beyond,
        "a chain of items leaves the pages");
  spoil(&s, &at[s.combinator].items, -1, "a chain of items leaves the pages");
  spoil(&s, &at[s.combinator].items, s.idle,
        "a chain holds a slot that is no item");
  spoil(&s, &at[s.combinator].items, s.freed, "a chain holds a free slot");
  spoil(&s, &at[s.combinator].items, s.item,
        "a chain of items points back at the wrong one");
  spoil(&s, &extra[s.item].back, 0,
        "a chain of items points back at the wrong one");
  spoil_flags(&s, s.item, 0, CP__LINKED, "a listed slot is not marked linked");
  spoil(&s, &extra[s.item2].chain, 0, "an item belongs to no combinator");
  spoil(&s, &at[s.item].combinator, s.owner,
        "an item belongs to another combinator");
  rig_free(s.r);
}

static void faults_in_carriers(void) {
  scene s;
  int32_t carrier;
  scene_init(&s);
  spoil_flags(&s, s.idle, CP__CARRIER, 0, "an item belongs to no combinator");
  carrier = rig_slot(s.r);
  rig_log(s.r, CP_OP_COUNT, carrier, 1);
  rig_flush(s.r);
  spoil_flags(&s, carrier, 0, CP__CARRIER,
              "a chain holds a slot that is no item");
  spoil(&s, &s.slots->extra[carrier].combinator, s.owner,
        "an item belongs to another combinator");
  spoil(&s, &s.slots->extra[carrier].chain, 0,
        "an item belongs to no combinator");
  rig_free(s.r);
}

static void faults_in_deadlines(void) {
  scene s;
  cp__timers *timers;
  cp__timer kept;
  int32_t i;
  int32_t timed[6];
  scene_init(&s);
  rig_slots(s.r, timed, 6);
  for (i = 0; i < 6; i++) rig_deadline(s.r, timed[i], i >> 1, i & 1);
  rig_flush(s.r);
  timers = &s.slots->timers;
  spoil(&s, &timers->at[3].slot, s.slots->pages << CP_PAGE_BITS,
        "a deadline leaves the pages");
  spoil(&s, &timers->at[3].slot, s.idle,
        "a deadline of a promise that has none");
  spoil(&s, &timers->at[3].slot, timed[4],
        "a promise mistakes the place of its deadline");
  spoil(&s, &s.slots->extra[timed[3]].position, 2,
        "a promise mistakes the place of its deadline");
  spoil_flags(&s, timed[3], 0, CP__TIMED,
              "a deadline of a promise that has none");
  spoil_flags(&s, s.idle, CP__TIMED, 0, "a deadline is lost");
  spoil(&s, &timers->at[3].ref, 0, "the deadlines to wait for are miscounted");
  spoil(&s, &timers->refs, 2, "the deadlines to wait for are miscounted");
  spoil(&s, &timers->capacity, 5, "there are too many deadlines");
  kept = timers->at[5];
  timers->at[5].deadline = 0;
  timers->at[5].order = 0;
  CHECK_TEXT(cp_check(s.r->engine), "a deadline is behind a later one");
  timers->at[5] = kept;
  CHECK_TEXT(cp_check(s.r->engine), NULL);
  rig_free(s.r);
}

static void a_deadline_of_a_carrier(void) {
  scene s;
  int32_t timed, carrier;
  scene_init(&s);
  timed = rig_slot(s.r);
  carrier = rig_slot(s.r);
  rig_deadline(s.r, timed, 1, 1);
  rig_log(s.r, CP_OP_COUNT, carrier, 1);
  rig_flush(s.r);
  s.slots->at[carrier].flags |= CP__TIMED;
  s.slots->timers.at[0].slot = carrier;
  CHECK_TEXT(cp_check(s.r->engine),
             "a deadline of a slot that cannot have one");
  s.slots->timers.at[0].slot = timed;
  s.slots->at[carrier].flags &= ~(uint32_t) CP__TIMED;
  rig_free(s.r);
}

static void a_deadline_in_a_list(void) {
  scene s;
  scene_init(&s);
  rig_deadline(s.r, s.idle, 1, 1);
  rig_flush(s.r);
  /* As if it were ready: then no list holds it either. */
  spoil_flags(&s, s.idle, CP__LINKED, 0,
              "a promise that stands in a list has a deadline");
  rig_free(s.r);
}

/* Rejections count as fulfilments: slack is not looked at. */
static void a_shared_count_needs_no_slack(void) {
  scene s;
  cp__slot *k;
  scene_init(&s);
  k = &s.slots->at[s.combinator];
  k->flags |= CP__SHARED;
  k->slack = 0;
  CHECK_TEXT(cp_check(s.r->engine), NULL);
  spoil(&s, &k->need, 0, "a complete combinator has not fired");
  rig_free(s.r);
}

void checker_suite(void) {
  RUN(faults_in_lists);
  RUN(faults_in_roles);
  RUN(faults_in_pages);
  RUN(faults_in_the_ready_queue);
  RUN(faults_in_combinators);
  RUN(faults_in_carriers);
  RUN(faults_in_deadlines);
  RUN(a_deadline_of_a_carrier);
  RUN(a_deadline_in_a_list);
  RUN(a_shared_count_needs_no_slack);
}

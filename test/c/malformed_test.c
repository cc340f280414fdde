/* Commands that make no sense: each is passed over alone. */
#include <string.h>

#include "rig.h"
#include "suites.h"

/* Slots of every kind, named by what is wrong with using them. */
typedef struct cast {
  rig *r;
  int32_t fresh;      /* handed out, unused */
  int32_t idle;       /* has a reaction, stands in no list */
  int32_t waiting;    /* stands in the list of `idle` */
  int32_t ready;      /* stands in the ready queue */
  int32_t job;        /* as well, as a job */
  int32_t owner;      /* waits for `combinator` */
  int32_t combinator; /* armed, of one item */
  int32_t unarmed;    /* has items, no NEED, no SLACK */
  int32_t item;
  int32_t input;   /* what `item` waits for */
  int32_t dropped; /* stands in the list of `idle` */
  int32_t freed;
} cast;

static void cast_init(cast *c) {
  rig *r = c->r = rig_new();
  int32_t unarmed_owner;
  /* Slots that have been used and may be used again. */
  c->fresh = rig_slot(r);
  c->idle = rig_slot(r);
  c->waiting = rig_slot(r);
  c->ready = rig_slot(r);
  c->job = rig_slot(r);
  c->owner = rig_slot(r);
  c->input = rig_slot(r);
  c->dropped = rig_slot(r);
  c->freed = rig_slot(r);
  c->unarmed = rig_slot(r);
  unarmed_owner = rig_slot(r);
  rig_then(r, c->idle, c->waiting);
  rig_then(r, c->idle, c->dropped);
  rig_drop(r, c->dropped);
  rig_settle(r, c->freed);
  rig_log(r, CP_OP_COMBINE, c->unarmed, unarmed_owner);
  c->combinator = rig_combine(r, c->owner, NULL, 0, 1, 1);
  c->item = rig_slot(r);
  rig_log(r, CP_OP_ITEM, c->input, c->item);
  rig_now(r, c->ready);
  rig_job(r, c->job, 5);
  rig_flush(r);
}

/* Logs the words of one bad command between two good ones. The good ones are
 * applied, nothing else changes. */
static void check_words(cast *c, int32_t first, int32_t second) {
  rig *r = c->r;
  int32_t before, after;
  int32_t *command;
  cp_stats old, now;
  before = rig_slot(r);
  after = rig_slot(r);
  cp_get_stats(r->engine, &old);
  rig_now(r, before);
  command = r->commands + (ptrdiff_t) 2 * r->header[CP_HEADER_COMMANDS]++;
  command[0] = first;
  command[1] = second;
  rig_now(r, after);
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  CHECK_EQ(r->header[CP_HEADER_COMMANDS], 0);
  CHECK_TEXT(cp_check(r->engine), NULL);
  CHECK_EQ(r->header[CP_HEADER_READY], 5);
  CHECK_EQ(r->window[0], c->ready);
  CHECK_EQ(r->window[1], -c->job);
  CHECK_EQ(r->window[2], 5);
  CHECK_EQ(r->window[3], before);
  CHECK_EQ(r->window[4], after);
  cp_get_stats(r->engine, &now);
  CHECK_EQ(now.slots, old.slots);
  CHECK_EQ(now.pages, old.pages);
  CHECK_EQ(now.bytes, old.bytes);
}

static int32_t word(int op, int32_t slot) {
  return slot * (1 << CP_OP_BITS) + op;
}

/* Plays the story to its end: nothing that came before was disturbed. */
static void finish(cast *c) {
  rig *r = c->r;
  rig_settle(r, c->input);
  rig_settle(r, c->idle);
  CHECK_SHOWS(r, -c->owner, 0, c->waiting);
  rig_settle(r, c->fresh);
  rig_settle(r, c->waiting);
  rig_settle(r, c->owner);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void check_bad(int op, int32_t slot_offset, int32_t slot,
                      int32_t arg_offset, int32_t arg) {
  cast c;
  const char *base = (const char *) &c;
  int32_t first = slot;
  int32_t second = arg;
  cast_init(&c);
  if (slot_offset > 0) memcpy(&first, base + slot_offset, sizeof first);
  if (arg_offset > 0) memcpy(&second, base + arg_offset, sizeof second);
  check_words(&c, word(op, first), second);
  finish(&c);
}

#define AT(field) ((int32_t) offsetof(cast, field))

/* A slot that is not there, in either place of `op`; `good` is a slot that is
 * right in the other place (by offset in the cast). */
static void check_absent(int op, int32_t good_slot, int32_t good_arg,
                         int arg_is_slot) {
  static const int32_t absent[] = {
      0,
      1,
      CP_PAGE_SLOTS - 1,       /* page 0 */
      2 * CP_PAGE_SLOTS,       /* not opened */
      (1 << CP_SLOT_BITS) - 1, /* the last there can be */
      -1,
      -CP_PAGE_SLOTS,
      -(1 << CP_SLOT_BITS),
  };
  size_t i;
  for (i = 0; i < sizeof absent / sizeof *absent; i++) {
    check_bad(op, 0, absent[i], good_arg, 1);
    if (arg_is_slot) check_bad(op, good_slot, 0, 0, absent[i]);
  }
  if (arg_is_slot) {
    check_bad(op, good_slot, 0, 0, INT32_MAX);
    check_bad(op, good_slot, 0, 0, INT32_MIN);
    check_bad(op, good_slot, 0, 0, 1 << CP_SLOT_BITS);
  }
}

static void slots_that_are_not_there(void) {
  check_absent(CP_OP_THEN, AT(idle), AT(fresh), 1);
  check_absent(CP_OP_NOW, AT(fresh), 0, 0);
  check_absent(CP_OP_JOB, AT(fresh), 0, 0);
  check_absent(CP_OP_SETTLE, AT(idle), 0, 0);
  check_absent(CP_OP_MERGE, AT(idle), AT(fresh), 1);
  check_absent(CP_OP_COMBINE, AT(fresh), AT(idle), 1);
  check_absent(CP_OP_USE, AT(combinator), 0, 0);
  check_absent(CP_OP_ITEM, AT(idle), AT(fresh), 1);
  check_absent(CP_OP_NEED, AT(unarmed), 0, 0);
  check_absent(CP_OP_SLACK, AT(unarmed), 0, 0);
  check_absent(CP_OP_FIRE, AT(combinator), 0, 0);
  check_absent(CP_OP_DROP, AT(fresh), 0, 0);
  check_absent(CP_OP_COUNT, AT(fresh), 0, 0);
}

/* `op` with each slot of the wrong kind in the first place. */
static void check_slots(int op, int32_t good_arg, const int32_t *offsets,
                        int count) {
  int i;
  for (i = 0; i < count; i++) check_bad(op, offsets[i], 0, good_arg, 1);
}

static void check_args(int op, int32_t good_slot, const int32_t *offsets,
                       int count) {
  int i;
  for (i = 0; i < count; i++) check_bad(op, good_slot, 0, offsets[i], 0);
}

#define COUNT(array) ((int) (sizeof(array) / sizeof *(array)))

/* These slots are no promises, or none that anybody may use. */
static const int32_t no_promise[] = {AT(combinator), AT(unarmed), AT(item),
                                     AT(dropped), AT(freed)};

/* As well as these: promises that stand in a list. */
static const int32_t no_loose_promise[] = {
    AT(combinator), AT(unarmed), AT(item),  AT(dropped),
    AT(freed),      AT(waiting), AT(ready), AT(job)};

/* And one that waits for a combinator. */
static const int32_t no_idle_promise[] = {
    AT(combinator), AT(unarmed), AT(item), AT(dropped), AT(freed),
    AT(waiting),    AT(ready),   AT(job),  AT(owner)};

static const int32_t no_fresh_slot[] = {
    AT(combinator), AT(unarmed), AT(item),  AT(dropped), AT(freed), AT(waiting),
    AT(ready),      AT(job),     AT(owner), AT(idle),    AT(input)};

static const int32_t no_combinator[] = {
    AT(fresh), AT(idle), AT(waiting), AT(ready),   AT(job),
    AT(owner), AT(item), AT(input),   AT(dropped), AT(freed)};

static void slots_in_the_wrong_role(void) {
  check_slots(CP_OP_THEN, AT(fresh), no_promise, COUNT(no_promise));
  check_args(CP_OP_THEN, AT(idle), no_idle_promise, COUNT(no_idle_promise));
  check_slots(CP_OP_NOW, 0, no_idle_promise, COUNT(no_idle_promise));
  check_slots(CP_OP_JOB, 0, no_idle_promise, COUNT(no_idle_promise));
  check_slots(CP_OP_SETTLE, 0, no_loose_promise, COUNT(no_loose_promise));
  check_slots(CP_OP_MERGE, AT(fresh), no_idle_promise, COUNT(no_idle_promise));
  check_args(CP_OP_MERGE, AT(idle), no_promise, COUNT(no_promise));
  check_slots(CP_OP_COMBINE, AT(idle), no_fresh_slot, COUNT(no_fresh_slot));
  check_args(CP_OP_COMBINE, AT(fresh), no_idle_promise, COUNT(no_idle_promise));
  check_slots(CP_OP_USE, 0, no_combinator, COUNT(no_combinator));
  check_slots(CP_OP_ITEM, AT(fresh), no_promise, COUNT(no_promise));
  check_args(CP_OP_ITEM, AT(idle), no_fresh_slot, COUNT(no_fresh_slot));
  check_slots(CP_OP_NEED, 0, no_combinator, COUNT(no_combinator));
  check_slots(CP_OP_SLACK, 0, no_combinator, COUNT(no_combinator));
  check_slots(CP_OP_FIRE, 0, no_combinator, COUNT(no_combinator));
  check_slots(CP_OP_DROP, 0, no_promise, COUNT(no_promise));
  check_slots(CP_OP_COUNT, 0, no_fresh_slot, COUNT(no_fresh_slot));
}

static void a_promise_with_itself(void) {
  check_bad(CP_OP_THEN, AT(fresh), 0, AT(fresh), 0);
  check_bad(CP_OP_THEN, AT(idle), 0, AT(idle), 0);
  check_bad(CP_OP_MERGE, AT(idle), 0, AT(idle), 0);
  check_bad(CP_OP_COMBINE, AT(fresh), 0, AT(fresh), 0);
  check_bad(CP_OP_ITEM, AT(fresh), 0, AT(fresh), 0);
}

static void outcomes_that_do_not_exist(void) {
  static const int32_t outcomes[] = {0, 3, -1, INT32_MAX, INT32_MIN};
  int i;
  for (i = 0; i < COUNT(outcomes); i++) {
    check_bad(CP_OP_SETTLE, AT(idle), 0, 0, outcomes[i]);
  }
}

static void counts_out_of_range(void) {
  static const int32_t counts[] = {-1, (1 << CP_SLOT_BITS) + 1, INT32_MAX,
                                   INT32_MIN};
  int i;
  for (i = 0; i < COUNT(counts); i++) {
    check_bad(CP_OP_NEED, AT(unarmed), 0, 0, counts[i]);
    check_bad(CP_OP_SLACK, AT(unarmed), 0, 0, counts[i]);
    check_bad(CP_OP_USE, AT(unarmed), 0, 0, counts[i]);
  }
}

/* Of several slots to count one is not fresh, or in another page: none is. */
static void slots_to_count_that_are_not_all_fresh(void) {
  static const int32_t numbers[] = {
      0, -1, 2, CP_PAGE_SLOTS, INT32_MAX, INT32_MIN, CP_PAGE_SLOTS + 1};
  int i;
  for (i = 0; i < COUNT(numbers); i++) {
    check_bad(CP_OP_COUNT, AT(fresh), 0, 0, numbers[i]);
  }
  check_bad(CP_OP_COUNT, 0, 2 * CP_PAGE_SLOTS - 1, 0, 2);
  check_bad(CP_OP_COUNT, 0, 2 * CP_PAGE_SLOTS - 5, 0, CP_PAGE_SLOTS);
}

static void arming_twice(void) {
  check_bad(CP_OP_SLACK, AT(combinator), 0, 0, 1);
  check_bad(CP_OP_SLACK, AT(combinator), 0, 0, 0);
  check_bad(CP_OP_NEED, AT(combinator), 0, 0, 1);
}

static void places_of_what_has_none(void) {
  check_bad(CP_OP_YIELD, AT(fresh), 0, AT(idle), 0);
  check_bad(CP_OP_DONE, AT(fresh), 0, AT(idle), 0);
}

static void items_without_a_combinator_in_use(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_log(r, CP_OP_ITEM, s[0], s[1]);
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  rig_log(r, CP_OP_COMBINE, s[2], s[3]);
  rig_log(r, CP_OP_FIRE, s[2], 0);
  rig_log(r, CP_OP_ITEM, s[0], s[1]);
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  CHECK_EQ(r->header[CP_HEADER_READY], 2);
  rig_log(r, CP_OP_COUNT, s[0], 1);
  CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
  CHECK_TEXT(cp_check(r->engine), NULL);
  rig_free(r);
}

static void commands_before_any_page(void) {
  int op;
  rig *r = rig_new();
  for (op = 0; op < 1 << CP_OP_BITS; op++) {
    rig_log(r, op, CP_PAGE_SLOTS, CP_PAGE_SLOTS + 1);
    CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
    CHECK_EQ(r->header[CP_HEADER_READY], 0);
    CHECK_TEXT(cp_check(r->engine), NULL);
  }
  rig_free(r);
}

/* No command is applied; what is ready is shown all the same. */
static void a_count_of_commands_out_of_range(void) {
  static const int32_t counts[] = {-1, CP_COMMANDS + 1, INT32_MAX, INT32_MIN};
  int i;
  for (i = 0; i < COUNT(counts); i++) {
    rig *r = rig_new();
    int32_t s[2];
    rig_slots(r, s, 2);
    rig_now(r, s[0]);
    rig_flush(r);
    rig_now(r, s[1]);
    r->header[CP_HEADER_COMMANDS] = counts[i];
    CHECK_EQ(cp_flush(r->engine), CP_EINVAL);
    CHECK_EQ(cp_turn(r->engine), CP_EINVAL);
    CHECK_EQ(r->header[CP_HEADER_READY], 1);
    CHECK_EQ(r->window[0], s[0]);
    r->header[CP_HEADER_COMMANDS] = 1;
    CHECK_SHOWS(r, s[1]);
    rig_free(r);
  }
}

static void flush_reports_as_turn_does(void) {
  rig *r = rig_new();
  int32_t s = rig_slot(r);
  rig_log(r, CP_OP_NOW, 0, 0);
  rig_now(r, s);
  CHECK_EQ(cp_flush(r->engine), CP_EINVAL);
  CHECK_SHOWS(r, s);
  rig_free(r);
}

void malformed_suite(void) {
  RUN(slots_that_are_not_there);
  RUN(slots_in_the_wrong_role);
  RUN(a_promise_with_itself);
  RUN(outcomes_that_do_not_exist);
  RUN(counts_out_of_range);
  RUN(slots_to_count_that_are_not_all_fresh);
  RUN(arming_twice);
  RUN(places_of_what_has_none);
  RUN(items_without_a_combinator_in_use);
  RUN(commands_before_any_page);
  RUN(a_count_of_commands_out_of_range);
  RUN(flush_reports_as_turn_does);
}

/* COMBINE, USE, ITEM, NEED, SLACK, FIRE: counting, and leaving lists. */
#include <string.h>

#include "rig.h"
#include "suites.h"

enum { NEVER = -2, INPUTS = 4 };

/* One combinator over some of INPUTS promises. `inputs` names them ("012",
 * or "00" for the same twice); `script` settles them one after another: "0"
 * fulfils promise 0, "-0" rejects it. The owner becomes ready with `index`
 * when the last step of the script has been taken, and not before; with `early`
 * when all of it has been taken before NEED and SLACK. */
typedef struct scenario {
  const char *what;
  const char *inputs;
  int32_t need;
  int32_t slack;
  const char *script;
  int32_t index;
  int32_t early;
} scenario;

static const scenario scenarios[] = {
    {"all: the last one completes it", "012", 3, 1, "012", 2, 0},
    {"all: in another order", "012", 3, 1, "210", 0, 2},
    {"all: one is enough to reject", "012", 3, 1, "0-2", 2, 2},
    {"all: the first rejects", "012", 3, 1, "-1", 1, 1},
    {"all of one", "3", 1, 1, "3", 0, 0},
    {"all of nothing", "", 0, 1, "", -1, -1},
    {"all: pending as long as one is", "012", 3, 1, "02", NEVER, NEVER},
    {"all: the same promise three times", "000", 3, 1, "0", 2, 0},
    {"all: the same twice and another", "010", 3, 1, "10", 2, 1},
    {"all: the same twice, rejected", "101", 3, 1, "0-1", 0, 0},
    {"allSettled: rejections count", "012", 3, 0, "0-1-2", 2, 0},
    {"allSettled: all rejected", "012", 3, 0, "-2-0-1", 1, -1},
    {"allSettled of nothing", "", 0, 0, "", -1, -1},
    {"allSettled: pending as long as one is", "012", 3, 0, "-10", NEVER, NEVER},
    {"allSettled: the same twice", "00", 2, 0, "-0", 1, -1},
    {"any: the first fulfilled", "012", 1, 3, "-0-21", 1, 1},
    {"any: at once", "012", 1, 3, "2", 2, 2},
    {"any: all rejected", "012", 1, 3, "-0-2-1", 1, 0},
    {"any of nothing", "", 0, 0, "", -1, -1},
    {"any: pending after rejections", "012", 1, 3, "-0-2", NEVER, NEVER},
    {"race: fulfilled", "012", 1, 1, "1", 1, 1},
    {"race: rejected", "012", 1, 1, "-2", 2, 2},
    {"race: the same twice", "11", 1, 1, "1", 0, 0},
    {"race of nothing", "", 1, 1, "", NEVER, NEVER},
    {"some(2) of 4", "0123", 2, 3, "-03-12", 2, 3},
    {"some(2) of 4: too many rejected", "0123", 2, 3, "-0-13-2", 2, 0},
    {"some(2) of 4: pending", "0123", 2, 3, "-0-13", NEVER, NEVER},
    {"some(0)", "0123", 0, 5, "", -1, -1},
    {"some(4) of 4", "0123", 4, 1, "3210", 0, 3},
};

static int32_t step(rig *r, const int32_t *promises, const char **script) {
  int rejected = **script == '-';
  int32_t promise;
  if (rejected) ++*script;
  promise = promises[*(*script)++ - '0'];
  if (rejected) {
    rig_reject(r, promise);
  } else {
    rig_settle(r, promise);
  }
  return promise;
}

static int choose(const scenario *s, const int32_t *promises, int32_t *inputs) {
  int count = 0;
  for (; s->inputs[count] != '\0'; count++) {
    inputs[count] = promises[s->inputs[count] - '0'];
  }
  return count;
}

/* Items of inputs that the script does not settle. */
static int items_left(const scenario *s, int count) {
  int i, left = 0;
  for (i = 0; i < count; i++) {
    if (strchr(s->script, s->inputs[i]) == NULL) left++;
  }
  return left;
}

/* Each input has a reaction before and one after its items, which must run
 * whatever becomes of the combinator. */
static int32_t surround(rig *r, const int32_t *promises) {
  int32_t i;
  for (i = 0; i < INPUTS; i++) rig_then(r, promises[i], rig_slot(r));
  return INPUTS;
}

/* The number of jobs in the window; the last one's operand in *index. */
static int jobs_shown(rig *r, int32_t owner, int32_t *index) {
  int32_t ready = rig_turn(r);
  int32_t i;
  int jobs = 0;
  for (i = 0; i < ready; i++) {
    if (r->window[i] > 0) continue;
    CHECK_EQ(r->window[i], -owner);
    *index = r->window[++i];
    jobs++;
  }
  return jobs;
}

static void play(const scenario *s) {
  rig *r = rig_new();
  int32_t promises[INPUTS], inputs[INPUTS], owner, index = NEVER;
  const char *script = s->script;
  int count, jobs;
  int32_t live = INPUTS + 1;
  check_note(s->what);
  rig_slots(r, promises, INPUTS);
  owner = rig_slot(r);
  count = choose(s, promises, inputs);
  live += surround(r, promises);
  rig_combine(r, owner, inputs, count, s->need, s->slack);
  live += surround(r, promises);
  jobs = jobs_shown(r, owner, &index);
  while (*script != '\0') {
    CHECK_EQ(jobs, 0);
    step(r, promises, &script);
    live--; /* its items have been given back with it */
    jobs = jobs_shown(r, owner, &index);
  }
  CHECK_EQ(index, s->index);
  CHECK_EQ(jobs, s->index != NEVER);
  if (jobs > 0) {
    CHECK_EQ(rig_live(r), live); /* combinator and items are given back */
    rig_settle(r, owner);
  } else {
    CHECK_EQ(rig_live(r), live + 1 + items_left(s, count));
    rig_drop(r, owner);
  }
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), live - 1);
  rig_free(r);
}

static void scenarios_come_out_right(void) {
  size_t i;
  for (i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    play(&scenarios[i]);
  }
}

/* As above, but the inputs settle between the items and NEED and SLACK. */
static void play_before_armed(const scenario *s) {
  rig *r = rig_new();
  int32_t promises[INPUTS], inputs[INPUTS], owner, combinator;
  const char *script = s->script;
  int i, count;
  check_note(s->what);
  rig_slots(r, promises, INPUTS);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  count = choose(s, promises, inputs);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  for (i = 0; i < count; i++) {
    rig_log(r, CP_OP_ITEM, inputs[i], rig_slot(r));
  }
  while (*script != '\0') step(r, promises, &script);
  CHECK_SHOWS_NOTHING(r);
  rig_log(r, CP_OP_NEED, combinator, s->need);
  CHECK_SHOWS_NOTHING(r);
  rig_log(r, CP_OP_SLACK, combinator, s->slack);
  if (s->early == NEVER) {
    CHECK_SHOWS_NOTHING(r);
  } else {
    CHECK_SHOWS(r, -owner, s->early);
  }
  rig_free(r);
}

static void complete_before_armed(void) {
  size_t i;
  for (i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    play_before_armed(&scenarios[i]);
  }
}

static void what_was_counted_before_armed_is_not_forgotten(void) {
  rig *r = rig_new();
  int32_t promises[3], owner, combinator;
  int i;
  rig_slots(r, promises, 3);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  for (i = 0; i < 3; i++) {
    rig_log(r, CP_OP_ITEM, promises[i], rig_slot(r));
  }
  rig_settle(r, promises[1]);
  rig_reject(r, promises[0]);
  rig_log(r, CP_OP_NEED, combinator, 3);
  rig_log(r, CP_OP_SLACK, combinator, 0);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, promises[2]);
  CHECK_SHOWS(r, -owner, 2);
  rig_free(r);
}

static void all_with_a_rejection_before_armed(void) {
  rig *r = rig_new();
  int32_t promises[2], owner, combinator;
  rig_slots(r, promises, 2);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_ITEM, promises[0], rig_slot(r));
  rig_log(r, CP_OP_ITEM, promises[1], rig_slot(r));
  rig_reject(r, promises[1]);
  rig_log(r, CP_OP_NEED, combinator, 2);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  CHECK_SHOWS(r, -owner, 1);
  rig_free(r);
}

static void complete_between_need_and_slack(void) {
  rig *r = rig_new();
  int32_t promises[2], owner, combinator;
  rig_slots(r, promises, 2);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_ITEM, promises[0], rig_slot(r));
  rig_log(r, CP_OP_ITEM, promises[1], rig_slot(r));
  rig_log(r, CP_OP_NEED, combinator, 2);
  rig_settle(r, promises[1]);
  rig_settle(r, promises[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  CHECK_SHOWS(r, -owner, 1);
  rig_free(r);
}

static void need_before_items(void) {
  rig *r = rig_new();
  int32_t promises[2], owner, combinator;
  rig_slots(r, promises, 2);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_NEED, combinator, 2);
  rig_log(r, CP_OP_SLACK, combinator, 1);
  rig_log(r, CP_OP_ITEM, promises[0], rig_slot(r));
  rig_log(r, CP_OP_ITEM, promises[1], rig_slot(r));
  rig_settle(r, promises[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, promises[1]);
  CHECK_SHOWS(r, -owner, 1);
  rig_free(r);
}

static void fire_shows_its_operand(void) {
  static const int32_t operands[] = {0, 1, -1, INT32_MAX, INT32_MIN};
  int i, armed;
  for (armed = 0; armed <= 1; armed++) {
    for (i = 0; i < 5; i++) {
      rig *r = rig_new();
      int32_t input, owner, combinator;
      input = rig_slot(r);
      owner = rig_slot(r);
      combinator = rig_slot(r);
      rig_log(r, CP_OP_COMBINE, combinator, owner);
      rig_log(r, CP_OP_ITEM, input, rig_slot(r));
      if (armed) {
        rig_log(r, CP_OP_NEED, combinator, 1);
        rig_log(r, CP_OP_SLACK, combinator, 1);
      }
      rig_log(r, CP_OP_FIRE, combinator, operands[i]);
      CHECK_SHOWS(r, -owner, operands[i]);
      CHECK_EQ(rig_live(r), 2);
      rig_settle(r, input);
      CHECK_SHOWS_NOTHING(r);
      rig_free(r);
    }
  }
}

static void the_owner_stands_where_the_item_stood(void) {
  rig *r = rig_new();
  int32_t input, owner, before, after, other;
  input = rig_slot(r);
  owner = rig_slot(r);
  before = rig_slot(r);
  after = rig_slot(r);
  other = rig_slot(r);
  rig_then(r, input, before);
  rig_combine(r, owner, &input, 1, 1, 1);
  rig_then(r, input, after);
  rig_settle(r, input);
  rig_now(r, other);
  CHECK_SHOWS(r, before, -owner, 0, after, other);
  rig_free(r);
}

static void the_owner_settles_and_has_reactions(void) {
  rig *r = rig_new();
  int32_t input, owner, child;
  input = rig_slot(r);
  owner = rig_slot(r);
  child = rig_slot(r);
  rig_then(r, owner, child);
  rig_combine(r, owner, &input, 1, 1, 1);
  rig_settle(r, input);
  CHECK_SHOWS(r, -owner, 0);
  rig_settle(r, owner);
  CHECK_SHOWS(r, child);
  rig_settle(r, child);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void the_owner_may_combine_again(void) {
  rig *r = rig_new();
  int32_t inputs[2], owner;
  rig_slots(r, inputs, 2);
  owner = rig_slot(r);
  rig_combine(r, owner, &inputs[0], 1, 1, 1);
  rig_settle(r, inputs[0]);
  CHECK_SHOWS(r, -owner, 0);
  rig_combine(r, owner, &inputs[1], 1, 1, 1);
  rig_settle(r, inputs[1]);
  CHECK_SHOWS(r, -owner, 0);
  rig_free(r);
}

static void combinators_over_combinators(void) {
  rig *r = rig_new();
  int32_t leaves[4], inner[2], outer;
  rig_slots(r, leaves, 4);
  rig_slots(r, inner, 2);
  outer = rig_slot(r);
  rig_combine(r, inner[0], leaves, 2, 2, 1);
  rig_combine(r, inner[1], leaves + 2, 2, 1, 1);
  rig_combine(r, outer, inner, 2, 2, 1);
  rig_settle(r, leaves[3]);
  CHECK_SHOWS(r, -inner[1], 1);
  rig_settle(r, inner[1]);
  rig_settle(r, leaves[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, leaves[1]);
  CHECK_SHOWS(r, -inner[0], 1);
  rig_settle(r, inner[0]);
  CHECK_SHOWS(r, -outer, 0);
  rig_free(r);
}

/* Every list of four reactions and items: the items leave it when their
 * combinator fires elsewhere, the reactions stay in order. */
static void items_leave_the_list_from_any_place(void) {
  enum { LENGTH = 4, SHAPES = 1 << LENGTH };
  int shape; /* a bit per place: 1 = an item */
  for (shape = 0; shape < SHAPES; shape++) {
    rig *r = rig_new();
    int32_t promise, winner, owner, children[LENGTH], item;
    int i, left = 0;
    promise = rig_slot(r);
    winner = rig_slot(r);
    owner = rig_slot(r);
    rig_combine(r, owner, &winner, 1, 1, 1);
    for (i = 0; i < LENGTH; i++) {
      item = rig_slot(r);
      if (shape & (1 << i)) {
        rig_log(r, CP_OP_ITEM, promise, item);
      } else {
        children[left++] = item;
        rig_then(r, promise, item);
      }
    }
    rig_flush(r);
    rig_settle(r, winner);
    CHECK_SHOWS(r, -owner, 0);
    CHECK_EQ(rig_live(r), 2 + left);
    item = rig_slot(r);
    rig_then(r, promise, item);
    rig_settle(r, promise);
    CHECK_EQ(rig_turn(r), left + 1);
    for (i = 0; i < left; i++) CHECK_EQ(r->window[i], children[i]);
    CHECK_EQ(r->window[left], item);
    rig_free(r);
  }
}

/* The combinator fires while the very list its other items stand in is being
 * taken apart. */
static void items_leave_the_list_that_fires_them(void) {
  enum { LENGTH = 5, SHAPES = 1 << LENGTH };
  int shape;
  for (shape = 1; shape < SHAPES; shape++) {
    rig *r = rig_new();
    int32_t promise, owner, expected[LENGTH + 1];
    int i, count = 0, fired = 0;
    promise = rig_slot(r);
    owner = rig_slot(r);
    rig_combine(r, owner, NULL, 0, 1, 1);
    for (i = 0; i < LENGTH; i++) {
      int32_t slot = rig_slot(r);
      if (!(shape & (1 << i))) {
        rig_then(r, promise, slot);
        expected[count++] = slot;
        continue;
      }
      rig_log(r, CP_OP_ITEM, promise, slot);
      if (!fired) {
        expected[count++] = -owner;
        expected[count++] = 0;
        fired = 1;
      }
    }
    rig_settle(r, promise);
    CHECK_EQ(rig_turn(r), count);
    for (i = 0; i < count; i++) CHECK_EQ(r->window[i], expected[i]);
    CHECK_EQ(rig_live(r), count - 1);
    rig_free(r);
  }
}

static void several_combinators_on_one_promise(void) {
  rig *r = rig_new();
  int32_t shared, others[3], owners[3];
  int i;
  shared = rig_slot(r);
  rig_slots(r, others, 3);
  rig_slots(r, owners, 3);
  for (i = 0; i < 3; i++) {
    int32_t inputs[2];
    inputs[0] = shared;
    inputs[1] = others[i];
    rig_combine(r, owners[i], inputs, 2, 1, 1);
  }
  rig_settle(r, others[1]);
  CHECK_SHOWS(r, -owners[1], 1);
  rig_settle(r, shared);
  CHECK_SHOWS(r, -owners[0], 0, -owners[2], 0);
  CHECK_EQ(rig_live(r), 5);
  rig_free(r);
}

static void dropping_the_owner_dissolves_the_combinator(void) {
  rig *r = rig_new();
  int32_t inputs[2], owner, child;
  rig_slots(r, inputs, 2);
  owner = rig_slot(r);
  child = rig_slot(r);
  rig_combine(r, owner, inputs, 2, 2, 1);
  rig_then(r, owner, child);
  rig_settle(r, inputs[0]);
  CHECK_SHOWS_NOTHING(r);
  rig_drop(r, owner);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 2); /* the other input and the child */
  rig_settle(r, inputs[1]);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void dropping_a_fired_owner(void) {
  rig *r = rig_new();
  int32_t input, owner;
  input = rig_slot(r);
  owner = rig_slot(r);
  rig_combine(r, owner, &input, 1, 1, 1);
  rig_settle(r, input);
  rig_drop(r, owner);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void a_dropped_input_never_counts(void) {
  rig *r = rig_new();
  int32_t inputs[3], owner;
  rig_slots(r, inputs, 3);
  owner = rig_slot(r);
  rig_combine(r, owner, inputs, 3, 2, 2);
  rig_drop(r, inputs[1]);
  CHECK_SHOWS_NOTHING(r);
  /* Its item is given back with it. */
  CHECK_EQ(rig_live(r), 3 + 1 + 2);
  rig_settle(r, inputs[2]);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, inputs[0]);
  CHECK_SHOWS(r, -owner, 0);
  CHECK_EQ(rig_live(r), 1);
  rig_free(r);
}

static void all_inputs_dropped_then_the_owner(void) {
  rig *r = rig_new();
  int32_t inputs[3], owner;
  int i;
  rig_slots(r, inputs, 3);
  owner = rig_slot(r);
  rig_combine(r, owner, inputs, 3, 3, 1);
  for (i = 0; i < 3; i++) rig_drop(r, inputs[i]);
  CHECK_SHOWS_NOTHING(r);
  rig_drop(r, owner);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

/* The owner among its own inputs waits for itself. */
static void an_owner_that_is_an_input(void) {
  rig *r = rig_new();
  int32_t inputs[2];
  rig_slots(r, inputs, 2);
  rig_combine(r, inputs[0], inputs, 2, 1, 1);
  rig_settle(r, inputs[1]);
  CHECK_SHOWS(r, -inputs[0], 1);
  rig_combine(r, inputs[0], inputs, 1, 1, 1);
  rig_drop(r, inputs[0]);
  CHECK_SHOWS_NOTHING(r);
  CHECK_EQ(rig_live(r), 0);
  rig_free(r);
}

static void use_goes_on_with_another_combinator(void) {
  rig *r = rig_new();
  int32_t inputs[5], owners[2], combinators[2];
  rig_slots(r, inputs, 5);
  rig_slots(r, owners, 2);
  combinators[0] = rig_combine(r, owners[0], inputs, 1, 1, 9);
  combinators[1] = rig_combine(r, owners[1], inputs + 1, 1, 1, 9);
  rig_log(r, CP_OP_USE, combinators[0], 40);
  rig_log(r, CP_OP_ITEM, inputs[2], rig_slot(r));
  rig_log(r, CP_OP_ITEM, inputs[3], rig_slot(r));
  rig_log(r, CP_OP_USE, combinators[1], 7);
  rig_log(r, CP_OP_ITEM, inputs[4], rig_slot(r));
  rig_settle(r, inputs[4]);
  rig_settle(r, inputs[3]);
  CHECK_SHOWS(r, -owners[1], 7, -owners[0], 41);
  rig_free(r);
}

static void need_adds_up_after_the_first(void) {
  rig *r = rig_new();
  int32_t inputs[2], owner, combinator;
  rig_slots(r, inputs, 2);
  owner = rig_slot(r);
  combinator = rig_slot(r);
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  rig_log(r, CP_OP_ITEM, inputs[0], rig_slot(r));
  rig_log(r, CP_OP_NEED, combinator, 1);
  rig_settle(r, inputs[0]);
  rig_log(r, CP_OP_NEED, combinator, 1);
  rig_log(r, CP_OP_ITEM, inputs[1], rig_slot(r));
  rig_log(r, CP_OP_SLACK, combinator, 1);
  CHECK_SHOWS_NOTHING(r);
  rig_settle(r, inputs[1]);
  CHECK_SHOWS(r, -owner, 1);
  rig_free(r);
}

static void settling_the_owner_dissolves_the_combinator(void) {
  rig *r = rig_new();
  int32_t inputs[2], owner, child;
  rig_slots(r, inputs, 2);
  owner = rig_slot(r);
  child = rig_slot(r);
  rig_combine(r, owner, inputs, 2, 1, 1);
  rig_then(r, owner, child);
  rig_reject(r, owner);
  CHECK_SHOWS(r, child);
  CHECK_EQ(rig_live(r), 3);
  rig_settle(r, inputs[0]);
  rig_settle(r, inputs[1]);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

/* Its own item stands in the list that is about to become ready. */
static void settling_an_owner_that_is_an_input(void) {
  rig *r = rig_new();
  int32_t owner, child;
  owner = rig_slot(r);
  child = rig_slot(r);
  rig_combine(r, owner, &owner, 1, 1, 1);
  rig_then(r, owner, child);
  rig_settle(r, owner);
  CHECK_SHOWS(r, child);
  CHECK_EQ(rig_live(r), 1);
  rig_free(r);
}

void combinator_suite(void) {
  RUN(scenarios_come_out_right);
  RUN(complete_before_armed);
  RUN(what_was_counted_before_armed_is_not_forgotten);
  RUN(all_with_a_rejection_before_armed);
  RUN(complete_between_need_and_slack);
  RUN(need_before_items);
  RUN(fire_shows_its_operand);
  RUN(the_owner_stands_where_the_item_stood);
  RUN(the_owner_settles_and_has_reactions);
  RUN(the_owner_may_combine_again);
  RUN(combinators_over_combinators);
  RUN(items_leave_the_list_from_any_place);
  RUN(items_leave_the_list_that_fires_them);
  RUN(several_combinators_on_one_promise);
  RUN(dropping_the_owner_dissolves_the_combinator);
  RUN(dropping_a_fired_owner);
  RUN(a_dropped_input_never_counts);
  RUN(all_inputs_dropped_then_the_owner);
  RUN(an_owner_that_is_an_input);
  RUN(use_goes_on_with_another_combinator);
  RUN(need_adds_up_after_the_first);
  RUN(settling_the_owner_dissolves_the_combinator);
  RUN(settling_an_owner_that_is_an_input);
}

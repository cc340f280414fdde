#include "play.h"

#include <math.h>
#include <string.h>

#include "random.h"

static int32_t below(play *p, int32_t bound) {
  return random_below(&p->random, bound);
}

static int percent(play *p, int chance) {
  return random_percent(&p->random, chance);
}

static void check_state(play *p) {
  cp_stats stats;
  cp_get_stats(p->r->engine, &stats);
  CHECK_TEXT(cp_check(p->r->engine), NULL);
  CHECK_EQ(stats.slots, model_live(&p->m));
  CHECK_EQ(stats.pages, model_live_pages(&p->m));
}

static void check_deadlines(play *p) {
  const double *words = p->r->deadlines;
  CHECK(words[CP_NEXT_DEADLINE] == model_next_deadline(&p->m));
  CHECK_EQ(words[CP_REF_DEADLINES], model_refs(&p->m));
}

static void flush(play *p) {
  CHECK_EQ(cp_flush(p->r->engine), p->expected);
  p->expected = CP_OK;
}

static void log_command(play *p, int op, int32_t slot, int32_t arg) {
  rig *r = p->r;
  if (model_cannot_tell(&p->m, op, slot, arg)) return;
  if (r->header[CP_HEADER_COMMANDS] == CP_COMMANDS) flush(p);
  rig_log(r, op, slot, arg);
  p->operations++;
  if (model_apply(&p->m, op, slot, arg) == CP_OK) {
    p->by_op[op]++;
  } else {
    p->expected = CP_EINVAL;
    p->invalid++;
  }
}

/* Returns 0 when memory is short. */
static int open_page(play *p) {
  rig *r = p->r;
  int64_t failures = r->memory.failures;
  int32_t page;
  /* A logged command that names a slot of a closed page must fail before the
   * page is opened again. */
  if (p->expected != CP_OK) flush(p);
  page = cp_open(r->engine);
  if (page == CP_ENOMEM) {
    CHECK_EQ(r->memory.failures, failures + 1);
    CHECK_TEXT(cp_check(r->engine), NULL);
    p->out_of_memory++;
    return 0;
  }
  CHECK_GE(page, 1);
  CHECK(model_open(&p->m, page));
  r->next = page * CP_PAGE_SLOTS;
  r->end = r->next + CP_PAGE_SLOTS;
  return 1;
}

/* A slot never used, or 0. */
static int32_t new_slot(play *p) {
  rig *r = p->r;
  for (;;) {
    int32_t slot;
    if (r->next == r->end && !open_page(p)) return 0;
    slot = r->next++;
    /* A command that made no sense may have used it by chance. */
    if (model_is_idle(&p->m, slot) && !p->m.nodes[slot].used) return slot;
  }
}

static int32_t new_promise(play *p) {
  int32_t slot = new_slot(p);
  if (slot != 0) numbers_add(&p->promises, slot);
  return slot;
}

static int32_t any_of(play *p, const numbers *n) {
  return n->count == 0 ? 0 : n->at[below(p, n->count)];
}

static int32_t any_promise(play *p) {
  int tries;
  for (tries = 0; tries < 5; tries++) {
    int32_t slot = any_of(p, &p->promises);
    if (model_is_promise(&p->m, slot)) return slot;
  }
  return new_promise(p);
}

static int32_t idle_promise(play *p) {
  int tries;
  for (tries = 0; tries < 5; tries++) {
    int32_t slot = any_of(p, &p->promises);
    if (slot != p->hub && model_is_idle(&p->m, slot)) return slot;
  }
  return new_promise(p);
}

/* A promise that may settle: idle, or the owner of a combinator. */
static int32_t open_promise(play *p) {
  int32_t slot = any_of(p, &p->promises);
  if (slot != p->hub && model_is_promise(&p->m, slot) &&
      p->m.nodes[slot].stands == NOWHERE) {
    return slot;
  }
  return idle_promise(p);
}

static int32_t any_outcome(play *p) {
  return percent(p, 70) ? CP_FULFILLED : CP_REJECTED;
}

static void log_settle(play *p, int32_t slot) {
  if (slot != 0) log_command(p, CP_OP_SETTLE, slot, any_outcome(p));
}

static void log_then(play *p) {
  int32_t parent = percent(p, p->crowding ? 95 : 40) ? p->hub : any_promise(p);
  int32_t child = percent(p, 70) ? new_promise(p) : idle_promise(p);
  if (!model_is_promise(&p->m, parent)) parent = p->hub = any_promise(p);
  if (parent == 0 || child == 0 || parent == child) return;
  log_command(p, CP_OP_THEN, parent, child);
}

static void log_item(play *p) {
  int32_t input = percent(p, 10) ? p->hub : any_promise(p);
  int32_t item = new_slot(p);
  if (model_is_promise(&p->m, input) && item != 0) {
    log_command(p, CP_OP_ITEM, input, item);
  }
}

/* Some promises made for the combinator in use. */
static void log_count(play *p) {
  rig *r = p->r;
  int32_t first = new_promise(p);
  int32_t number = 1;
  int32_t wanted = percent(p, 5) ? CP_PAGE_SLOTS : 1 + below(p, 6);
  if (first == 0) return;
  while (number < wanted && r->next < r->end && !p->m.nodes[r->next].used &&
         model_is_idle(&p->m, r->next)) {
    numbers_add(&p->promises, r->next++);
    number++;
  }
  log_command(p, CP_OP_COUNT, first, number);
}

static void log_combine(play *p) {
  int32_t owner = percent(p, 80) ? new_promise(p) : idle_promise(p);
  int32_t combinator = new_slot(p);
  int32_t i, inputs = below(p, 8);
  if (owner == 0 || combinator == 0) return;
  numbers_add(&p->combinators, combinator);
  log_command(p, CP_OP_COMBINE, combinator, owner);
  if (percent(p, 40)) {
    log_command(p, CP_OP_WINDOW, combinator, 1 + below(p, 5));
    if (percent(p, 80)) {
      log_command(p, CP_OP_SLACK, combinator, below(p, 3));
    }
  }
  for (i = 0; i < inputs; i++) {
    if (percent(p, 70)) {
      log_item(p);
    } else {
      log_count(p);
    }
    if (percent(p, 10)) log_settle(p, open_promise(p));
  }
  if (percent(p, 90)) {
    log_command(p, CP_OP_NEED, combinator, below(p, inputs + 2));
  }
  if (percent(p, 90)) {
    log_command(p, CP_OP_SLACK, combinator, below(p, inputs + 2));
  }
}

/* A deadline near the present time, one that is over, or none. The engine
 * applies deadlines before commands, so all that was logged goes first. */
static void log_deadline(play *p) {
  rig *r = p->r;
  int32_t slot = percent(p, 60) ? new_promise(p) : open_promise(p);
  int32_t dice = below(p, 100);
  double deadline = p->m.now + below(p, 20);
  int ref = percent(p, 70);
  if (dice < 5) deadline = INFINITY;
  if (dice > 95) deadline = -INFINITY;
  if (percent(p, 5)) slot = any_promise(p);
  if (percent(p, 5)) slot = below(p, (p->m.pages + 1) * CP_PAGE_SLOTS);
  flush(p);
  if (r->header[CP_HEADER_ROOM] == 0) {
    int status = cp_reserve(r->engine);
    if (status == CP_ENOMEM) {
      CHECK_TEXT(cp_check(r->engine), NULL);
      p->out_of_memory++;
      return;
    }
    CHECK_EQ(status, CP_OK);
    CHECK_GE(r->header[CP_HEADER_ROOM], 1);
  }
  rig_deadline(r, slot, deadline, ref);
  p->operations++;
  if (model_deadline(&p->m, slot, deadline, ref) == CP_OK) {
    p->deadlines++;
  } else {
    p->expected = CP_EINVAL;
    p->invalid++;
  }
}

/* Something with a combinator made before, which may have fired. */
static void log_combinator(play *p) {
  int32_t k = any_of(p, &p->combinators);
  if (k == 0) return;
  switch (below(p, 8)) {
    case 0:
      log_command(p, CP_OP_USE, k, below(p, 1000));
      log_item(p);
      log_count(p);
      break;
    case 1:
      log_command(p, CP_OP_NEED, k, below(p, 4));
      break;
    case 2:
      log_command(p, CP_OP_SLACK, k, below(p, 4));
      break;
    case 3:
    case 4:
      log_command(p, CP_OP_DONE, k, below(p, 3));
      break;
    case 5:
      log_command(p, CP_OP_YIELD, k, below(p, 3));
      break;
    case 6:
      log_command(p, CP_OP_DROP, k, 0);
      break;
    default:
      log_command(p, CP_OP_FIRE, k, below(p, 1000) - 500);
  }
}

static void log_lane(play *p, int32_t after) {
  int32_t lane = new_slot(p);
  if (lane == 0) return;
  numbers_add(&p->lanes, lane);
  log_command(p, CP_OP_COMBINE, lane, after);
}

static void log_line(play *p) {
  int32_t line = new_slot(p);
  if (line == 0) return;
  numbers_add(&p->lines, line);
  log_command(p, CP_OP_WINDOW, line, below(p, 4));
  log_lane(p, line);
}

/* Something with a line or a lane made before, which may be gone. */
static void log_of_line(play *p) {
  int32_t line = any_of(p, &p->lines);
  int32_t lane = any_of(p, &p->lanes);
  int i;
  if (line == 0 || percent(p, 5)) log_line(p);
  if (line == 0 || lane == 0) return;
  switch (below(p, 10)) {
    case 0:
      log_lane(p, percent(p, 50) ? line : lane);
      break;
    case 1:
      log_command(p, CP_OP_WINDOW, line, below(p, 5));
      break;
    case 2:
      if (percent(p, 30)) log_command(p, CP_OP_FIRE, line, -1 - below(p, 9));
      break;
    case 3:
      log_command(p, CP_OP_DROP, line, 0);
      break;
    case 4:
    case 5:
      log_command(p, CP_OP_DONE, line, below(p, 3));
      break;
    default:
      for (i = below(p, 4); i >= 0; i--) {
        int32_t promise = percent(p, 90) ? new_promise(p) : idle_promise(p);
        if (promise != 0) log_command(p, CP_OP_THEN, lane, promise);
      }
  }
}

/* Any words at all; mostly of slots that exist. */
static void log_nonsense(play *p) {
  int32_t end = (p->m.pages + 1) * CP_PAGE_SLOTS;
  int32_t slot = below(p, end + 20) - 20;
  int32_t arg = below(p, end + 20) - 20;
  int32_t op = below(p, 1 << CP_OP_BITS);
  if (percent(p, 10)) arg = (int32_t) random_next(&p->random);
  log_command(p, op, slot, arg);
}

static void log_drop(play *p) {
  int32_t slot = any_promise(p);
  if (slot != 0 && slot != p->hub) log_command(p, CP_OP_DROP, slot, 0);
}

static void log_any(play *p) {
  int32_t dice = below(p, 100);
  int32_t slot;
  if (percent(p, 2)) {
    log_deadline(p);
  } else if (dice < (p->shrinking ? 8 : 50)) {
    log_then(p);
  } else if (dice < (p->shrinking ? 10 : 58)) {
    log_combine(p);
  } else if (dice < 63) {
    log_settle(p, open_promise(p));
  } else if (dice < 82) {
    if (p->shrinking) log_drop(p);
  } else if (dice < 85) {
    log_drop(p);
  } else if (dice < 89) {
    slot = idle_promise(p);
    if (slot != 0) log_command(p, CP_OP_MERGE, slot, any_promise(p));
  } else if (dice < 92) {
    slot = idle_promise(p);
    if (slot != 0) log_command(p, CP_OP_NOW, slot, 0);
  } else if (dice < 95) {
    slot = idle_promise(p);
    if (slot != 0) log_command(p, CP_OP_JOB, slot, below(p, 1000) - 500);
  } else if (dice < 98) {
    log_combinator(p);
  } else if (dice < 99) {
    log_of_line(p);
    log_of_line(p);
    log_of_line(p);
  } else {
    log_nonsense(p);
  }
}

/* What a host does with the slots it is shown: most settle. */
static void dispatch(play *p, const int32_t *window, int32_t words) {
  int32_t i;
  for (i = 0; i < words; i++) {
    int32_t slot = window[i];
    if (slot < 0) {
      slot = -slot;
      if (window[++i] == CP_DUE) p->due++;
    }
    p->shown++;
    if (percent(p, 60) && model_is_idle(&p->m, slot)) log_settle(p, slot);
  }
}

static int32_t turn(play *p) {
  rig *r = p->r;
  int32_t expected[CP_WINDOW];
  int32_t words, i;
  if (percent(p, 50)) {
    p->m.now = p->m.now == -INFINITY ? 0 : p->m.now + below(p, 8);
    cp_due(r->engine, p->m.now);
  }
  CHECK_EQ(cp_turn(r->engine), p->expected);
  p->expected = CP_OK;
  p->turns++;
  model_expire(&p->m);
  words = model_fill(&p->m, expected);
  CHECK_EQ(r->header[CP_HEADER_READY], words);
  for (i = 0; i < words; i++) CHECK_EQ(r->window[i], expected[i]);
  CHECK_EQ(r->header[CP_HEADER_MORE], model_is_ready(&p->m));
  if (p->batch >= 500) {
    CHECK_EQ(r->header[CP_HEADER_PAGES], model_live_pages(&p->m));
  }
  if (r->header[CP_HEADER_MORE]) p->full_turns++;
  if (p->batch >= 500 || below(p, 200) == 0) {
    check_state(p);
    check_deadlines(p);
  }
  dispatch(p, expected, words);
  return words;
}

/* Forgets slots that have another role by now. */
static void keep(play *p, numbers *n, role r) {
  int32_t i, kept = 0;
  for (i = 0; i < n->count; i++) {
    if (p->m.nodes[n->at[i]].role == r) n->at[kept++] = n->at[i];
  }
  n->count = kept;
}

static void tidy(play *p) {
  int32_t i, kept = 0;
  for (i = 0; i < p->promises.count; i++) {
    int32_t slot = p->promises.at[i];
    if (model_is_promise(&p->m, slot)) p->promises.at[kept++] = slot;
  }
  p->promises.count = kept;
  keep(p, &p->combinators, COMBINATOR);
  keep(p, &p->lines, LINE);
  keep(p, &p->lanes, LANE);
}

static void next_phase(play *p) {
  static const int32_t batches[] = {1, 3, 10, 100, 1000, 8000};
  tidy(p);
  if (p->promises.count > p->limit) p->shrinking = 1;
  if (p->promises.count < p->limit / 10) p->shrinking = 0;
  p->batch = batches[below(p, 6)];
  if (p->crowding || percent(p, 15)) {
    if (model_is_idle(&p->m, p->hub)) log_settle(p, p->hub);
    p->hub = idle_promise(p);
  }
  p->crowding = percent(p, 25);
}

void play_init(play *p, uint64_t seed, int32_t limit) {
  memset(p, 0, sizeof *p);
  p->r = rig_new();
  model_init(&p->m);
  p->random = seed;
  p->limit = limit;
  p->expected = CP_OK;
}

void play_go(play *p, int64_t operations) {
  int64_t end = p->operations + operations;
  int64_t phase_end = 0;
  while (p->operations < end) {
    if (p->operations >= phase_end) {
      next_phase(p);
      phase_end = p->operations + 1000 + below(p, 10000);
    }
    log_any(p);
    if (below(p, p->batch) == 0) turn(p);
  }
  flush(p);
  check_state(p);
}

/* What is left now has never been handed out. */
static void check_empty(const play *p) {
  int32_t slot;
  int64_t handed_out = 0;
  for (slot = CP_PAGE_SLOTS; slot < p->m.pages * CP_PAGE_SLOTS; slot++) {
    if (p->m.nodes[slot].role == FREED) continue;
    if (slot < p->r->next || slot >= p->r->end) handed_out++;
  }
  CHECK_EQ(handed_out, 0);
}

void play_end(play *p) {
  int32_t slot;
  for (slot = CP_PAGE_SLOTS; slot < p->m.pages * CP_PAGE_SLOTS; slot++) {
    /* Nonsense may have named slots that were never handed out. */
    if (slot >= p->r->next && slot < p->r->end && !p->m.nodes[slot].used) {
      continue;
    }
    if (model_is_promise(&p->m, slot)) log_command(p, CP_OP_DROP, slot, 0);
  }
  /* Windowed combinators that have fired, and lines. */
  for (slot = CP_PAGE_SLOTS; slot < p->m.pages * CP_PAGE_SLOTS; slot++) {
    if (p->m.nodes[slot].role == COMBINATOR) {
      log_command(p, CP_OP_DROP, slot, 0);
    } else if (p->m.nodes[slot].role == LINE) {
      log_command(p, CP_OP_FIRE, slot, 0);
      log_command(p, CP_OP_DROP, slot, 0);
    }
  }
  do turn(p);
  while (p->r->header[CP_HEADER_COMMANDS] || p->r->header[CP_HEADER_MORE]);
  check_state(p);
  check_empty(p);
  rig_free(p->r);
  model_free(&p->m);
  numbers_free(&p->promises);
  numbers_free(&p->combinators);
  numbers_free(&p->lines);
  numbers_free(&p->lanes);
}

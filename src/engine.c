#include "engine.h"

#include <math.h>
#include <string.h>

#include "combinator.h"
#include "line.h"
#include "queue.h"
#include "slots.h"

struct cp_engine {
  cp__slots slots;
  cp__queue ready;
  int32_t *commands;
  int32_t *window;
  int32_t *header;
  double *deadlines;
  double now;         /* see cp_due */
  int32_t combinator; /* the one in use, see CP_OP_USE */
  int32_t index;      /* of its next item */
  cp_stats stats;
};

/* Tells the host what it may log and what to wait for. */
static void report(cp_engine *engine) {
  const cp__timers *timers = &engine->slots.timers;
  int32_t room = timers->capacity - timers->count;
  engine->header[CP_HEADER_ROOM] = room < CP_DEADLINES ? room : CP_DEADLINES;
  engine->deadlines[CP_NEXT_DEADLINE] =
      timers->count > 0 ? timers->at[0].deadline : INFINITY;
  engine->deadlines[CP_REF_DEADLINES] = timers->refs;
}

cp_engine *cp_create(const cp_allocator *allocator, int32_t *commands,
                     int32_t *window, int32_t *header, double *deadlines) {
  cp_engine *engine =
      allocator->resize(allocator->context, NULL, sizeof *engine);
  if (engine == NULL) return NULL;
  memset(engine, 0, sizeof *engine);
  cp__slots_init(&engine->slots, allocator);
  engine->commands = commands;
  engine->window = window;
  engine->header = header;
  engine->deadlines = deadlines;
  engine->now = -INFINITY;
  report(engine);
  return engine;
}

void cp_destroy(cp_engine *engine) {
  cp_allocator allocator;
  if (engine == NULL) return;
  allocator = engine->slots.allocator;
  cp__slots_destroy(&engine->slots);
  allocator.release(allocator.context, engine);
}

int32_t cp_open(cp_engine *engine) {
  engine->stats.calls++;
  return cp__slots_open(&engine->slots);
}

/* Whether `slot` lies in an opened page and has not been given back. */
static inline int is_live(const cp_engine *engine, int32_t slot) {
  return cp__slots_hold(&engine->slots, slot) &&
         !(engine->slots.at[slot].flags & CP__FREE);
}

/* Whether `slot` is live, in the role of a promise and not dropped. */
static inline int is_promise(const cp_engine *engine, int32_t slot) {
  return is_live(engine, slot) &&
         !(engine->slots.at[slot].flags &
           (CP__ITEM | CP__COMBINATOR | CP__LINE | CP__LANE | CP__DEAD));
}

/* Whether `slot` is a promise that stands in no list. */
static inline int is_unlinked(const cp_engine *engine, int32_t slot) {
  return is_promise(engine, slot) &&
         !(engine->slots.at[slot].flags & CP__LINKED);
}

/* Whether `slot` is a promise that waits for nothing. */
static inline int is_idle(const cp_engine *engine, int32_t slot) {
  return is_promise(engine, slot) && !(engine->slots.at[slot].flags &
                                       (CP__LINKED | CP__COMBINED | CP__TIMED));
}

/* Whether `slot` is a promise that waits for nothing, or for its deadline. */
static inline int is_free_to_wait(const cp_engine *engine, int32_t slot) {
  return is_unlinked(engine, slot) &&
         !(engine->slots.at[slot].flags & CP__COMBINED);
}

/* Whether `slot` has been handed out but has no role yet. */
static inline int is_fresh(const cp_engine *engine, int32_t slot) {
  return is_live(engine, slot) && engine->slots.at[slot].flags == 0 &&
         engine->slots.at[slot].first == 0;
}

static inline int is_combinator(const cp_engine *engine, int32_t slot) {
  return is_live(engine, slot) &&
         (engine->slots.at[slot].flags & CP__COMBINATOR) != 0;
}

static inline int is_line(const cp_engine *engine, int32_t slot) {
  return is_live(engine, slot) &&
         (engine->slots.at[slot].flags & CP__LINE) != 0;
}

static inline int is_lane(const cp_engine *engine, int32_t slot) {
  return is_live(engine, slot) &&
         (engine->slots.at[slot].flags & CP__LANE) != 0;
}

static inline int is_outcome(int32_t arg) {
  return arg == CP_FULFILLED || arg == CP_REJECTED;
}

/* Counts and indexes never exceed the number of slots. */
static inline int is_count(int32_t arg) {
  return arg >= 0 && arg <= 1 << CP_SLOT_BITS;
}

/* A list with items is taken apart from its head, one reaction at a time:
 * a combinator that fires on the way takes its other items out of this very
 * list. */
static void settle_mixed(cp_engine *engine, int32_t slot, int32_t outcome) {
  cp__slots *slots = &engine->slots;
  int32_t reaction;
  while ((reaction = cp__slots_shift(slots, slot)) != 0) {
    if (slots->at[reaction].flags & CP__ITEM) {
      cp__combinator_count(slots, &engine->ready, reaction, outcome);
    } else {
      cp__queue_push(&engine->ready, slots, reaction);
    }
  }
}

static inline void settle(cp_engine *engine, int32_t slot, int32_t outcome) {
  cp__slots *slots = &engine->slots;
  cp__slot *s = &slots->at[slot];
  if (s->flags & CP__COMBINED) {
    cp__combinator_dissolve(slots, slots->extra[slot].waits_for);
  }
  if (s->flags & CP__CARRIER) {
    cp__combinator_count(slots, &engine->ready, slot, outcome);
  }
  if (s->flags & CP__HAS_ITEMS) {
    settle_mixed(engine, slot, outcome);
  } else if (s->first != 0) {
    cp__queue_join(&engine->ready, slots, s->first, s->last);
  }
  cp__slots_release(slots, slot);
}

static void drop(cp_engine *engine, int32_t slot) {
  cp__slots *slots = &engine->slots;
  cp__slot *s = &slots->at[slot];
  int32_t reaction;
  while ((reaction = cp__slots_shift(slots, slot)) != 0) {
    if (slots->at[reaction].flags & CP__ITEM) {
      cp__combinator_remove(slots, reaction);
    } else if (slots->at[reaction].flags & CP__DEAD) {
      cp__slots_release(slots, reaction);
    }
  }
  if (s->flags & CP__CARRIER) cp__combinator_remove(slots, slot);
  if (s->flags & CP__COMBINED) {
    cp__combinator_dissolve(slots, slots->extra[slot].waits_for);
  }
  if (s->flags & CP__LINKED) {
    if (s->flags & CP__TIMED) cp__timers_clear(slots, slot);
    s->flags |= CP__DEAD;
  } else {
    cp__slots_release(slots, slot);
  }
}

/* Whether a combinator is windowed and has fired. */
static inline int has_fired(const cp_engine *engine, int32_t combinator) {
  return (engine->slots.at[combinator].flags & CP__FIRED) != 0;
}

/* CP_OP_COUNT. */
static int load(cp_engine *engine, int32_t first, int32_t number) {
  int32_t end;
  int32_t slot;
  if (number < 1 || number > CP_PAGE_SLOTS || !is_live(engine, first) ||
      first >> CP_PAGE_BITS != (first + number - 1) >> CP_PAGE_BITS ||
      !is_combinator(engine, engine->combinator)) {
    return CP_EINVAL;
  }
  end = first + number;
  for (slot = first; slot < end; slot++) {
    if (!is_fresh(engine, slot)) return CP_EINVAL;
  }
  if (has_fired(engine, engine->combinator)) return CP_OK;
  for (slot = first; slot < end; slot++) {
    cp__combinator_load(&engine->slots, engine->combinator, engine->index++,
                        slot);
  }
  return CP_OK;
}

/* DONE and YIELD: what a window is told of work that never became an item. */
static int apply_window(cp_engine *engine, int32_t op, int32_t slot,
                        int32_t arg) {
  cp__slots *slots = &engine->slots;
  if (!is_combinator(engine, slot) || !is_count(arg)) return CP_EINVAL;
  if (has_fired(engine, slot)) return CP_OK;
  if ((slots->at[slot].flags & (CP__WINDOW | CP__ARMED)) !=
      (CP__WINDOW | CP__ARMED)) {
    return CP_EINVAL;
  }
  if (op == CP_OP_DONE) {
    if (arg > slots->at[slot].need) return CP_EINVAL;
    cp__combinator_done(slots, &engine->ready, slot, arg);
  } else {
    if (arg > slots->extra[slot].in_flight) return CP_EINVAL;
    cp__combinator_yield(slots, &engine->ready, slot, arg);
  }
  return CP_OK;
}

/* The commands as lines understand them. */
static int apply_line(cp_engine *engine, int32_t op, int32_t slot,
                      int32_t arg) {
  cp__slots *slots = &engine->slots;
  cp__queue *ready = &engine->ready;
  switch (op) {
    case CP_OP_WINDOW:
      if (!is_count(arg)) return CP_EINVAL;
      if (is_line(engine, slot)) {
        cp__line_limit(slots, ready, slot, arg);
      } else {
        cp__line_open(slots, slot, arg);
      }
      return CP_OK;
    case CP_OP_COMBINE:
      if (!is_fresh(engine, slot)) return CP_EINVAL;
      cp__line_add(slots, arg, slot);
      return CP_OK;
    case CP_OP_DONE:
      if (arg < 0 || arg > slots->extra[slot].in_flight) return CP_EINVAL;
      cp__line_free(slots, ready, slot, arg);
      return CP_OK;
    case CP_OP_FIRE:
      cp__line_clear(slots, ready, slot, arg);
      return CP_OK;
    case CP_OP_DROP:
      return cp__line_close(slots, slot);
    default:
      return CP_EINVAL;
  }
}

/* Whether a command concerns a line. */
static int is_of_line(const cp_engine *engine, int32_t op, int32_t slot,
                      int32_t arg) {
  if (op == CP_OP_WINDOW)
    return is_line(engine, slot) || is_fresh(engine, slot);
  if (op == CP_OP_COMBINE) return is_line(engine, arg) || is_lane(engine, arg);
  return is_line(engine, slot);
}

/* The commands that ordinary chains do not use. */
static int apply_rare(cp_engine *engine, int32_t op, int32_t slot,
                      int32_t arg) {
  cp__slots *slots = &engine->slots;
  switch (op) {
    case CP_OP_JOB:
      if (!is_idle(engine, slot)) return CP_EINVAL;
      slots->extra[slot].arg = arg;
      slots->at[slot].flags |= CP__JOB;
      cp__queue_push(&engine->ready, slots, slot);
      return CP_OK;
    case CP_OP_MERGE:
      if (slot == arg || !is_idle(engine, slot) || !is_promise(engine, arg)) {
        return CP_EINVAL;
      }
      cp__slots_merge(slots, slot, arg);
      return CP_OK;
    case CP_OP_COMBINE:
      if (slot == arg || !is_fresh(engine, slot) ||
          !is_free_to_wait(engine, arg)) {
        return CP_EINVAL;
      }
      cp__combinator_init(slots, slot, arg);
      engine->combinator = slot;
      engine->index = 0;
      return CP_OK;
    case CP_OP_USE:
      if (!is_combinator(engine, slot) || !is_count(arg)) return CP_EINVAL;
      engine->combinator = slot;
      engine->index = arg;
      return CP_OK;
    case CP_OP_NEED:
      if (!is_combinator(engine, slot) || !is_count(arg)) return CP_EINVAL;
      if (has_fired(engine, slot)) return CP_OK;
      if (slots->at[slot].flags & CP__WINDOW
              ? slots->at[slot].need <= CP__UNKNOWN / 2
              : slots->at[slot].need > 0) {
        return CP_EINVAL;
      }
      cp__combinator_need(slots, &engine->ready, slot, arg);
      return CP_OK;
    case CP_OP_SLACK:
      if (!is_combinator(engine, slot) || !is_count(arg) ||
          (slots->at[slot].flags & (CP__ARMED | CP__FIRED))) {
        return CP_EINVAL;
      }
      cp__combinator_arm(slots, &engine->ready, slot, arg);
      return CP_OK;
    case CP_OP_FIRE:
      if (!is_combinator(engine, slot)) return CP_EINVAL;
      if (has_fired(engine, slot)) return CP_OK;
      cp__combinator_fire(slots, &engine->ready, slot, arg);
      return CP_OK;
    case CP_OP_WINDOW:
      if (!is_combinator(engine, slot) || !is_count(arg) || arg == 0 ||
          slots->at[slot].flags != CP__COMBINATOR ||
          slots->at[slot].items != 0 || slots->at[slot].need != 0 ||
          slots->at[slot].slack != 0) {
        return CP_EINVAL;
      }
      cp__combinator_window(slots, slot, arg);
      return CP_OK;
    case CP_OP_DONE:
    case CP_OP_YIELD:
      return apply_window(engine, op, slot, arg);
    case CP_OP_COUNT:
      return load(engine, slot, arg);
    case CP_OP_DROP:
      if (is_combinator(engine, slot) && has_fired(engine, slot)) {
        cp__slots_release(slots, slot);
        return CP_OK;
      }
      if (!is_promise(engine, slot)) return CP_EINVAL;
      drop(engine, slot);
      return CP_OK;
    default:
      return CP_EINVAL;
  }
}

/* What is not on the hot path, of lines or of all else. */
static int apply_other(cp_engine *engine, int32_t op, int32_t slot,
                       int32_t arg) {
  return is_of_line(engine, op, slot, arg) ? apply_line(engine, op, slot, arg)
                                           : apply_rare(engine, op, slot, arg);
}

/* One entry of the deadline log. */
static int apply_deadline(cp_engine *engine, double deadline, double name) {
  cp__slots *slots = &engine->slots;
  int32_t slot;
  uint32_t flags;
  if (!(name >= 0 && name < 2.0 * (1 << CP_SLOT_BITS)) || isnan(deadline)) {
    return CP_EINVAL;
  }
  slot = (int32_t) name >> 1;
  if (!is_promise(engine, slot)) return CP_EINVAL;
  flags = slots->at[slot].flags;
  if (flags & CP__CARRIER) return CP_EINVAL;
  if ((flags & CP__LINKED) && !(flags & CP__COMBINED)) {
    /* Too late for one that is ready already. */
    return flags & CP__JOB ? CP_OK : CP_EINVAL;
  }
  if (deadline < INFINITY) {
    cp__timers_set(slots, slot, deadline, (int32_t) name & 1);
  } else if (flags & CP__TIMED) {
    cp__timers_clear(slots, slot);
  }
  return CP_OK;
}

static int consume_deadlines(cp_engine *engine) {
  const cp__timers *timers = &engine->slots.timers;
  int32_t count = engine->header[CP_HEADER_DEADLINES];
  const double *entry = engine->deadlines;
  const double *end;
  int status = CP_OK;
  if (count < 0 || count > CP_DEADLINES ||
      count > timers->capacity - timers->count) {
    return CP_EINVAL;
  }
  engine->header[CP_HEADER_DEADLINES] = 0;
  engine->stats.commands += count;
  end = entry + (ptrdiff_t) 2 * count;
  for (; entry < end; entry += 2) {
    if (apply_deadline(engine, entry[0], entry[1]) != CP_OK) status = CP_EINVAL;
  }
  return status;
}

/* Makes ready what is due. */
static void expire(cp_engine *engine) {
  cp__slots *slots = &engine->slots;
  int32_t slot;
  while ((slot = cp__timers_take(slots, engine->now)) != 0) {
    if (slots->at[slot].flags & CP__COMBINED) {
      cp__combinator_fire(slots, &engine->ready, slots->extra[slot].waits_for,
                          CP_DUE);
    } else {
      slots->extra[slot].arg = CP_DUE;
      slots->at[slot].flags |= CP__JOB;
      cp__queue_push(&engine->ready, slots, slot);
    }
  }
}

static int consume_commands(cp_engine *engine) {
  cp__slots *slots = &engine->slots;
  int32_t count = engine->header[CP_HEADER_COMMANDS];
  const int32_t *command = engine->commands;
  const int32_t *end;
  int status = CP_OK;
  if (count < 0 || count > CP_COMMANDS) return CP_EINVAL;
  engine->header[CP_HEADER_COMMANDS] = 0;
  engine->stats.commands += count;
  end = command + (ptrdiff_t) 2 * count;
  for (; command < end; command += 2) {
    int32_t op = command[0] & ((1 << CP_OP_BITS) - 1);
    int32_t slot = command[0] >> CP_OP_BITS;
    int32_t arg = command[1];
    switch (op) {
      case CP_OP_THEN:
        if (slot == arg ||
            !(is_promise(engine, slot) || is_lane(engine, slot)) ||
            !is_idle(engine, arg)) {
          status = CP_EINVAL;
          break;
        }
        slots->at[arg].flags |= CP__LINKED;
        cp__slots_append(slots, slot, arg);
        break;
      case CP_OP_NOW:
        if (!is_idle(engine, slot)) {
          status = CP_EINVAL;
          break;
        }
        cp__queue_push(&engine->ready, slots, slot);
        break;
      case CP_OP_SETTLE:
        if (!is_unlinked(engine, slot) || !is_outcome(arg)) {
          status = CP_EINVAL;
          break;
        }
        settle(engine, slot, arg);
        break;
      case CP_OP_ITEM:
        if (!is_promise(engine, slot) || slot == arg ||
            !is_fresh(engine, arg) ||
            !is_combinator(engine, engine->combinator)) {
          status = CP_EINVAL;
          break;
        }
        if (has_fired(engine, engine->combinator)) {
          cp__slots_release(slots, arg);
        } else {
          cp__combinator_add(slots, engine->combinator, engine->index++, slot,
                             arg);
        }
        break;
      default:
        if (apply_other(engine, op, slot, arg) != CP_OK) status = CP_EINVAL;
    }
  }
  return status;
}

/* Deadlines first: a command may give back what they name. */
static int consume(cp_engine *engine) {
  int status = consume_deadlines(engine);
  return consume_commands(engine) != CP_OK ? CP_EINVAL : status;
}

int cp_flush(cp_engine *engine) {
  int status;
  engine->stats.calls++;
  status = consume(engine);
  report(engine);
  return status;
}

int cp_reserve(cp_engine *engine) {
  int status;
  engine->stats.calls++;
  status = consume_deadlines(engine);
  if (cp__timers_reserve(&engine->slots, CP_DEADLINES) != CP_OK &&
      cp__timers_reserve(&engine->slots, 1) != CP_OK) {
    status = CP_ENOMEM;
  }
  report(engine);
  return status;
}

void cp_due(cp_engine *engine, double now) {
  if (now > engine->now) engine->now = now;
}

static int32_t open_pages(const cp_engine *engine) {
  return engine->slots.pages - 1 - engine->slots.closed_count;
}

int cp_turn(cp_engine *engine) {
  int status;
  engine->stats.calls++;
  engine->stats.turns++;
  status = consume(engine);
  expire(engine);
  report(engine);
  engine->header[CP_HEADER_READY] =
      cp__queue_fill(&engine->ready, &engine->slots, engine->window, CP_WINDOW);
  engine->header[CP_HEADER_MORE] = engine->ready.head != 0;
  engine->header[CP_HEADER_PAGES] = open_pages(engine);
  return status;
}

void cp_get_stats(const cp_engine *engine, cp_stats *stats) {
  const cp__slots *slots = &engine->slots;
  int32_t page;
  *stats = engine->stats;
  stats->slots = 0;
  for (page = 1; page < slots->pages; page++) stats->slots += slots->live[page];
  stats->pages = open_pages(engine);
  stats->bytes = (double) sizeof *engine + cp__slots_bytes(slots);
}

const char *cp_check(const cp_engine *engine) {
  const cp__slots *slots = &engine->slots;
  int32_t end = slots->pages << CP_PAGE_BITS;
  int64_t listed = 0;
  int64_t marked = 0;
  int32_t slot;
  const char *fault = cp__slots_check(slots, &listed);
  if (fault == NULL) fault = cp__queue_check(&engine->ready, slots, &listed);
  if (fault == NULL) fault = cp__combinator_check(slots);
  if (fault == NULL) fault = cp__timers_check(slots);
  if (fault == NULL) fault = cp__line_check(slots);
  if (fault != NULL) return fault;
  for (slot = CP_PAGE_SLOTS; slot < end; slot++) {
    if (slots->at[slot].flags & CP__LINKED) marked++;
  }
  return marked == listed ? NULL : "a linked slot stands in no list";
}

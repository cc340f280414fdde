#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/engine.h"
#include "check.h"

/* What a windowed combinator needs before NEED says. */
enum { UNKNOWN = 1 << 30 };

void numbers_add(numbers *n, int32_t number) {
  if (n->count == n->capacity) {
    n->capacity = n->capacity ? 2 * n->capacity : 4;
    n->at = realloc(n->at, (size_t) n->capacity * sizeof *n->at);
    CHECK(n->at != NULL);
  }
  n->at[n->count++] = number;
}

void numbers_remove(numbers *n, int32_t number) {
  int32_t i = 0;
  while (n->at[i] != number) CHECK_LE(++i + 1, n->count);
  n->count--;
  memmove(n->at + i, n->at + i + 1, (size_t) (n->count - i) * sizeof *n->at);
}

void numbers_free(numbers *n) {
  free(n->at);
  memset(n, 0, sizeof *n);
}

void model_init(model *m) {
  memset(m, 0, sizeof *m);
  m->pages = 1;
  m->now = -INFINITY;
}

void model_free(model *m) {
  int32_t slot;
  for (slot = CP_PAGE_SLOTS; slot < m->pages * CP_PAGE_SLOTS; slot++) {
    numbers_free(&m->nodes[slot].list);
  }
  numbers_free(&m->ready);
  numbers_free(&m->timed);
  free(m->nodes);
}

int model_open(model *m, int32_t page) {
  int32_t base = page * CP_PAGE_SLOTS;
  int32_t slot;
  if (page == m->pages) {
    size_t size = (size_t) ++m->pages * CP_PAGE_SLOTS * sizeof *m->nodes;
    m->nodes = realloc(m->nodes, size);
    CHECK(m->nodes != NULL);
    memset(m->nodes + base, 0, CP_PAGE_SLOTS * sizeof *m->nodes);
  }
  if (page < 1 || page > m->pages) return 0;
  for (slot = base; slot < base + CP_PAGE_SLOTS; slot++) {
    if (m->nodes[slot].role != FREED) return 0;
    numbers_free(&m->nodes[slot].list);
    memset(&m->nodes[slot], 0, sizeof *m->nodes);
    m->nodes[slot].role = PROMISE;
  }
  return 1;
}

static int has_role(const model *m, int32_t slot, role r) {
  return slot >= CP_PAGE_SLOTS && slot < m->pages * CP_PAGE_SLOTS &&
         m->nodes[slot].role == r;
}

int model_is_promise(const model *m, int32_t slot) {
  return has_role(m, slot, PROMISE) && !m->nodes[slot].dropped;
}

/* Waits for nothing, except perhaps for a deadline. */
static int is_free_to_wait(const model *m, int32_t slot) {
  return model_is_promise(m, slot) && m->nodes[slot].stands == NOWHERE &&
         m->nodes[slot].combinator == 0;
}

int model_is_idle(const model *m, int32_t slot) {
  return is_free_to_wait(m, slot) && !m->nodes[slot].timed;
}

static int is_fresh(const model *m, int32_t slot) {
  return model_is_idle(m, slot) && !m->nodes[slot].used;
}

static int looks_fresh(const model *m, int32_t slot) {
  return model_is_idle(m, slot) && m->nodes[slot].used &&
         m->nodes[slot].list.count == 0;
}

int model_cannot_tell(const model *m, int op, int32_t slot, int32_t arg) {
  int32_t i;
  if (op == CP_OP_COMBINE || op == CP_OP_WINDOW) return looks_fresh(m, slot);
  if (op == CP_OP_ITEM) return looks_fresh(m, arg);
  if (op != CP_OP_COUNT || arg > CP_PAGE_SLOTS) return 0;
  for (i = 0; i < arg; i++) {
    if (looks_fresh(m, slot + i)) return 1;
  }
  return 0;
}

static void make_ready(model *m, int32_t slot) {
  m->nodes[slot].stands = READY;
  numbers_add(&m->ready, slot);
}

static void make_job(model *m, int32_t slot, int32_t arg) {
  m->nodes[slot].job = 1;
  m->nodes[slot].arg = arg;
  make_ready(m, slot);
}

static void stand_in(model *m, int32_t slot, int32_t promise) {
  m->nodes[slot].stands = promise;
  numbers_add(&m->nodes[promise].list, slot);
}

static void leave(model *m, int32_t slot) {
  node *n = &m->nodes[slot];
  if (n->stands == NOWHERE) return;
  numbers_remove(&m->nodes[n->stands].list, slot);
  n->stands = NOWHERE;
}

static void become_item(node *n) {
  n->role = ITEM;
  n->combinator = n->carries;
  n->dropped = 0;
}

/* An item that has left its list, or a carrier, is done with. */
static void remove_item(model *m, int32_t slot) {
  node *n = &m->nodes[slot];
  if (n->role == PROMISE) {
    numbers_remove(&m->nodes[n->carries].list, slot);
    n->carries = 0;
  } else {
    numbers_remove(&m->nodes[n->combinator].list, slot);
    n->role = FREED;
  }
}

/* Takes all items of a combinator away. */
static void clear(model *m, int32_t combinator) {
  node *k = &m->nodes[combinator];
  int32_t i;
  for (i = 0; i < k->list.count; i++) {
    node *n = &m->nodes[k->list.at[i]];
    if (n->role == PROMISE) {
      n->carries = 0;
    } else {
      leave(m, k->list.at[i]);
      n->role = FREED;
    }
  }
  k->list.count = 0;
  m->nodes[k->owner].combinator = 0;
}

static void dissolve(model *m, int32_t combinator) {
  clear(m, combinator);
  m->nodes[combinator].role = FREED;
}

/* A grant that is ready already becomes this job. */
static void fire(model *m, int32_t combinator, int32_t index) {
  node *k = &m->nodes[combinator];
  clear(m, combinator);
  if (k->windowed) {
    k->fired = 1;
  } else {
    k->role = FREED;
  }
  m->nodes[k->owner].timed = 0;
  if (m->nodes[k->owner].stands == READY) {
    m->nodes[k->owner].arg = index;
  } else {
    make_job(m, k->owner, index);
  }
}

int model_deadline(model *m, int32_t slot, double deadline, int ref) {
  node *n;
  if (!model_is_promise(m, slot)) return CP_EINVAL;
  n = &m->nodes[slot];
  if (n->carries != 0) return CP_EINVAL;
  if (n->stands != NOWHERE && n->combinator == 0) {
    return n->job && n->stands == READY ? CP_OK : CP_EINVAL;
  }
  n->used = 1;
  if (!n->timed) numbers_add(&m->timed, slot);
  n->timed = deadline < INFINITY;
  n->ref = ref;
  n->deadline = deadline;
  n->order = m->next_order++;
  return CP_OK;
}

static int has_deadline(const model *m, int32_t slot) {
  return m->nodes[slot].role == PROMISE && m->nodes[slot].timed;
}

static int is_due_before(const node *a, const node *b) {
  return a->deadline < b->deadline ||
         (a->deadline == b->deadline && a->order < b->order);
}

/* The promise that is due first, or 0. */
static int32_t first_timed(model *m) {
  int32_t i, kept = 0, first = 0;
  for (i = 0; i < m->timed.count; i++) {
    int32_t slot = m->timed.at[i];
    if (!has_deadline(m, slot)) continue;
    m->timed.at[kept++] = slot;
    if (first == 0 || is_due_before(&m->nodes[slot], &m->nodes[first])) {
      first = slot;
    }
  }
  m->timed.count = kept;
  return first;
}

void model_expire(model *m) {
  int32_t slot;
  while ((slot = first_timed(m)) != 0) {
    node *n = &m->nodes[slot];
    if (n->deadline > m->now) return;
    n->timed = 0;
    if (n->combinator != 0) {
      fire(m, n->combinator, CP_DUE);
    } else {
      make_job(m, slot, CP_DUE);
    }
  }
}

double model_next_deadline(model *m) {
  int32_t slot = first_timed(m);
  return slot == 0 ? INFINITY : m->nodes[slot].deadline;
}

int64_t model_refs(const model *m) {
  int64_t refs = 0;
  int32_t slot;
  for (slot = CP_PAGE_SLOTS; slot < m->pages * CP_PAGE_SLOTS; slot++) {
    if (has_deadline(m, slot) && m->nodes[slot].ref) refs++;
  }
  return refs;
}

/* Items still wanted, fulfilled or rejected, until it is complete. */
static int32_t need_left(const node *k) {
  int shared = k->armed && k->slack == 0;
  return k->need - k->fulfilled - (shared ? k->rejected : 0) - k->done;
}

static int is_slack_used_up(const node *k) {
  return k->armed && k->slack > 0 && k->rejected >= k->slack;
}

static int is_complete(const node *k) {
  return is_slack_used_up(k) || (k->armed && need_left(k) <= 0);
}

static void grant(model *m, int32_t combinator) {
  node *k = &m->nodes[combinator];
  node *owner = &m->nodes[k->owner];
  int32_t room = k->limit - k->in_flight;
  int32_t left = need_left(k) - k->in_flight;
  if (left < room) room = left;
  if (!k->armed || room <= 0) return;
  k->in_flight += room;
  if (owner->stands == READY) {
    owner->arg -= room;
  } else {
    make_job(m, k->owner, -1 - room);
  }
}

static void count(model *m, int32_t item, int32_t outcome) {
  const node *n = &m->nodes[item];
  int32_t combinator = n->role == PROMISE ? n->carries : n->combinator;
  int32_t index = n->index;
  node *k = &m->nodes[combinator];
  remove_item(m, item);
  if (outcome == CP_FULFILLED) {
    if (k->fulfilled++ == 0 && !k->windowed) k->first_fulfilled = index;
  } else {
    if (k->rejected++ == 0) k->first_rejected = index;
  }
  if (k->in_flight > 0) k->in_flight--;
  if (is_complete(k)) {
    fire(m, combinator, index);
  } else if (k->windowed) {
    grant(m, combinator);
  }
}

static void settle(model *m, int32_t slot, int32_t outcome) {
  node *n = &m->nodes[slot];
  if (n->combinator != 0) dissolve(m, n->combinator);
  if (n->carries != 0) count(m, slot, outcome);
  while (n->list.count > 0) {
    int32_t reaction = n->list.at[0];
    leave(m, reaction);
    if (m->nodes[reaction].role == ITEM) {
      count(m, reaction, outcome);
    } else {
      make_ready(m, reaction);
    }
  }
  n->role = FREED;
}

static void merge(model *m, int32_t from, int32_t into) {
  numbers list = m->nodes[from].list;
  int32_t i;
  memset(&m->nodes[from].list, 0, sizeof list);
  if (m->nodes[from].carries != 0) {
    become_item(&m->nodes[from]);
    stand_in(m, from, into);
  } else {
    m->nodes[from].role = FREED;
  }
  for (i = 0; i < list.count; i++) stand_in(m, list.at[i], into);
  numbers_free(&list);
}

static void drop(model *m, int32_t slot) {
  node *n = &m->nodes[slot];
  while (n->list.count > 0) {
    int32_t reaction = n->list.at[0];
    leave(m, reaction);
    if (m->nodes[reaction].role == ITEM) {
      remove_item(m, reaction);
    } else if (m->nodes[reaction].dropped) {
      m->nodes[reaction].role = FREED;
    }
  }
  if (n->carries != 0) remove_item(m, slot);
  if (n->combinator != 0) {
    dissolve(m, n->combinator);
  }
  n->timed = 0;
  if (n->stands == NOWHERE) {
    n->role = FREED;
  } else {
    n->dropped = 1;
  }
}

static void combine(model *m, int32_t slot, int32_t owner) {
  m->nodes[slot].role = COMBINATOR;
  m->nodes[slot].owner = owner;
  m->nodes[slot].first_fulfilled = -1;
  m->nodes[slot].first_rejected = -1;
  m->nodes[owner].combinator = slot;
  m->combinator = slot;
  m->index = 0;
}

static void add_item(model *m, int32_t promise, int32_t slot) {
  node *item = &m->nodes[slot];
  if (m->nodes[m->combinator].fired) {
    item->role = FREED;
    return;
  }
  item->role = ITEM;
  item->combinator = m->combinator;
  item->index = m->index++;
  stand_in(m, slot, promise);
  numbers_add(&m->nodes[m->combinator].list, slot);
}

static void load(model *m, int32_t first, int32_t number) {
  int32_t slot;
  for (slot = first; slot < first + number; slot++) {
    m->nodes[slot].used = 1;
    if (m->nodes[m->combinator].fired) continue;
    m->nodes[slot].carries = m->combinator;
    m->nodes[slot].index = m->index++;
    numbers_add(&m->nodes[m->combinator].list, slot);
  }
}

static void arm(model *m, int32_t slot, int32_t slack) {
  node *k = &m->nodes[slot];
  k->armed = 1;
  k->slack = slack;
  if (!is_complete(k)) {
    if (k->windowed) grant(m, slot);
    return;
  }
  fire(m, slot, is_slack_used_up(k) ? k->first_rejected : k->first_fulfilled);
}

static void need(model *m, int32_t slot, int32_t arg) {
  node *k = &m->nodes[slot];
  if (k->fired) return;
  if (!k->windowed) {
    k->need += arg;
    return;
  }
  k->need = arg;
  if (is_complete(k)) fire(m, slot, -1);
}

/* The next one that a line may start, which leaves its lane, or 0. */
static int32_t next_in_line(model *m, int32_t line) {
  const numbers *lanes = &m->nodes[line].list;
  int32_t i;
  for (i = 0; i < lanes->count; i++) {
    if (m->nodes[lanes->at[i]].list.count > 0) {
      int32_t promise = m->nodes[lanes->at[i]].list.at[0];
      leave(m, promise);
      return promise;
    }
  }
  return 0;
}

/* Makes one that has left its lane ready; 0 if it was dropped. */
static int start(model *m, int32_t promise, int32_t arg) {
  if (m->nodes[promise].dropped) {
    m->nodes[promise].role = FREED;
    return 0;
  }
  make_job(m, promise, arg);
  return 1;
}

static void grant_places(model *m, int32_t line) {
  int32_t promise;
  while (m->nodes[line].in_flight < m->nodes[line].limit &&
         (promise = next_in_line(m, line)) != 0) {
    m->nodes[line].in_flight += start(m, promise, 0);
  }
}

static void add_lane(model *m, int32_t slot, int32_t after) {
  int32_t line = m->nodes[after].role == LANE ? m->nodes[after].owner : after;
  numbers *lanes = &m->nodes[line].list;
  int32_t place = 0;
  if (after != line) {
    while (lanes->at[place++] != after) CHECK_LE(place + 1, lanes->count);
  }
  m->nodes[slot].role = LANE;
  m->nodes[slot].owner = line;
  numbers_add(lanes, slot);
  memmove(lanes->at + place + 1, lanes->at + place,
          (size_t) (lanes->count - 1 - place) * sizeof *lanes->at);
  lanes->at[place] = slot;
}

static int waits_anybody(const model *m, int32_t line) {
  const numbers *lanes = &m->nodes[line].list;
  int32_t i;
  for (i = 0; i < lanes->count; i++) {
    if (m->nodes[lanes->at[i]].list.count > 0) return 1;
  }
  return 0;
}

static void close_line(model *m, int32_t line) {
  const numbers *lanes = &m->nodes[line].list;
  int32_t i;
  for (i = 0; i < lanes->count; i++) m->nodes[lanes->at[i]].role = FREED;
  m->nodes[line].role = FREED;
}

static int is_count(int32_t arg) {
  return arg >= 0 && arg <= 1 << CP_SLOT_BITS;
}

static int are_fresh(const model *m, int32_t first, int32_t number) {
  int32_t i;
  if (number < 1 || number > CP_PAGE_SLOTS) return 0;
  if (first % CP_PAGE_SLOTS + number > CP_PAGE_SLOTS) return 0;
  for (i = 0; i < number; i++) {
    if (!is_fresh(m, first + i)) return 0;
  }
  return 1;
}

/* Whether a command concerns a line. */
static int is_of_line(const model *m, int op, int32_t slot, int32_t arg) {
  if (op == CP_OP_WINDOW) return has_role(m, slot, LINE) || is_fresh(m, slot);
  if (op == CP_OP_COMBINE) {
    return has_role(m, arg, LINE) || has_role(m, arg, LANE);
  }
  return has_role(m, slot, LINE);
}

static int is_valid_of_line(const model *m, int op, int32_t slot, int32_t arg) {
  switch (op) {
    case CP_OP_WINDOW:
      return is_count(arg);
    case CP_OP_COMBINE:
      return is_fresh(m, slot);
    case CP_OP_DONE:
      return arg >= 0 && arg <= m->nodes[slot].in_flight;
    case CP_OP_FIRE:
      return 1;
    case CP_OP_DROP:
      return !waits_anybody(m, slot);
    default:
      return 0;
  }
}

static void apply_to_line(model *m, int op, int32_t slot, int32_t arg) {
  int32_t promise;
  switch (op) {
    case CP_OP_WINDOW:
      m->nodes[slot].role = LINE;
      m->nodes[slot].limit = arg;
      grant_places(m, slot);
      break;
    case CP_OP_COMBINE:
      add_lane(m, slot, arg);
      break;
    case CP_OP_DONE:
      m->nodes[slot].in_flight -= arg;
      grant_places(m, slot);
      break;
    case CP_OP_FIRE:
      while ((promise = next_in_line(m, slot)) != 0) start(m, promise, arg);
      break;
    default:
      close_line(m, slot);
  }
}

/* A combinator that knows nothing yet but its owner. */
static int is_untouched(const node *k) {
  return !k->windowed && !k->armed && !k->fired && k->list.count == 0 &&
         k->need == 0 && k->fulfilled == 0 && k->rejected == 0;
}

static int is_valid(const model *m, int op, int32_t slot, int32_t arg) {
  int combinator = has_role(m, slot, COMBINATOR);
  if (is_of_line(m, op, slot, arg)) return is_valid_of_line(m, op, slot, arg);
  switch (op) {
    case CP_OP_THEN:
      return slot != arg &&
             (model_is_promise(m, slot) || has_role(m, slot, LANE)) &&
             model_is_idle(m, arg);
    case CP_OP_NOW:
    case CP_OP_JOB:
      return model_is_idle(m, slot);
    case CP_OP_SETTLE:
      return model_is_promise(m, slot) && m->nodes[slot].stands == NOWHERE &&
             (arg == CP_FULFILLED || arg == CP_REJECTED);
    case CP_OP_MERGE:
      return slot != arg && model_is_idle(m, slot) && model_is_promise(m, arg);
    case CP_OP_COMBINE:
      return slot != arg && is_fresh(m, slot) && is_free_to_wait(m, arg);
    case CP_OP_USE:
      return combinator && is_count(arg);
    case CP_OP_ITEM:
      return slot != arg && model_is_promise(m, slot) && is_fresh(m, arg) &&
             has_role(m, m->combinator, COMBINATOR);
    case CP_OP_NEED:
      if (!combinator || !is_count(arg)) return 0;
      if (m->nodes[slot].fired) return 1;
      return m->nodes[slot].windowed ? need_left(&m->nodes[slot]) > UNKNOWN / 2
                                     : need_left(&m->nodes[slot]) <= 0;
    case CP_OP_SLACK:
      return combinator && is_count(arg) && !m->nodes[slot].armed &&
             !m->nodes[slot].fired;
    case CP_OP_WINDOW:
      return combinator && is_count(arg) && arg > 0 &&
             is_untouched(&m->nodes[slot]);
    case CP_OP_DONE:
    case CP_OP_YIELD:
      if (!combinator || !is_count(arg)) return 0;
      if (m->nodes[slot].fired) return 1;
      return m->nodes[slot].windowed && m->nodes[slot].armed &&
             arg <= (op == CP_OP_DONE ? need_left(&m->nodes[slot])
                                      : m->nodes[slot].in_flight);
    case CP_OP_FIRE:
      return combinator;
    case CP_OP_COUNT:
      return are_fresh(m, slot, arg) && has_role(m, m->combinator, COMBINATOR);
    case CP_OP_DROP:
      return model_is_promise(m, slot) || (combinator && m->nodes[slot].fired);
    default:
      return 0;
  }
}

static void apply(model *m, int op, int32_t slot, int32_t arg) {
  switch (op) {
    case CP_OP_THEN:
      stand_in(m, arg, slot);
      break;
    case CP_OP_NOW:
      make_ready(m, slot);
      break;
    case CP_OP_JOB:
      make_job(m, slot, arg);
      break;
    case CP_OP_SETTLE:
      settle(m, slot, arg);
      break;
    case CP_OP_MERGE:
      merge(m, slot, arg);
      break;
    case CP_OP_COMBINE:
      combine(m, slot, arg);
      break;
    case CP_OP_USE:
      m->combinator = slot;
      m->index = arg;
      break;
    case CP_OP_ITEM:
      add_item(m, slot, arg);
      break;
    case CP_OP_NEED:
      need(m, slot, arg);
      break;
    case CP_OP_SLACK:
      arm(m, slot, arg);
      break;
    case CP_OP_FIRE:
      if (!m->nodes[slot].fired) fire(m, slot, arg);
      break;
    case CP_OP_COUNT:
      load(m, slot, arg);
      break;
    case CP_OP_WINDOW:
      m->nodes[slot].windowed = 1;
      m->nodes[slot].limit = arg;
      m->nodes[slot].need = UNKNOWN;
      break;
    case CP_OP_DONE:
      if (m->nodes[slot].fired) break;
      m->nodes[slot].done += arg;
      if (is_complete(&m->nodes[slot])) fire(m, slot, -1);
      break;
    case CP_OP_YIELD:
      if (m->nodes[slot].fired) break;
      m->nodes[slot].in_flight -= arg;
      grant(m, slot);
      break;
    default:
      if (m->nodes[slot].role == COMBINATOR) {
        m->nodes[slot].role = FREED;
      } else {
        drop(m, slot);
      }
  }
}

static void mark_used(model *m, int32_t slot) {
  if (has_role(m, slot, PROMISE)) m->nodes[slot].used = 1;
}

int model_apply(model *m, int op, int32_t slot, int32_t arg) {
  int of_line = is_of_line(m, op, slot, arg);
  if (!is_valid(m, op, slot, arg)) return CP_EINVAL;
  mark_used(m, slot);
  if (op == CP_OP_THEN || op == CP_OP_MERGE || op == CP_OP_COMBINE ||
      op == CP_OP_ITEM) {
    mark_used(m, arg);
  }
  if (of_line) {
    apply_to_line(m, op, slot, arg);
    return CP_OK;
  }
  apply(m, op, slot, arg);
  return CP_OK;
}

int model_is_ready(const model *m) {
  return m->shown < m->ready.count;
}

int32_t model_fill(model *m, int32_t *window) {
  int32_t words = 0;
  while (model_is_ready(m) && words < CP_WINDOW - 1) {
    int32_t slot = m->ready.at[m->shown++];
    node *n = &m->nodes[slot];
    n->stands = NOWHERE;
    if (n->dropped) {
      n->role = FREED;
    } else if (n->job) {
      window[words++] = -slot;
      window[words++] = n->arg;
    } else {
      window[words++] = slot;
    }
    n->job = 0;
  }
  if (!model_is_ready(m)) m->shown = m->ready.count = 0;
  return words;
}

static int32_t page_live(const model *m, int32_t page) {
  int32_t base = page * CP_PAGE_SLOTS;
  int32_t live = 0;
  int32_t i;
  for (i = 0; i < CP_PAGE_SLOTS; i++) {
    if (m->nodes[base + i].role != FREED) live++;
  }
  return live;
}

int64_t model_live(const model *m) {
  int64_t live = 0;
  int32_t page;
  for (page = 1; page < m->pages; page++) live += page_live(m, page);
  return live;
}

int64_t model_live_pages(const model *m) {
  int64_t live = 0;
  int32_t page;
  for (page = 1; page < m->pages; page++) live += page_live(m, page) > 0;
  return live;
}

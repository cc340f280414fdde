#include "combinator.h"

void cp__combinator_init(cp__slots *slots, int32_t slot, int32_t owner) {
  cp__slot *k = &slots->at[slot];
  k->need = 0;
  k->slack = 0;
  k->items = 0;
  k->flags = CP__COMBINATOR;
  slots->extra[slot].arg = owner;
  slots->extra[slot].first_fulfilled = -1;
  slots->extra[slot].first_rejected = -1;
  slots->extra[owner].waits_for = slot;
  slots->at[owner].flags |= CP__COMBINED;
}

/* Puts a slot at the head of the chain of a combinator. */
static void chain(cp__slots *slots, int32_t combinator, int32_t slot) {
  cp__slot *k = &slots->at[combinator];
  slots->extra[slot].chain = k->items;
  slots->extra[slot].back = 0;
  if (k->items != 0) slots->extra[k->items].back = slot;
  k->items = slot;
}

void cp__combinator_add(cp__slots *slots, int32_t combinator, int32_t index,
                        int32_t promise, int32_t slot) {
  cp__slot *parent = &slots->at[promise];
  cp__slot *item = &slots->at[slot];
  item->flags = CP__ITEM | CP__LINKED;
  item->prev = parent->first == 0 ? ~promise : parent->last;
  item->combinator = combinator;
  slots->extra[slot].index = index;
  chain(slots, combinator, slot);
  cp__slots_append(slots, promise, slot);
  parent->flags |= CP__HAS_ITEMS;
}

void cp__combinator_load(cp__slots *slots, int32_t combinator, int32_t index,
                         int32_t slot) {
  slots->at[slot].flags |= CP__CARRIER;
  slots->extra[slot].index = index;
  slots->extra[slot].combinator = combinator;
  chain(slots, combinator, slot);
}

/* The combinator of an item, or of the item that a promise carries. */
static int32_t combinator_of(const cp__slots *slots, int32_t item) {
  return slots->at[item].flags & CP__CARRIER ? slots->extra[item].combinator
                                             : slots->at[item].combinator;
}

/* Gives an item back that has left its chain and its list. */
static void discard(cp__slots *slots, int32_t item) {
  if (slots->at[item].flags & CP__CARRIER) {
    slots->at[item].flags &= ~(uint32_t) CP__CARRIER;
  } else {
    cp__slots_release(slots, item);
  }
}

void cp__combinator_remove(cp__slots *slots, int32_t item) {
  const cp__extra *extra = &slots->extra[item];
  if (extra->chain != 0) slots->extra[extra->chain].back = extra->back;
  if (extra->back != 0) {
    slots->extra[extra->back].chain = extra->chain;
  } else {
    slots->at[combinator_of(slots, item)].items = extra->chain;
  }
  discard(slots, item);
}

void cp__combinator_need(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t count) {
  cp__slot *k = &slots->at[combinator];
  if (!(k->flags & CP__WINDOW)) {
    k->need += count;
    return;
  }
  k->need += count - CP__UNKNOWN;
  if (k->need <= 0 && (k->flags & CP__ARMED)) {
    cp__combinator_fire(slots, queue, combinator, -1);
  }
}

void cp__combinator_window(cp__slots *slots, int32_t combinator,
                           int32_t limit) {
  slots->at[combinator].flags |= CP__WINDOW;
  slots->at[combinator].need = CP__UNKNOWN;
  slots->extra[combinator].limit = limit;
  slots->extra[combinator].in_flight = 0;
}

/* Grants as many places as there are. A grant is the negative number in the
 * window; one that is still in the queue grows. */
static void grant(cp__slots *slots, cp__queue *queue, int32_t combinator) {
  cp__extra *extra = &slots->extra[combinator];
  int32_t owner = extra->arg;
  int32_t room = extra->limit - extra->in_flight;
  int32_t left = slots->at[combinator].need - extra->in_flight;
  if (left < room) room = left;
  if (room <= 0 || !(slots->at[combinator].flags & CP__ARMED)) return;
  extra->in_flight += room;
  if (slots->at[owner].flags & CP__LINKED) {
    slots->extra[owner].arg -= room;
  } else {
    slots->extra[owner].arg = -1 - room;
    slots->at[owner].flags |= CP__JOB;
    cp__queue_push(queue, slots, owner);
  }
}

void cp__combinator_done(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t count) {
  cp__slot *k = &slots->at[combinator];
  k->need -= count;
  if (k->need <= 0) cp__combinator_fire(slots, queue, combinator, -1);
}

void cp__combinator_yield(cp__slots *slots, cp__queue *queue,
                          int32_t combinator, int32_t count) {
  slots->extra[combinator].in_flight -= count;
  grant(slots, queue, combinator);
}

void cp__combinator_arm(cp__slots *slots, cp__queue *queue, int32_t combinator,
                        int32_t slack) {
  cp__slot *k = &slots->at[combinator];
  const cp__extra *extra = &slots->extra[combinator];
  k->flags |= CP__ARMED;
  if (slack == 0) {
    /* Rejections counted so far stand in slack, as negative numbers. */
    k->need += k->slack;
    k->flags |= CP__SHARED;
  } else {
    k->slack += slack;
    if (k->slack <= 0) {
      cp__combinator_fire(slots, queue, combinator, extra->first_rejected);
      return;
    }
  }
  if (k->flags & CP__WINDOW) {
    if (k->need <= 0) {
      cp__combinator_fire(slots, queue, combinator, -1);
    } else {
      grant(slots, queue, combinator);
    }
  } else if (k->need <= 0) {
    cp__combinator_fire(slots, queue, combinator, extra->first_fulfilled);
  }
}

void cp__combinator_count(cp__slots *slots, cp__queue *queue, int32_t item,
                          int32_t outcome) {
  int32_t combinator = combinator_of(slots, item);
  int32_t index = slots->extra[item].index;
  cp__slot *k = &slots->at[combinator];
  cp__extra *extra = &slots->extra[combinator];
  int rejected = outcome == CP_REJECTED && !(k->flags & CP__SHARED);
  int32_t left = rejected ? --k->slack : --k->need;
  cp__combinator_remove(slots, item);
  if ((k->flags & CP__WINDOW) && extra->in_flight > 0) extra->in_flight--;
  if (k->flags & CP__ARMED) {
    if (left == 0) {
      cp__combinator_fire(slots, queue, combinator, index);
    } else if (k->flags & CP__WINDOW) {
      grant(slots, queue, combinator);
    }
  } else if (rejected) {
    if (extra->first_rejected < 0) extra->first_rejected = index;
  } else if (!(k->flags & CP__WINDOW)) {
    if (extra->first_fulfilled < 0) extra->first_fulfilled = index;
  }
}

/* Takes all items of a combinator away. */
static void clear(cp__slots *slots, int32_t combinator) {
  int32_t item = slots->at[combinator].items;
  while (item != 0) {
    int32_t next = slots->extra[item].chain;
    if (slots->at[item].flags & CP__ITEM) cp__slots_unlink(slots, item);
    discard(slots, item);
    item = next;
  }
  slots->at[combinator].items = 0;
  slots->at[slots->extra[combinator].arg].flags &= ~(uint32_t) CP__COMBINED;
}

void cp__combinator_dissolve(cp__slots *slots, int32_t combinator) {
  clear(slots, combinator);
  cp__slots_release(slots, combinator);
}

void cp__combinator_fire(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t index) {
  int32_t owner = slots->extra[combinator].arg;
  clear(slots, combinator);
  if (slots->at[combinator].flags & CP__WINDOW) {
    slots->at[combinator].flags = CP__COMBINATOR | CP__FIRED;
  } else {
    cp__slots_release(slots, combinator);
  }
  if (slots->at[owner].flags & CP__TIMED) cp__timers_clear(slots, owner);
  slots->extra[owner].arg = index;
  slots->at[owner].flags |= CP__JOB;
  /* A grant may be waiting there already: then it becomes this. */
  if (!(slots->at[owner].flags & CP__LINKED)) {
    cp__queue_push(queue, slots, owner);
  }
}

/* Checks one combinator; adds its items to *items. */
static const char *check_one(const cp__slots *slots, int32_t combinator,
                             int64_t *items) {
  int64_t budget = (int64_t) slots->pages << CP_PAGE_BITS;
  const cp__slot *k = &slots->at[combinator];
  int32_t owner = slots->extra[combinator].arg;
  int32_t item = k->items;
  int32_t back = 0;
  if (k->flags & CP__FIRED) {
    return item == 0 ? NULL : "a combinator that has fired has items";
  }
  if (!cp__slots_hold(slots, owner) ||
      !(slots->at[owner].flags & CP__COMBINED) ||
      slots->extra[owner].waits_for != combinator) {
    return "a combinator and its owner disagree";
  }
  while (item != 0) {
    uint32_t flags;
    if (!cp__slots_hold(slots, item))
      return "a chain of items leaves the pages";
    if (budget-- == 0) return "a chain of items runs in a circle";
    flags = slots->at[item].flags;
    if (flags & CP__FREE) return "a chain holds a free slot";
    if (!(flags & (CP__ITEM | CP__CARRIER))) {
      return "a chain holds a slot that is no item";
    }
    if (combinator_of(slots, item) != combinator) {
      return "an item belongs to another combinator";
    }
    if ((flags & CP__ITEM) && !(flags & CP__LINKED)) {
      return "an item stands in no list";
    }
    if (slots->extra[item].back != back) {
      return "a chain of items points back at the wrong one";
    }
    back = item;
    ++*items;
    item = slots->extra[item].chain;
  }
  if ((k->flags & CP__WINDOW) &&
      slots->extra[combinator].in_flight > slots->extra[combinator].limit) {
    return "more is in flight than the window allows";
  }
  if ((k->flags & CP__ARMED) &&
      (k->need <= 0 || (!(k->flags & CP__SHARED) && k->slack <= 0))) {
    return "a complete combinator has not fired";
  }
  return NULL;
}

const char *cp__combinator_check(const cp__slots *slots) {
  int32_t end = slots->pages << CP_PAGE_BITS;
  int64_t items = 0;   /* live items, less those that a chain holds */
  int64_t waiting = 0; /* promises that wait for one, less combinators */
  int32_t slot;
  for (slot = CP_PAGE_SLOTS; slot < end; slot++) {
    uint32_t flags = slots->at[slot].flags;
    if (flags & (CP__ITEM | CP__CARRIER)) items++;
    if (flags & CP__COMBINED) waiting++;
    if (flags & CP__COMBINATOR) {
      int64_t chained = 0;
      const char *fault = check_one(slots, slot, &chained);
      if (fault != NULL) return fault;
      items -= chained;
      if (!(flags & CP__FIRED)) waiting--;
    }
  }
  if (items != 0) return "an item belongs to no combinator";
  return waiting == 0 ? NULL : "a promise waits for no combinator";
}

#include "slots.h"

#include <string.h>

enum { MAX_PAGES = 1 << (CP_SLOT_BITS - CP_PAGE_BITS) };

void cp__slots_init(cp__slots *slots, const cp_allocator *allocator) {
  memset(slots, 0, sizeof *slots);
  slots->allocator = *allocator;
  slots->pages = 1; /* page 0 is never handed out */
}

void cp__slots_destroy(cp__slots *slots) {
  cp_allocator *a = &slots->allocator;
  a->release(a->context, slots->timers.at);
  a->release(a->context, slots->closed);
  a->release(a->context, slots->live);
  a->release(a->context, slots->extra);
  a->release(a->context, slots->at);
}

/* Each array is replaced as soon as it has been resized, so a failure half
 * way leaves some arrays larger than `capacity` says, which harms nothing. */
static int grow(cp__slots *slots) {
  cp_allocator *a = &slots->allocator;
  size_t capacity = slots->capacity ? (size_t) slots->capacity * 2
                                    : (size_t) CP_INITIAL_PAGES;
  size_t records;
  void *p;
  if (capacity > MAX_PAGES) capacity = MAX_PAGES;
  records = capacity << CP_PAGE_BITS;
  p = a->resize(a->context, slots->at, records * sizeof *slots->at);
  if (p == NULL) return CP_ENOMEM;
  slots->at = p;
  p = a->resize(a->context, slots->extra, records * sizeof *slots->extra);
  if (p == NULL) return CP_ENOMEM;
  slots->extra = p;
  p = a->resize(a->context, slots->live, capacity * sizeof *slots->live);
  if (p == NULL) return CP_ENOMEM;
  slots->live = p;
  p = a->resize(a->context, slots->closed, capacity * sizeof *slots->closed);
  if (p == NULL) return CP_ENOMEM;
  slots->closed = p;
  slots->capacity = (int32_t) capacity;
  return CP_OK;
}

int32_t cp__slots_open(cp__slots *slots) {
  int32_t page;
  if (slots->closed_count > 0) {
    page = slots->closed[--slots->closed_count];
  } else {
    if (slots->pages >= MAX_PAGES) return CP_ELIMIT;
    if (slots->pages >= slots->capacity) {
      int status = grow(slots);
      if (status != CP_OK) return status;
    }
    page = slots->pages++;
  }
  slots->live[page] = CP_PAGE_SLOTS;
  memset(&slots->at[(size_t) page << CP_PAGE_BITS], 0,
         CP_PAGE_SLOTS * sizeof *slots->at);
  return page;
}

double cp__slots_bytes(const cp__slots *slots) {
  double slot_bytes = (double) (sizeof *slots->at + sizeof *slots->extra);
  double page_bytes = (double) (sizeof *slots->live + sizeof *slots->closed);
  return slots->capacity * (CP_PAGE_SLOTS * slot_bytes + page_bytes) +
         slots->timers.capacity * (double) sizeof *slots->timers.at;
}

void cp__slots_unlink(cp__slots *slots, int32_t slot) {
  cp__slot *item = &slots->at[slot];
  int32_t prev = item->prev;
  int32_t next = item->next;
  cp_assert((item->flags & (CP__ITEM | CP__LINKED)) == (CP__ITEM | CP__LINKED));
  if (prev < 0) {
    slots->at[~prev].first = next > 0 ? next : 0;
  } else {
    slots->at[prev].next = next;
  }
  if (next < 0) {
    slots->at[~next].last = prev > 0 ? prev : 0;
  } else if (slots->at[next].flags & CP__ITEM) {
    slots->at[next].prev = prev;
  }
  item->flags &= ~(uint32_t) CP__LINKED;
}

int32_t cp__slots_shift(cp__slots *slots, int32_t promise) {
  cp__slot *parent = &slots->at[promise];
  int32_t slot = parent->first;
  int32_t next;
  if (slot == 0) return 0;
  next = slots->at[slot].next;
  if (next < 0) {
    parent->first = 0;
    parent->last = 0;
  } else {
    parent->first = next;
    if (slots->at[next].flags & CP__ITEM) slots->at[next].prev = ~promise;
  }
  slots->at[slot].flags &= ~(uint32_t) CP__LINKED;
  return slot;
}

/* Turns carrier `slot`, whose reactions are taken care of, into the item that
 * it carried, last in the list of `promise`. */
static void unload(cp__slots *slots, int32_t slot, int32_t promise) {
  cp__slot *target = &slots->at[promise];
  cp__slot *item = &slots->at[slot];
  item->flags = CP__ITEM | CP__LINKED;
  item->prev = target->first == 0 ? ~promise : target->last;
  item->combinator = slots->extra[slot].combinator;
  cp__slots_append(slots, promise, slot);
  target->flags |= CP__HAS_ITEMS;
}

void cp__slots_merge(cp__slots *slots, int32_t from, int32_t into) {
  cp__slot *target = &slots->at[into];
  int32_t first = slots->at[from].first;
  int32_t last = slots->at[from].last;
  target->flags |= slots->at[from].flags & CP__HAS_ITEMS;
  slots->at[from].first = 0;
  slots->at[from].last = 0;
  if (slots->at[from].flags & CP__CARRIER) {
    unload(slots, from, into);
  } else {
    cp__slots_release(slots, from);
  }
  if (first == 0) return;
  if (slots->at[first].flags & CP__ITEM) {
    slots->at[first].prev = target->first == 0 ? ~into : target->last;
  }
  if (target->first == 0) {
    target->first = first;
  } else {
    slots->at[target->last].next = first;
  }
  target->last = last;
  slots->at[last].next = ~into;
}

static const char *check_list(const cp__slots *slots, int32_t promise,
                              int64_t *linked) {
  const cp__slot *parent = &slots->at[promise];
  int64_t budget = (int64_t) slots->pages << CP_PAGE_BITS;
  int32_t prev = ~promise;
  int32_t slot = parent->first;
  if (slot == 0) {
    return parent->last == 0 ? NULL : "an empty list has a last reaction";
  }
  while (slot > 0) {
    const cp__slot *s = &slots->at[slot];
    if (!cp__slots_hold(slots, slot)) return "a list leaves the pages";
    if (budget-- == 0) return "a list runs in a circle";
    if (s->flags & CP__FREE) return "a free slot stands in a list";
    if (!(s->flags & CP__LINKED)) return "a listed slot is not marked linked";
    if (s->flags & CP__COMBINATOR) return "a combinator stands in a list";
    if (s->flags & CP__JOB) return "a job stands in a reaction list";
    if (s->flags & CP__ITEM) {
      if (!(parent->flags & CP__HAS_ITEMS)) return "a list hides an item";
      if (s->prev != prev) return "an item points back at the wrong slot";
    }
    ++*linked;
    prev = slot;
    slot = s->next;
  }
  if (slot != ~promise) return "a list ends at another promise";
  return prev == parent->last ? NULL : "a list ends before its last reaction";
}

static const char *check_promise(const cp__slots *slots, int32_t promise,
                                 int64_t *linked) {
  const cp__slot *s = &slots->at[promise];
  if ((s->flags & CP__JOB) && !(s->flags & CP__LINKED)) {
    return "a job is not ready";
  }
  if ((s->flags & (CP__COMBINED | CP__LINKED | CP__JOB)) ==
      (CP__COMBINED | CP__LINKED)) {
    return "a promise waits for a combinator and stands in a list";
  }
  if ((s->flags & CP__DEAD) && (!(s->flags & CP__LINKED) || s->first != 0)) {
    return "a dropped promise should have been given back";
  }
  return check_list(slots, promise, linked);
}

/* The stack of closed pages holds `count` pages, whose numbers add up to
 * `sum`, and no other. */
static const char *check_closed(const cp__slots *slots, int32_t count,
                                int64_t sum) {
  int32_t i;
  if (count != slots->closed_count) return "a closed page is mislaid";
  for (i = 0; i < count; i++) {
    int32_t page = slots->closed[i];
    if (page < 1 || page >= slots->pages || slots->live[page] != 0) {
      return "an open page waits for reuse";
    }
    sum -= page;
  }
  return sum == 0 ? NULL : "a closed page waits twice";
}

const char *cp__slots_check(const cp__slots *slots, int64_t *linked) {
  int32_t closed = 0;
  int64_t closed_sum = 0;
  int32_t page;
  for (page = 1; page < slots->pages; page++) {
    int32_t base = page << CP_PAGE_BITS;
    int32_t live = 0;
    int32_t slot;
    for (slot = base; slot < base + CP_PAGE_SLOTS; slot++) {
      const char *fault;
      uint32_t flags = slots->at[slot].flags;
      if (flags & CP__FREE) {
        if (flags != CP__FREE) return "a free slot has a role";
        continue;
      }
      live++;
      if (flags & (CP__ITEM | CP__COMBINATOR | CP__LINE)) continue;
      fault = check_promise(slots, slot, linked);
      if (fault != NULL) return fault;
    }
    if (live != slots->live[page]) return "a page miscounts its live slots";
    if (live == 0) {
      closed++;
      closed_sum += page;
    }
  }
  return check_closed(slots, closed, closed_sum);
}

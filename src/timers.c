#include "timers.h"

#include "slots.h"

enum {
  CHILDREN = 4,
#ifdef CP_INITIAL_TIMERS
  INITIAL = CP_INITIAL_TIMERS
#else
  INITIAL = 1024
#endif
};

int cp__timers_reserve(cp__slots *slots, int32_t room) {
  cp__timers *timers = &slots->timers;
  cp_allocator *a = &slots->allocator;
  int32_t capacity = timers->capacity;
  void *p;
  if (capacity - timers->count >= room) return CP_OK;
  if (capacity == 0) capacity = INITIAL;
  /* Never more than one deadline a slot: no overflow. */
  while (capacity - timers->count < room) capacity *= 2;
  p = a->resize(a->context, timers->at, (size_t) capacity * sizeof *timers->at);
  if (p == NULL) return CP_ENOMEM;
  timers->at = p;
  timers->capacity = capacity;
  return CP_OK;
}

static inline int is_before(const cp__timer *a, const cp__timer *b) {
  return a->deadline < b->deadline ||
         (a->deadline == b->deadline && a->order < b->order);
}

static inline void put(cp__slots *slots, int32_t position, cp__timer timer) {
  slots->timers.at[position] = timer;
  slots->extra[timer.slot].position = position;
}

/* Puts `timer` where it belongs, `position` or above. */
static void rise(cp__slots *slots, int32_t position, cp__timer timer) {
  const cp__timer *at = slots->timers.at;
  while (position > 0) {
    int32_t parent = (position - 1) / CHILDREN;
    if (!is_before(&timer, &at[parent])) break;
    put(slots, position, at[parent]);
    position = parent;
  }
  put(slots, position, timer);
}

/* Puts `timer` where it belongs, `position` or below. */
static void sink(cp__slots *slots, int32_t position, cp__timer timer) {
  const cp__timer *at = slots->timers.at;
  int32_t count = slots->timers.count;
  for (;;) {
    int32_t child = CHILDREN * position + 1;
    int32_t first = child;
    int32_t end = child + CHILDREN < count ? child + CHILDREN : count;
    if (child >= count) break;
    while (++child < end) {
      if (is_before(&at[child], &at[first])) first = child;
    }
    if (!is_before(&at[first], &timer)) break;
    put(slots, position, at[first]);
    position = first;
  }
  put(slots, position, timer);
}

void cp__timers_set(cp__slots *slots, int32_t slot, double deadline,
                    int32_t ref) {
  cp__timers *timers = &slots->timers;
  cp__timer timer = {deadline, 0, slot, ref};
  cp_assert(ref == 0 || ref == 1);
  if (slots->at[slot].flags & CP__TIMED) cp__timers_clear(slots, slot);
  cp_assert(timers->count < timers->capacity);
  slots->at[slot].flags |= CP__TIMED;
  timer.order = timers->next_order++;
  timers->refs += ref;
  rise(slots, timers->count++, timer);
}

void cp__timers_clear(cp__slots *slots, int32_t slot) {
  cp__timers *timers = &slots->timers;
  int32_t position = slots->extra[slot].position;
  cp__timer last;
  cp_assert(slots->at[slot].flags & CP__TIMED);
  cp_assert(timers->at[position].slot == slot);
  slots->at[slot].flags &= ~(uint32_t) CP__TIMED;
  timers->refs -= timers->at[position].ref;
  last = timers->at[--timers->count];
  if (last.slot == slot) return;
  if (is_before(&last, &timers->at[position])) {
    rise(slots, position, last);
  } else {
    sink(slots, position, last);
  }
}

int32_t cp__timers_take(cp__slots *slots, double now) {
  const cp__timers *timers = &slots->timers;
  int32_t slot;
  if (timers->count == 0 || !(timers->at[0].deadline <= now)) return 0;
  slot = timers->at[0].slot;
  cp__timers_clear(slots, slot);
  return slot;
}

static const char *check_timer(const cp__slots *slots, int32_t position) {
  const cp__timer *timer = &slots->timers.at[position];
  uint32_t flags;
  if (!cp__slots_hold(slots, timer->slot)) return "a deadline leaves the pages";
  flags = slots->at[timer->slot].flags;
  if (!(flags & CP__TIMED)) return "a deadline of a promise that has none";
  if (flags & (CP__FREE | CP__ITEM | CP__COMBINATOR | CP__CARRIER | CP__DEAD)) {
    return "a deadline of a slot that cannot have one";
  }
  if ((flags & CP__LINKED) && !(flags & CP__COMBINED)) {
    return "a promise that stands in a list has a deadline";
  }
  if (slots->extra[timer->slot].position != position) {
    return "a promise mistakes the place of its deadline";
  }
  if (position > 0 &&
      is_before(timer, &slots->timers.at[(position - 1) / CHILDREN])) {
    return "a deadline is behind a later one";
  }
  return NULL;
}

const char *cp__timers_check(const cp__slots *slots) {
  const cp__timers *timers = &slots->timers;
  int32_t end = slots->pages << CP_PAGE_BITS;
  int32_t refs = 0;
  int32_t timed = 0;
  int32_t i;
  if (timers->count > timers->capacity) return "there are too many deadlines";
  for (i = 0; i < timers->count; i++) {
    const char *fault = check_timer(slots, i);
    if (fault != NULL) return fault;
    refs += timers->at[i].ref;
  }
  if (refs != timers->refs) return "the deadlines to wait for are miscounted";
  for (i = CP_PAGE_SLOTS; i < end; i++) {
    if (slots->at[i].flags & CP__TIMED) timed++;
  }
  return timed == timers->count ? NULL : "a deadline is lost";
}

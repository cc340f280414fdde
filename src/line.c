#include "line.h"

void cp__line_open(cp__slots *slots, int32_t line, int32_t limit) {
  slots->at[line].flags = CP__LINE;
  slots->at[line].items = 0;
  slots->extra[line].limit = limit;
  slots->extra[line].in_flight = 0;
}

void cp__line_add(cp__slots *slots, int32_t after, int32_t lane) {
  int32_t *link = slots->at[after].flags & CP__LINE
                      ? &slots->at[after].items
                      : &slots->extra[after].chain;
  slots->at[lane].flags = CP__LANE;
  slots->extra[lane].chain = *link;
  *link = lane;
}

static void start(cp__slots *slots, cp__queue *ready, int32_t promise,
                  int32_t arg) {
  if (slots->at[promise].flags & CP__DEAD) {
    cp__slots_release(slots, promise);
    return;
  }
  slots->extra[promise].arg = arg;
  slots->at[promise].flags |= CP__JOB;
  cp__queue_push(ready, slots, promise);
}

/* Whether the next one in a lane may start: takes it out. */
static int32_t take(cp__slots *slots, int32_t *lane) {
  for (; *lane != 0; *lane = slots->extra[*lane].chain) {
    int32_t promise = cp__slots_shift(slots, *lane);
    if (promise != 0) return promise;
  }
  return 0;
}

static void grant(cp__slots *slots, cp__queue *ready, int32_t line) {
  cp__extra *extra = &slots->extra[line];
  int32_t lane = slots->at[line].items;
  while (extra->in_flight < extra->limit) {
    int32_t promise = take(slots, &lane);
    if (promise == 0) return;
    if (!(slots->at[promise].flags & CP__DEAD)) extra->in_flight++;
    start(slots, ready, promise, 0);
  }
}

void cp__line_limit(cp__slots *slots, cp__queue *ready, int32_t line,
                    int32_t limit) {
  slots->extra[line].limit = limit;
  grant(slots, ready, line);
}

void cp__line_free(cp__slots *slots, cp__queue *ready, int32_t line,
                   int32_t count) {
  cp_assert(count <= slots->extra[line].in_flight);
  slots->extra[line].in_flight -= count;
  grant(slots, ready, line);
}

void cp__line_clear(cp__slots *slots, cp__queue *ready, int32_t line,
                    int32_t arg) {
  int32_t lane = slots->at[line].items;
  int32_t promise;
  while ((promise = take(slots, &lane)) != 0) start(slots, ready, promise, arg);
}

int cp__line_close(cp__slots *slots, int32_t line) {
  int32_t lane;
  int32_t next;
  for (lane = slots->at[line].items; lane != 0;
       lane = slots->extra[lane].chain) {
    if (slots->at[lane].first != 0) return CP_EINVAL;
  }
  for (lane = slots->at[line].items; lane != 0; lane = next) {
    next = slots->extra[lane].chain;
    cp__slots_release(slots, lane);
  }
  cp__slots_release(slots, line);
  return CP_OK;
}

static const char *check_lanes(const cp__slots *slots, int32_t line,
                               int64_t *lanes) {
  int64_t budget = (int64_t) slots->pages << CP_PAGE_BITS;
  const cp__extra *extra = &slots->extra[line];
  int32_t lane;
  for (lane = slots->at[line].items; lane != 0;
       lane = slots->extra[lane].chain) {
    if (!cp__slots_hold(slots, lane)) return "a line leaves the pages";
    if (slots->at[lane].flags != CP__LANE) return "a line holds no lane";
    if (budget-- == 0) return "the lanes of a line run in a circle";
    ++*lanes;
  }
  if (extra->limit < 0 || extra->in_flight < 0) return "a line miscounts";
  return NULL;
}

const char *cp__line_check(const cp__slots *slots) {
  int32_t end = slots->pages << CP_PAGE_BITS;
  int64_t marked = 0;
  int64_t lanes = 0;
  int32_t slot;
  for (slot = CP_PAGE_SLOTS; slot < end; slot++) {
    const char *fault;
    if (slots->at[slot].flags & CP__LANE) marked++;
    if (!(slots->at[slot].flags & CP__LINE)) continue;
    if (slots->at[slot].flags != CP__LINE) return "a line has another role";
    fault = check_lanes(slots, slot, &lanes);
    if (fault != NULL) return fault;
  }
  return marked == lanes ? NULL : "a lane belongs to no line or to two";
}

#include "queue.h"

int32_t cp__queue_fill(cp__queue *queue, cp__slots *slots, int32_t *window,
                       int32_t room) {
  int32_t slot = queue->head;
  int32_t count = 0;
  /* A job takes two words. */
  while (slot != 0 && count < room - 1) {
    cp__slot *s = &slots->at[slot];
    int32_t next = s->next;
    uint32_t flags = s->flags;
    if (flags & CP__DEAD) {
      cp__slots_release(slots, slot);
    } else {
      s->flags = flags & ~(uint32_t) (CP__LINKED | CP__JOB);
      if (flags & CP__JOB) {
        window[count++] = -slot;
        window[count++] = slots->extra[slot].arg;
      } else {
        window[count++] = slot;
      }
    }
    slot = next;
  }
  queue->head = slot;
  return count;
}

const char *cp__queue_check(const cp__queue *queue, const cp__slots *slots,
                            int64_t *linked) {
  int64_t budget = (int64_t) slots->pages << CP_PAGE_BITS;
  int32_t slot = queue->head;
  int32_t last = 0;
  while (slot != 0) {
    if (!cp__slots_hold(slots, slot)) return "the ready queue leaves the pages";
    if (budget-- == 0) return "the ready queue runs in a circle";
    if (slots->at[slot].flags & CP__FREE) return "a free slot is ready";
    if (!(slots->at[slot].flags & CP__LINKED)) {
      return "a ready slot is not marked linked";
    }
    if (slots->at[slot].flags &
        (CP__ITEM | CP__COMBINATOR | CP__LINE | CP__LANE)) {
      return "what is no promise is ready";
    }
    ++*linked;
    last = slot;
    slot = slots->at[slot].next;
  }
  if (queue->head != 0 && last != queue->tail) {
    return "the ready queue ends before its tail";
  }
  return NULL;
}

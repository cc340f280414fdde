/*
 * queue.h - the ready queue: slots that have something to run, first come
 * first served. A list through the slots' own `next`, so that joining it
 * needs no memory and a settled promise hands over all its reactions at once.
 *
 *   head --next--> s --next--> s --next--> tail --next--> 0
 */
#ifndef CP_QUEUE_H
#define CP_QUEUE_H

#include "slots.h"

typedef struct cp__queue {
  int32_t head; /* 0 when empty */
  int32_t tail;
} cp__queue;

/* Adds the chain from `first` to `last`, linked through `next`. */
static inline void cp__queue_join(cp__queue *queue, cp__slots *slots,
                                  int32_t first, int32_t last) {
  slots->at[last].next = 0;
  if (queue->head == 0) {
    queue->head = first;
  } else {
    slots->at[queue->tail].next = first;
  }
  queue->tail = last;
}

/* Adds one promise. */
static inline void cp__queue_push(cp__queue *queue, cp__slots *slots,
                                  int32_t slot) {
  slots->at[slot].flags |= CP__LINKED;
  cp__queue_join(queue, slots, slot, slot);
}

/* Moves as many slots as fit to `window` (room for `room` words, see
 * engine.h) and returns the words written. Dropped slots are given back. */
int32_t cp__queue_fill(cp__queue *queue, cp__slots *slots, int32_t *window,
                       int32_t room);

/* The part of cp_check that concerns the queue; adds to *linked. */
const char *cp__queue_check(const cp__queue *queue, const cp__slots *slots,
                            int64_t *linked);

#endif /* CP_QUEUE_H */

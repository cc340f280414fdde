/*
 * slots.h - pages of slots: the records of promises, items and combinators.
 *
 * One record is 16 bytes; what only jobs, items and combinators need lies
 * apart, so that the plain path never touches it.
 *
 *              promise        item                  combinator
 *   word 0     first          prev                  need
 *   word 1     last           combinator            slack
 *   word 2     next           next                  items (chain)
 *   word 3     flags          flags                 flags
 *   extra.arg  job's operand                        owner (a promise)
 *   extra.waits_for
 *              its combinator
 *   extra.index               index among inputs    first fulfilled item,
 *              position in the heap of timers.h     or items in flight
 *   extra.chain               next in the chain     limit, if windowed
 *   extra.combinator                                first rejected item
 *   extra.back                the one before in the chain, 0: the first
 *
 * Lines and their lanes use these words too: see line.h.
 *
 * A promise that carries an item has extra.index, chain and back of the item,
 * and the item's combinator in extra.combinator; it cannot have a deadline.
 *
 * A reaction list runs through `next`. Its end points back at its promise:
 *
 *   promise P:  first ---> c1 --next--> i2 --next--> c3 --next--> ~P
 *               last ----------------------------------^
 *                                       i2.prev = c1 (or ~P when first)
 *
 * so that an item can leave a list, head or tail, without a search. The ready
 * queue runs through `next` too and ends with 0: slot 0 does not exist (page
 * 0 is never handed out).
 */
#ifndef CP_SLOTS_H
#define CP_SLOTS_H

#include "engine.h"
#include "timers.h"

#ifndef CP_INITIAL_PAGES
#define CP_INITIAL_PAGES 64
#endif

/* cp_assert is alive in debug and test builds alone. */
#ifdef CP_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define cp_assert(expression)                                       \
  do {                                                              \
    if (!(expression)) {                                            \
      fprintf(stderr, "%s:%d: cp_assert: %s\n", __FILE__, __LINE__, \
              #expression);                                         \
      abort();                                                      \
    }                                                               \
  } while (0)
#else
#define cp_assert(expression) ((void) 0)
#endif

enum {
  CP__FREE = 0x01,       /* given back */
  CP__LINKED = 0x02,     /* stands in a reaction list or the ready queue */
  CP__HAS_ITEMS = 0x04,  /* promise: its list may hold items */
  CP__DEAD = 0x08,       /* promise: dropped while linked */
  CP__JOB = 0x10,        /* promise: ready as a job */
  CP__COMBINED = 0x20,   /* promise: extra.waits_for is its combinator */
  CP__ITEM = 0x40,       /* role: item */
  CP__COMBINATOR = 0x80, /* role: combinator */
  CP__ARMED = 0x100,     /* combinator: may fire */
  CP__SHARED = 0x200,    /* combinator: rejections count as fulfilments */
  CP__CARRIER = 0x400,   /* promise: carries an item */
  CP__WINDOW = 0x800,    /* combinator: windowed */
  CP__FIRED = 0x1000,    /* combinator: windowed, has fired */
  CP__TIMED = 0x2000,    /* promise: has a deadline */
  CP__LINE = 0x4000,     /* role: line */
  CP__LANE = 0x8000      /* role: lane; its list is one of reactions */
};

typedef struct cp__slot {
  union {
    int32_t first;
    int32_t prev;
    int32_t need;
  };
  union {
    int32_t last;
    int32_t combinator;
    int32_t slack;
  };
  union {
    int32_t next;
    int32_t items;
  };
  uint32_t flags;
} cp__slot;

typedef struct cp__extra {
  int32_t arg;
  int32_t waits_for;
  int32_t back;
  union {
    int32_t index;
    int32_t position;
    int32_t first_fulfilled;
    int32_t in_flight;
  };
  union {
    int32_t chain;
    int32_t limit;
  };
  union {
    int32_t combinator;
    int32_t first_rejected;
  };
} cp__extra;

typedef struct cp__slots {
  cp_allocator allocator;
  cp__slot *at;     /* `capacity` pages of records */
  cp__extra *extra; /* as many */
  int16_t *live;    /* per page: slots not given back; 0 = closed */
  int32_t *closed;  /* stack of pages that wait for reuse */
  int32_t closed_count;
  int32_t pages;    /* pages ever opened, page 0 included */
  int32_t capacity; /* pages there is memory for */
  cp__timers timers;
} cp__slots;

/* Starts with no memory at all; never fails. */
void cp__slots_init(cp__slots *slots, const cp_allocator *allocator);

void cp__slots_destroy(cp__slots *slots);

/* See cp_open. All records of the page are zero. */
int32_t cp__slots_open(cp__slots *slots);

double cp__slots_bytes(const cp__slots *slots);

/* Whether `slot` lies in a page that has been opened. */
static inline int cp__slots_hold(const cp__slots *slots, int32_t slot) {
  return slot >= CP_PAGE_SLOTS && slot < slots->pages << CP_PAGE_BITS;
}

/* Gives one slot back, without its deadline; the page closes with its last
 * one. */
static inline void cp__slots_release(cp__slots *slots, int32_t slot) {
  int32_t page = slot >> CP_PAGE_BITS;
  cp_assert(!(slots->at[slot].flags & CP__FREE));
  if (slots->at[slot].flags & CP__TIMED) cp__timers_clear(slots, slot);
  slots->at[slot].flags = CP__FREE;
  if (--slots->live[page] == 0) slots->closed[slots->closed_count++] = page;
}

/* Appends promise or item `slot` to the reactions of `promise`. */
static inline void cp__slots_append(cp__slots *slots, int32_t promise,
                                    int32_t slot) {
  cp__slot *parent = &slots->at[promise];
  if (parent->first == 0) {
    parent->first = slot;
  } else {
    slots->at[parent->last].next = slot;
  }
  parent->last = slot;
  slots->at[slot].next = ~promise;
}

/* Takes item `slot` out of the reaction list it stands in. */
void cp__slots_unlink(cp__slots *slots, int32_t slot);

/* Takes the first reaction off the list of `promise` and returns it, or 0. */
int32_t cp__slots_shift(cp__slots *slots, int32_t promise);

/* Moves the item that `from` carries, if any, and then all its reactions behind
 * the reactions of `into`, and gives the slot `from` back. */
void cp__slots_merge(cp__slots *slots, int32_t from, int32_t into);

/* The part of cp_check that concerns pages and reaction lists; adds the
 * linked slots it met to *linked. */
const char *cp__slots_check(const cp__slots *slots, int64_t *linked);

#endif /* CP_SLOTS_H */

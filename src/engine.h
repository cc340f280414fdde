/*
 * engine.h - the promise engine: who waits for whom, and what runs next.
 *
 * The engine knows no values and no functions. A host (JavaScript, or a test)
 * names a promise by a slot number, says in commands what happens to it, and
 * reads back from the window, in order, which slots have something to run.
 *
 *       host                                             engine
 *   +-----------------------------+            +---------------------------+
 *   | cp_open() -> a page         |            | slots: reaction lists,    |
 *   |   256 slots to hand out     |            |   combinators   (private, |
 *   | commands  [slot<<4|op, arg] |--cp_turn-->|   may move and grow)      |
 *   |   4,096 pairs, fixed        |            | ready queue: a list       |
 *   | deadlines 1,024 pairs       |----------->|   through the slots       |
 *   | window    4,096 entries     |<-----------| deadlines: a heap         |
 *   +-----------------------------+            +---------------------------+
 *
 * A slot is in one of these roles:
 *   promise     has a list of reactions, in the order they were added
 *   item        a combinator's place in the reaction list of one input
 *   combinator  counts its items and makes its owner (a promise) ready
 *   line, lane  has places, for which promises wait in its lanes
 *
 * Life of a promise slot. The host hands it out from a page it opened. THEN
 * and ITEM put reactions on its list or it on another's. SETTLE moves its
 * reactions, in order, to the ready queue and gives the slot back; so do
 * MERGE (the reactions move to another promise) and DROP (nobody can settle
 * it any more). A page is reused when all its slots have been given back.
 *
 * Invariants (cp_check walks them all):
 *   - a promise or item stands in at most one list: one promise's reactions
 *     or the ready queue;
 *   - the ready queue is first-in first-out over the whole engine, and
 *     commands take effect in the order in which they were logged;
 *   - memory is allocated by cp_create, cp_open and cp_reserve alone. No
 *     command can fail for want of memory, so no handler is ever lost to it.
 *
 * Not thread-safe: one engine belongs to one thread.
 */
#ifndef CP_ENGINE_H
#define CP_ENGINE_H

#include <stdint.h>

#include "alloc.h"

typedef struct cp_engine cp_engine;

enum {
  CP_PAGE_BITS = 8,
  CP_PAGE_SLOTS = 1 << CP_PAGE_BITS,   /* slots in a page */
  CP_SLOT_BITS = 27,                   /* slot numbers lie below 2^27 */
  CP_OP_BITS = 4,                      /* low bits of a command's first word */
  CP_COMMANDS = 4096,                  /* pairs in the command buffer */
  CP_WINDOW = 4096,                    /* entries in the window */
  CP_HEADER = 16,                      /* words in the header */
  CP_DEADLINES = 1024,                 /* pairs in the log of deadlines */
  CP_NEXT_DEADLINE = 2 * CP_DEADLINES, /* words that follow the log */
  CP_REF_DEADLINES,
  CP_DEADLINE_WORDS
};

/* Results: 0 or one of these. */
enum {
  CP_OK = 0,
  CP_ENOMEM = -1, /* the allocator failed; nothing has changed */
  CP_ELIMIT = -2, /* 2^27 slots are open; nothing has changed */
  CP_EINVAL = -3  /* a command made no sense; it alone was not applied */
};

/* Words of the header that host and engine share. */
enum {
  CP_HEADER_COMMANDS = 0,  /* host: pairs in the command buffer */
  CP_HEADER_READY = 1,     /* engine: entries in the window */
  CP_HEADER_MORE = 2,      /* engine: 1 while the ready queue is not empty */
  CP_HEADER_PAGES = 3,     /* engine: open pages */
  CP_HEADER_DEADLINES = 4, /* host: pairs in the log of deadlines */
  CP_HEADER_ROOM = 5       /* engine: pairs that there may be at most */
};

/* Outcomes of a promise. */
enum { CP_FULFILLED = 1, CP_REJECTED = 2 };

/* Operations. `slot` is the command's first word >> 4, `arg` its second. */
enum {
  /* Promise `arg` waits for promise `slot`: last of its reactions. */
  CP_OP_THEN = 1,
  /* Promise `slot` is ready: what it waited for had settled before. */
  CP_OP_NOW = 2,
  /* Promise `slot` has a job of its own; the window shows `arg` beside it. */
  CP_OP_JOB = 3,
  /* Promise `slot` has the outcome `arg`: its reactions become ready, its
   * items are counted, the slot is given back. A combinator that was to make
   * it ready is dissolved. */
  CP_OP_SETTLE = 4,
  /* The reactions of promise `slot` move behind those of promise `arg`;
   * `slot` is given back. */
  CP_OP_MERGE = 5,
  /* Slot `slot` becomes a combinator that will make promise `arg` ready.
   * Items are added to it, with indexes from 0, until the next USE. */
  CP_OP_COMBINE = 6,
  /* The items that follow belong to combinator `slot`, with indexes from
   * `arg`. */
  CP_OP_USE = 7,
  /* Slot `arg` becomes an item of the combinator in use, at the end of the
   * reactions of promise `slot`. */
  CP_OP_ITEM = 8,
  /* Combinator `slot` is complete after `arg` more fulfilled items; a windowed
   * one after `arg` in all. */
  CP_OP_NEED = 9,
  /* Combinator `slot` is complete after `arg` more rejected items; with an
   * `arg` of 0 a rejected item counts as a fulfilled one instead. Arms the
   * combinator: it fires as soon as it is complete. */
  CP_OP_SLACK = 10,
  /* Combinator `slot` fires now, as if item `arg` had completed it. */
  CP_OP_FIRE = 11,
  /* The owner of promise `slot` is gone: nobody can settle it or wait for it
   * any more. Its list is dissolved; a combinator that was to make it ready
   * is dissolved. The slot is given back once it stands in no list. A windowed
   * combinator that has fired is given back. */
  CP_OP_DROP = 12,
  /* The `arg` slots from `slot` on, fresh and of one page, become promises
   * that each carry an item of the combinator in use, ahead of their
   * reactions. As `arg` ITEMs, with a slot and a command for all of them. */
  CP_OP_COUNT = 13,
  /* Combinator `slot`, fresh from COMBINE, gets a window: at most `arg` of its
   * items are in flight, and how many there will be is not known until NEED. */
  CP_OP_WINDOW = 14,
  /* `arg` places of windowed combinator `slot` are finished, fulfilled at
   * once, without ever having been items. The place of each is still held. */
  CP_OP_DONE = 15,
  /* `arg` places of windowed combinator `slot` are given back unused. */
  CP_OP_YIELD = 0
};

/*
 * Deadlines. The host logs pairs of doubles [deadline, slot << 1 | ref]:
 * promise `slot`, which waits for nothing else or for a combinator, gets this
 * deadline in place of the one that it may have. The log is applied before the
 * commands. There is one deadline to a promise; INFINITY takes it away, and so
 * does all that makes the promise ready or gives its slot back.
 *
 * cp_due says what time it is. In the next turn, after the commands, every
 * promise that is due becomes ready as a job, with CP_DUE beside it in the
 * window: in the order of the deadlines, of equal ones in the order in which
 * they were set. A combinator that was to make it ready fires, as by FIRE. A
 * deadline of -INFINITY is due in any turn. A promise that is ready as a job
 * already has no use for a deadline, and gets none.
 *
 * After each turn, flush and reserve the engine writes behind the log the
 * earliest deadline (INFINITY: there is none), and how many have `ref` set.
 * The host may log as many deadlines as CP_HEADER_ROOM says, and asks for more
 * room by cp_reserve.
 */
enum { CP_DUE = INT32_MIN };

/*
 * The four combinators of ES and `some(k)` are one mechanism, for n items:
 *
 *                need   slack
 *   all          n      1
 *   allSettled   n      0 (rejections count as well)
 *   any          1      n
 *   race         1      1
 *   some(k)      k      n - k + 1
 *
 * An item is a slot of its own (ITEM), or is carried by the promise that it
 * counts (COUNT): then the promise's slot is given back with the item.
 *
 * When a combinator fires, its items leave the lists they stand in and its
 * owner becomes ready as a job, with the index of the completing item beside
 * it in the window. That of one that was complete before it was armed is its
 * first rejected item when slack was used up, else its first fulfilled one, -1
 * when there is none.
 *
 * A windowed combinator serves work that is started bit by bit:
 *
 *     limit = in flight + free
 *     need  = in flight + not started        (need is large until NEED says)
 *
 * From SLACK on it grants places as long as some are free and something is not
 * started: its owner becomes ready as a job with -1 - n beside it for n places,
 * which count as in flight from then on. A grant that still stands in the ready
 * queue grows, and is taken back when the combinator fires. The host starts
 * work: what is pending becomes an item (ITEM, COUNT), whose settling frees its
 * place; what is finished at once is reported by DONE and may be followed by
 * the next in the same place; a place that it will not use it YIELDs. Having
 * fired, a windowed combinator takes further commands without effect, until the
 * host DROPs it.
 *
 * A line lets so many promises at a time be under way. Commands on slots in
 * these roles mean:
 *
 *     WINDOW slot, n     fresh slot `slot` becomes a line of n places, 0 or
 * more; a line has n places from now on COMBINE slot, arg  fresh slot `slot`
 * becomes a lane: the first one of line `arg`, or the one after lane `arg` THEN
 * lane, arg     promise `arg` waits in the lane. It is not granted a place
 *                        before the next DONE or WINDOW
 *     DONE line, n       n places, 0 or more, are given back
 *     FIRE line, arg     all that wait become ready as jobs, with `arg` beside
 * them DROP line          gives the line and its lanes back, if nobody waits
 *
 * A free place goes to the head of the first lane in which somebody waits: that
 * promise becomes ready as a job, with 0 beside it, and holds the place.
 *
 * The window holds, in order, for each ready slot either `slot` (a promise
 * whose awaited promise has settled) or the two words `-slot, arg` (a job:
 * CP_OP_JOB, a combinator's owner, or a promise that is due).
 */

typedef struct cp_stats {
  double calls;    /* entries from the host: turns, flushes, opens */
  double turns;    /* calls of cp_turn */
  double commands; /* commands and deadlines applied */
  double slots;    /* slots of open pages not given back yet */
  double pages;    /* open pages */
  double bytes;    /* memory held, in bytes */
} cp_stats;

/*
 * Makes an engine over the host's four arrays, which must outlive it and
 * never move: `commands` of 2 * CP_COMMANDS words, `window` of CP_WINDOW
 * words, `header` of CP_HEADER words, `deadlines` of CP_DEADLINE_WORDS words.
 * Returns NULL when memory is short.
 */
cp_engine *cp_create(const cp_allocator *allocator, int32_t *commands,
                     int32_t *window, int32_t *header, double *deadlines);

/* Frees the engine, not the arrays. NULL is allowed. */
void cp_destroy(cp_engine *engine);

/*
 * Opens a page: slots page << CP_PAGE_BITS up to the next multiple of 256 are
 * the host's to hand out. Returns the page (>= 1), CP_ENOMEM or CP_ELIMIT.
 */
int32_t cp_open(cp_engine *engine);

/*
 * Applies the first header[CP_HEADER_DEADLINES] deadlines and the first
 * header[CP_HEADER_COMMANDS] commands, makes ready what is due, then fills the
 * window from the ready queue and writes the engine's words of the header.
 * Slots shown in the window have left the queue. Returns CP_OK, or CP_EINVAL
 * when a command or deadline was passed over; all others are applied and the
 * window is filled all the same.
 */
int cp_turn(cp_engine *engine);

/* As cp_turn, but nothing becomes due, and the window and the words of the
 * header that tell of the ready queue and of pages are left alone. */
int cp_flush(cp_engine *engine);

/*
 * Applies the deadlines alone, and makes room in the log. Returns CP_OK,
 * CP_EINVAL as cp_turn, or CP_ENOMEM: there is no room at all, and all that was
 * logged is applied.
 */
int cp_reserve(cp_engine *engine);

/* The clock of the deadlines has reached `now`; it does not go back. */
void cp_due(cp_engine *engine, double now);

void cp_get_stats(const cp_engine *engine, cp_stats *stats);

/*
 * Walks every page, list, combinator and counter. Returns NULL when all is
 * consistent, else a sentence that says what is not. For tests: the time is
 * proportional to all slots, and nothing is changed.
 */
const char *cp_check(const cp_engine *engine);

#endif /* CP_ENGINE_H */

/*
 * combinator.h - counting: all, allSettled, any, race and some by one
 * mechanism (the table stands in engine.h).
 *
 *   owner (promise) --waits_for--> combinator --items--> item --chain--> item
 *        ^-------------extra.arg------'   ^-combinator---'
 *                                 each item, while its input is pending,
 *                                 stands in that input's reaction list
 *
 * An item is given back when its input has settled or been dropped, or when
 * its combinator fires or is dissolved. A promise that carries an item stands
 * in the chain itself.
 */
#ifndef CP_COMBINATOR_H
#define CP_COMBINATOR_H

#include "queue.h"

/* What a windowed combinator needs before NEED says. Much larger than any
 * number of slots. */
enum { CP__UNKNOWN = 1 << 30 };

/* Turns `slot` into a combinator for promise `owner`. */
void cp__combinator_init(cp__slots *slots, int32_t slot, int32_t owner);

/* Turns `slot` into an item of `combinator` with `index`, and puts it at the
 * end of the reactions of `promise`. */
void cp__combinator_add(cp__slots *slots, int32_t combinator, int32_t index,
                        int32_t promise, int32_t slot);

/* Makes promise `slot` carry an item of `combinator` with `index`. */
void cp__combinator_load(cp__slots *slots, int32_t combinator, int32_t index,
                         int32_t slot);

/* CP_OP_NEED and CP_OP_SLACK. */
void cp__combinator_need(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t count);
void cp__combinator_arm(cp__slots *slots, cp__queue *queue, int32_t combinator,
                        int32_t slack);

/* The input of `item` (an item off its list, or the promise that carries one)
 * has `outcome`: counts and removes the item, and fires when that completes its
 * combinator. */
void cp__combinator_count(cp__slots *slots, cp__queue *queue, int32_t item,
                          int32_t outcome);

/* The input of `item`, as above, will never settle: removes the item. */
void cp__combinator_remove(cp__slots *slots, int32_t item);

/* Takes all items out of their lists, gives them and the combinator back and
 * makes the owner ready with `index`. */
void cp__combinator_fire(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t index);

/* As fire, but the owner is not made ready. */
void cp__combinator_dissolve(cp__slots *slots, int32_t combinator);

/* CP_OP_WINDOW, CP_OP_DONE and CP_OP_YIELD. */
void cp__combinator_window(cp__slots *slots, int32_t combinator, int32_t limit);
void cp__combinator_done(cp__slots *slots, cp__queue *queue, int32_t combinator,
                         int32_t count);
void cp__combinator_yield(cp__slots *slots, cp__queue *queue,
                          int32_t combinator, int32_t count);

/* The part of cp_check that concerns combinators. */
const char *cp__combinator_check(const cp__slots *slots);

#endif /* CP_COMBINATOR_H */

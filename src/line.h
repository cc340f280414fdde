/*
 * line.h - lines: promises that wait for a place.
 *
 * A line has a number of places. Promises wait in its lanes, each lane first
 * come first served; a free place goes to the head of the first lane that is
 * not empty. Who gets a place becomes ready as a job, and holds the place until
 * the host gives it back.
 *
 *   line  --items--> lane --chain--> lane --chain--> 0
 *   limit, in_flight first..last     first..last
 *
 * With map's windows (combinator.h) it shares the rule: in flight never
 * exceeds the limit, and what is free is granted at once. There one owner is
 * told how many it may start, here each one that waits is started by itself.
 *
 * A lane's list is a reaction list, so joining it is THEN, the plain command of
 * the hot path.
 */
#ifndef CP_LINE_H
#define CP_LINE_H

#include "queue.h"
#include "slots.h"

/* Makes fresh slot `line` a line of `limit` places, 0 or more, without a lane.
 */
void cp__line_open(cp__slots *slots, int32_t line, int32_t limit);

/* Makes fresh slot `lane` a lane that comes right after `after`: the line, or
 * a lane. */
void cp__line_add(cp__slots *slots, int32_t after, int32_t lane);

/* From now on the line has `limit` places. What is in flight stays. */
void cp__line_limit(cp__slots *slots, cp__queue *ready, int32_t line,
                    int32_t limit);

/* `count` places, at most those in flight, are given back; grants what is free.
 */
void cp__line_free(cp__slots *slots, cp__queue *ready, int32_t line,
                   int32_t count);

/* All that wait become ready as jobs, with `arg` beside them, and hold no
 * place. */
void cp__line_clear(cp__slots *slots, cp__queue *ready, int32_t line,
                    int32_t arg);

/* Gives the line and its lanes back; they must be empty. Returns CP_OK, or
 * CP_EINVAL: somebody waits, nothing has changed. */
int cp__line_close(cp__slots *slots, int32_t line);

/* The part of cp_check that concerns lines. */
const char *cp__line_check(const cp__slots *slots);

#endif /* CP_LINE_H */

/*
 * play.h - a random host: plays the same commands to the engine and to the
 * model and compares all that can be seen of both.
 *
 * It goes through phases: promises pile up, or they are settled and dropped;
 * turns come after each command or after thousands; one promise collects more
 * reactions than a window holds; some commands make no sense. Everything
 * follows from the seed.
 */
#ifndef PLAY_H
#define PLAY_H

#include "model.h"
#include "rig.h"

typedef struct play {
  rig *r;
  model m;
  uint64_t random;
  int64_t operations; /* commands logged */
  int64_t invalid;    /* of these, made no sense */
  int64_t shown;      /* slots seen in windows */
  int64_t turns;
  int64_t full_turns;             /* turns that left something ready */
  int64_t out_of_memory;          /* pages or deadlines without room */
  int64_t deadlines;              /* valid ones */
  int64_t due;                    /* of these, came */
  int64_t by_op[1 << CP_OP_BITS]; /* valid commands */
  int expected;                   /* result of the next turn or flush */
  int shrinking;
  int crowding;     /* nearly all reactions are those of the hub */
  int32_t batch;    /* commands per turn, about */
  int32_t limit;    /* promises at which to begin to shrink */
  int32_t hub;      /* the promise that collects reactions */
  numbers promises; /* handed out; some may be gone */
  numbers combinators;
  numbers lines;
  numbers lanes;
} play;

void play_init(play *p, uint64_t seed, int32_t limit);

/* At least `operations` more commands. */
void play_go(play *p, int64_t operations);

/* Drops everything, checks that nothing is left, and frees it all. */
void play_end(play *p);

#endif /* PLAY_H */

/*
 * The engine against the model: the same commands to both, the same slots out
 * of both, in the same order.
 *
 *   model_test [seed [operations]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "play.h"
#include "random.h"

static uint64_t seed = 1;
static int64_t operations = 2000000;

static void report(const play *p) {
  int op;
  printf("%" PRId64 " operations, %" PRId64 " of them without sense; %" PRId64
         " slots shown in %" PRId64 " turns, %" PRId64
         " of which left some ready; %" PRId64 " deadlines, %" PRId64
         " of which came; %d pages\n",
         p->operations, p->invalid, p->shown, p->turns, p->full_turns,
         p->deadlines, p->due, p->m.pages - 1);
  CHECK_GE(p->due, 1);
  for (op = CP_OP_THEN; op <= CP_OP_COUNT; op++) CHECK_GE(p->by_op[op], 1);
  CHECK_GE(p->full_turns, 1);
}

static void engine_and_model_agree(void) {
  play p;
  play_init(&p, seed, 12000);
  play_go(&p, operations * 3 / 4);
  report(&p);
  play_end(&p);
}

/* Few promises: everything meets everything. */
static void they_agree_in_a_small_world(void) {
  int64_t left = operations / 4;
  uint64_t random = ~seed;
  while (left > 0) {
    play p;
    play_init(&p, random_next(&random), 2 + random_below(&random, 60));
    play_go(&p, 5000);
    left -= p.operations;
    play_end(&p);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) seed = strtoull(argv[1], NULL, 0);
  if (argc > 2) operations = strtoll(argv[2], NULL, 0);
  printf("seed %" PRIu64 "\n", seed);
  RUN(engine_and_model_agree);
  RUN(they_agree_in_a_small_world);
  return check_report();
}

/*
 * Memory that runs out: the call that needs it says so, nothing else changes,
 * and the work goes on.
 *
 *   oom_test [seed]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "play.h"
#include "random.h"

static uint64_t seed = 1;

/* Creates an engine and opens pages with work in between; each call that
 * fails is made once more. Returns the calls that failed. */
static int work_through(memory *m) {
  enum { PAGES = 40 };
  static int32_t commands[2 * CP_COMMANDS], window[CP_WINDOW];
  static int32_t header[CP_HEADER];
  static double deadlines[CP_DEADLINE_WORDS];
  int32_t i, root, failures = 0;
  cp_engine *engine =
      cp_create(&m->allocator, commands, window, header, deadlines);
  if (engine == NULL) {
    CHECK_EQ(m->blocks, 0);
    failures++;
    engine = cp_create(&m->allocator, commands, window, header, deadlines);
    CHECK(engine != NULL);
  }
  root = CP_PAGE_SLOTS;
  for (i = 0; i < PAGES; i++) {
    int32_t page = cp_open(engine);
    if (page == CP_ENOMEM) {
      CHECK_TEXT(cp_check(engine), NULL);
      failures++;
      page = cp_open(engine);
    }
    CHECK_EQ(page, i + 1);
    commands[0] = root << CP_OP_BITS | CP_OP_THEN;
    commands[1] = (page << CP_PAGE_BITS) + 1;
    header[CP_HEADER_COMMANDS] = 1;
    CHECK_EQ(cp_flush(engine), CP_OK);
    CHECK_TEXT(cp_check(engine), NULL);
  }
  commands[0] = root << CP_OP_BITS | CP_OP_SETTLE;
  commands[1] = CP_FULFILLED;
  header[CP_HEADER_COMMANDS] = 1;
  CHECK_EQ(cp_turn(engine), CP_OK);
  CHECK_EQ(header[CP_HEADER_READY], PAGES);
  for (i = 0; i < PAGES; i++) {
    CHECK_EQ(window[i], ((i + 1) << CP_PAGE_BITS) + 1);
  }
  CHECK_TEXT(cp_check(engine), NULL);
  cp_destroy(engine);
  return failures;
}

static void each_allocation_fails_once(void) {
  int64_t n = 0;
  int failures;
  do {
    memory m;
    memory_init(&m, seed);
    m.fail_in = ++n;
    failures = work_through(&m);
    CHECK_EQ(failures, m.failures);
    CHECK_EQ(m.blocks, 0);
    CHECK_EQ(m.bytes, 0);
  } while (failures > 0);
  CHECK_GE(n, 10);
}

/* An engine that is destroyed after a failure half way through growing. */
static void destroyed_after_each_failure(void) {
  enum { LAST = 40 };
  int64_t n;
  for (n = 1; n <= LAST; n++) {
    memory m;
    int32_t header[CP_HEADER] = {0};
    double deadlines[CP_DEADLINE_WORDS];
    cp_engine *engine;
    memory_init(&m, seed);
    m.fail_in = n;
    engine = cp_create(&m.allocator, NULL, NULL, header, deadlines);
    if (engine != NULL) {
      int32_t page;
      do page = cp_open(engine);
      while (page > 0);
      CHECK_EQ(page, CP_ENOMEM);
      CHECK_TEXT(cp_check(engine), NULL);
    }
    cp_destroy(engine);
    CHECK_EQ(m.failures, 1);
    CHECK_EQ(m.blocks, 0);
  }
}

/* The random host, while a part of all allocations fails. */
static void work_goes_on_with_failures_at_random(void) {
  static const int chances[] = {20, 50, 80, 95};
  int64_t failures = 0;
  int i;
  for (i = 0; i < 4; i++) {
    play p;
    play_init(&p, seed + (uint64_t) i, 20000);
    p.r->memory.fail_percent = chances[i];
    play_go(&p, 60000);
    printf("%d %%: %" PRId64 " of %" PRId64 " allocations failed\n", chances[i],
           p.r->memory.failures, p.r->memory.calls);
    failures += p.out_of_memory;
    play_end(&p);
  }
  CHECK_GE(failures, 10);
}

/* None for a long while, then plenty, again and again. */
static void work_goes_on_when_memory_is_back(void) {
  play p;
  int round;
  play_init(&p, seed, 20000);
  play_go(&p, 100);
  for (round = 0; round < 10; round++) {
    p.r->memory.fail_percent = 100;
    play_go(&p, 5000);
    p.r->memory.fail_percent = 0;
    play_go(&p, 5000);
  }
  CHECK_GE(p.out_of_memory, 10);
  play_end(&p);
}

int main(int argc, char **argv) {
  if (argc > 1) seed = strtoull(argv[1], NULL, 0);
  printf("seed %" PRIu64 "\n", seed);
  RUN(each_allocation_fails_once);
  RUN(destroyed_after_each_failure);
  RUN(work_goes_on_with_failures_at_random);
  RUN(work_goes_on_when_memory_is_back);
  return check_report();
}

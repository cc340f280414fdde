/* The heap of the WebAssembly host, over a region that ends. */
#include "../../src/heap.h"

#include <string.h>

#include "../../src/engine.h"
#include "check.h"
#include "random.h"
#include "suites.h"

enum { REGION = 1 << 22, STEP = 1 << 12, UNIT = sizeof(cp__block) };

static _Alignas(cp__block) unsigned char region[REGION];
static size_t length; /* of the part that the heap has */
static size_t limit;

static size_t extend(size_t bytes) {
  size_t more = (bytes + STEP - 1) / STEP * STEP;
  if (more > limit - length) return 0;
  length += more;
  return more;
}

static void begin(cp_heap *heap, size_t end) {
  length = 0;
  limit = end;
  memset(region, 0xcd, sizeof region);
  cp_heap_init(heap, region, extend);
}

static void *resize(cp_heap *heap, void *ptr, size_t size) {
  return heap->allocator.resize(heap->allocator.context, ptr, size);
}

static void release(cp_heap *heap, void *ptr) {
  heap->allocator.release(heap->allocator.context, ptr);
}

/* Blocks cover the region; returns the bytes of those in use. */
static size_t walk(const cp_heap *heap) {
  const cp__block *block = heap->first;
  size_t used = 0;
  CHECK_EQ(heap->end - (char *) region, length);
  while ((const char *) block != heap->end) {
    CHECK_GE(block->size, UNIT);
    CHECK_EQ(block->size % UNIT, 0);
    CHECK_LE(block->size, heap->end - (const char *) block);
    if (block->used) used += block->size;
    block = (const void *) ((const char *) block + block->size);
  }
  return used;
}

static void blocks_keep_what_is_in_them(void) {
  enum { COUNT = 12, ROUNDS = 20000, MOST = 60000 };
  cp_heap heap;
  unsigned char *blocks[COUNT] = {NULL};
  size_t sizes[COUNT] = {0};
  uint64_t random = 5;
  int64_t failures = 0;
  int round;
  begin(&heap, REGION / 16);
  for (round = 0; round < ROUNDS; round++) {
    int i = random_below(&random, COUNT);
    size_t size = (size_t) random_below(&random, MOST) + 1;
    size_t k;
    for (k = 0; k < sizes[i]; k++) CHECK_EQ(blocks[i][k], i);
    if (random_percent(&random, 30)) {
      release(&heap, blocks[i]);
      blocks[i] = NULL;
      sizes[i] = 0;
    } else {
      unsigned char *block = resize(&heap, blocks[i], size);
      if (block == NULL) {
        failures++;
      } else {
        CHECK_EQ((block - region) % UNIT, 0);
        for (k = 0; k < sizes[i] && k < size; k++) CHECK_EQ(block[k], i);
        memset(block, i, size);
        blocks[i] = block;
        sizes[i] = size;
      }
    }
    walk(&heap);
  }
  CHECK_GE(failures, 10);
  for (round = 0; round < COUNT; round++) release(&heap, blocks[round]);
  CHECK_EQ(walk(&heap), 0);
}

static void a_block_grows_where_it_stands(void) {
  cp_heap heap;
  void *first, *second, *third;
  begin(&heap, REGION);
  first = resize(&heap, NULL, 1000);
  second = resize(&heap, NULL, 1000);
  third = resize(&heap, NULL, 1000);
  CHECK(resize(&heap, third, 200000) == third); /* before the end */
  release(&heap, second);
  CHECK(resize(&heap, first, 1900) == first); /* before a free block */
  CHECK(resize(&heap, first, 3000) != first);
  CHECK(resize(&heap, third, 10) == third);
  walk(&heap);
}

static void free_neighbours_are_one_block(void) {
  cp_heap heap;
  void *blocks[4];
  size_t before;
  int i;
  begin(&heap, REGION);
  for (i = 0; i < 4; i++) blocks[i] = resize(&heap, NULL, 1000);
  (void) resize(&heap, NULL, 1);
  before = length;
  for (i = 3; i >= 0; i--) release(&heap, blocks[i]);
  CHECK(resize(&heap, NULL, 4000) == blocks[0]);
  CHECK_EQ(length, before);
}

static void too_much_changes_nothing(void) {
  static const size_t sizes[] = {STEP, REGION, SIZE_MAX / 2, SIZE_MAX - UNIT,
                                 SIZE_MAX};
  cp_heap heap;
  void *block;
  int i;
  begin(&heap, STEP);
  block = resize(&heap, NULL, 100);
  CHECK(block != NULL);
  memset(block, 7, 100);
  for (i = 0; i < 5; i++) {
    CHECK(resize(&heap, NULL, sizes[i]) == NULL);
    CHECK(resize(&heap, block, sizes[i]) == NULL);
    walk(&heap);
  }
  for (i = 0; i < 100; i++) CHECK_EQ(((unsigned char *) block)[i], 7);
  release(&heap, NULL);
  CHECK(resize(&heap, NULL, 1000) != NULL);
}

/* The engine's arrays double; what they leave behind is used again. */
static void an_engine_lives_in_it(void) {
  static int32_t commands[2 * CP_COMMANDS], window[CP_WINDOW];
  static int32_t header[CP_HEADER];
  static double deadlines[CP_DEADLINE_WORDS];
  cp_heap heap;
  cp_engine *engine;
  cp_stats stats;
  int32_t page = 0, opened = 0;
  begin(&heap, REGION);
  engine = cp_create(&heap.allocator, commands, window, header, deadlines);
  CHECK(engine != NULL);
  while ((page = cp_open(engine)) > 0) CHECK_EQ(page, ++opened);
  CHECK_EQ(page, CP_ENOMEM);
  CHECK_GE(opened, 100);
  CHECK_TEXT(cp_check(engine), NULL);
  cp_get_stats(engine, &stats);
  CHECK_EQ(stats.pages, opened);
  CHECK_GE((double) length, stats.bytes);
  CHECK_LE((double) length, 3 * stats.bytes);
  cp_destroy(engine);
  CHECK_EQ(walk(&heap), 0);
}

void heap_suite(void) {
  RUN(blocks_keep_what_is_in_them);
  RUN(a_block_grows_where_it_stands);
  RUN(free_neighbours_are_one_block);
  RUN(too_much_changes_nothing);
  RUN(an_engine_lives_in_it);
}

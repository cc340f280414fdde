#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* Stands before each block and keeps it aligned as malloc does. */
typedef struct prefix {
  _Alignas(max_align_t) size_t size;
} prefix;

static void scrap(memory *m, prefix *block) {
  m->blocks--;
  m->bytes -= (int64_t) block->size;
  memset(block + 1, 0xdb, block->size);
  free(block);
}

static int should_fail(memory *m) {
  if (m->fail_in > 0 && --m->fail_in == 0) return 1;
  return m->fail_percent > 0 && random_percent(&m->random, m->fail_percent);
}

static void *resize(void *context, void *ptr, size_t size) {
  memory *m = context;
  prefix *block;
  m->calls++;
  m->asked = size;
  block = should_fail(m) ? NULL : malloc(sizeof *block + size);
  if (block == NULL) {
    m->failures++;
    return NULL;
  }
  block->size = size;
  memset(block + 1, 0xcd, size);
  m->blocks++;
  m->bytes += (int64_t) size;
  if (ptr != NULL) {
    prefix *old = (prefix *) ptr - 1;
    memcpy(block + 1, old + 1, old->size < size ? old->size : size);
    scrap(m, old);
  }
  return block + 1;
}

static void release(void *context, void *ptr) {
  if (ptr != NULL) scrap(context, (prefix *) ptr - 1);
}

void memory_init(memory *m, uint64_t seed) {
  memset(m, 0, sizeof *m);
  m->allocator.resize = resize;
  m->allocator.release = release;
  m->allocator.context = m;
  m->random = seed;
}

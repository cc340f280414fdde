/*
 * memory.h - an allocator that counts, moves and fails.
 *
 * Every resize moves the block and overwrites the old one, so that a pointer
 * kept across it is noticed. It fails when it is told to: at one call counted
 * from now, or at random, the same way for the same seed.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "../../src/alloc.h"

typedef struct memory {
  cp_allocator allocator; /* what the engine is given */
  int64_t blocks;         /* blocks not released */
  int64_t bytes;          /* bytes in them */
  int64_t calls;          /* calls of resize */
  int64_t failures;       /* calls that failed */
  size_t asked;           /* bytes asked for by the last call */
  int64_t fail_in;        /* that many calls from now fails; 0: none */
  int fail_percent;       /* of all calls */
  uint64_t random;        /* state of the generator */
} memory;

/* `m` must stay where it is while the allocator is in use. */
void memory_init(memory *m, uint64_t seed);

#endif /* MEMORY_H */

/*
 * heap.h - memory for the engine where there is no malloc.
 *
 * One region that can get longer at its end, cut into blocks:
 *
 *   first                                                        end
 *   | size used ....... | size 0 ... | size used ............... |
 *     header  payload     free         each block begins where
 *                                      the one before it ends
 *
 * The engine holds a handful of large blocks, which double. So a block is found
 * by walking all of them, free neighbours become one on the way, and a block
 * grows where it stands if what follows it is free or is the end.
 */
#ifndef CP_HEAP_H
#define CP_HEAP_H

#include <stddef.h>

#include "alloc.h"

typedef struct cp__block {
  size_t size; /* bytes to the next block, a multiple of this header's size */
  size_t used; /* 0 or 1 */
} cp__block;

typedef struct cp_heap {
  cp_allocator allocator; /* what the engine is given */
  cp__block *first;
  char *end;
  /* Makes the region longer, by at least `bytes`; returns by how much, a
   * multiple of sizeof(cp__block), or 0: it stays as it is. */
  size_t (*extend)(size_t bytes);
} cp_heap;

/* A heap that begins without memory, at `start`, where the region that `extend`
 * makes longer begins: a multiple of sizeof(cp__block). `heap` must stay where
 * it is. */
void cp_heap_init(cp_heap *heap, void *start, size_t (*extend)(size_t bytes));

#endif /* CP_HEAP_H */

#include "heap.h"

#include <stdint.h>
#include <string.h>

static cp__block *next_of(cp__block *block) {
  return (cp__block *) (void *) ((char *) block + block->size);
}

static int is_last(const cp_heap *heap, cp__block *block) {
  return (char *) next_of(block) == heap->end;
}

/* Joins a block with the free ones that follow it. */
static void absorb(const cp_heap *heap, cp__block *block) {
  while (!is_last(heap, block) && !next_of(block)->used) {
    block->size += next_of(block)->size;
  }
}

/* Makes the rest of a block, behind its first `size` bytes, a free block. */
static void split(cp__block *block, size_t size) {
  size_t rest = block->size - size;
  if (rest == 0) return;
  block->size = size;
  next_of(block)->size = rest;
  next_of(block)->used = 0;
}

/* Whether `block` could be given `size` bytes where it stands; if not, it is as
 * it was. */
static int fit(cp_heap *heap, cp__block *block, size_t size) {
  size_t before = block->size;
  absorb(heap, block);
  if (block->size < size && is_last(heap, block)) {
    size_t more = heap->extend(size - block->size);
    block->size += more;
    heap->end += more;
  }
  if (block->size >= size) return 1;
  if (block->used) split(block, before);
  return 0;
}

/* A block of `size` bytes or more, not used; NULL when there is none. */
static cp__block *find(cp_heap *heap, size_t size) {
  cp__block *block = heap->first;
  size_t more;
  while ((char *) block != heap->end) {
    if (!block->used && fit(heap, block, size)) return block;
    block = next_of(block);
  }
  more = heap->extend(size);
  if (more == 0) return NULL;
  heap->end += more;
  block->size = more;
  block->used = 0;
  return block;
}

static void *resize(void *context, void *ptr, size_t size) {
  cp_heap *heap = context;
  cp__block *old = ptr == NULL ? NULL : (cp__block *) ptr - 1;
  cp__block *block;
  size_t unit = sizeof(cp__block);
  if (size > SIZE_MAX - 2 * unit) return NULL;
  size = (size + 2 * unit - 1) / unit * unit;
  block = old != NULL && fit(heap, old, size) ? old : find(heap, size);
  if (block == NULL) return NULL;
  split(block, size);
  block->used = 1;
  if (old != NULL && block != old) {
    memcpy(block + 1, ptr, old->size - unit);
    old->used = 0;
  }
  return block + 1;
}

static void release(void *context, void *ptr) {
  (void) context;
  if (ptr != NULL) ((cp__block *) ptr - 1)->used = 0;
}

void cp_heap_init(cp_heap *heap, void *start, size_t (*extend)(size_t bytes)) {
  heap->allocator.resize = resize;
  heap->allocator.release = release;
  heap->allocator.context = heap;
  heap->first = start;
  heap->end = start;
  heap->extend = extend;
}

/*
 * alloc.h - where the engine gets its memory.
 *
 * The engine never calls malloc itself. A host hands it one cp_allocator;
 * tests hand it one that fails on purpose. The context pointer is the host's
 * and is passed back untouched.
 */
#ifndef CP_ALLOC_H
#define CP_ALLOC_H

#include <stddef.h>

typedef struct cp_allocator {
  /* As realloc(3), with size > 0: NULL means failure and leaves `ptr` valid
   * and its content untouched. */
  void *(*resize)(void *context, void *ptr, size_t size);
  /* As free(3): NULL is allowed. */
  void (*release)(void *context, void *ptr);
  void *context;
} cp_allocator;

#endif /* CP_ALLOC_H */

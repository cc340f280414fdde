/*
 * string.h - what the core uses of the C library, where there is none. The
 * compiler makes single instructions of these calls (bulk memory).
 */
#ifndef CP_WASM_STRING_H
#define CP_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

#endif /* CP_WASM_STRING_H */

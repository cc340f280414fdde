/*
 * host_wasm.c - the engine as a WebAssembly module; lib/wasm-host.js is its
 * other half. One instance of the module is one engine, so what is static here
 * belongs to that engine alone.
 *
 *   memory                  all of it; open() may make it grow
 *   arrays                  address and length of commands, window, header,
 *                           deadlines
 *   numbers                 where stats() puts the fields of cp_stats
 *   create()  -> CP_OK      or CP_ENOMEM; to be called once, before the others
 *   open()    -> page       or CP_ENOMEM, CP_ELIMIT
 *   turn()    -> CP_OK      or CP_EINVAL
 *   flush()   -> CP_OK      or CP_EINVAL
 *   reserve() -> CP_OK      or CP_EINVAL, CP_ENOMEM; may make memory grow
 *   due(now)
 *   stats()
 *   check()   -> address    of a sentence, or 0
 *
 * It is compiled without a C library (scripts/build-wasm.js).
 */
#include "engine.h"
#include "heap.h"

#define EXPORT(name) __attribute__((export_name(name)))

enum { WASM_PAGE = 1 << 16 };

static cp_engine *engine;
static cp_heap heap;
static int32_t commands[2 * CP_COMMANDS];
static int32_t window[CP_WINDOW];
static int32_t header[CP_HEADER];
static double deadlines[CP_DEADLINE_WORDS];

const struct {
  const void *at;
  int32_t words;
} arrays[] = {
    {commands, 2 * CP_COMMANDS},
    {window, CP_WINDOW},
    {header, CP_HEADER},
    {deadlines, CP_DEADLINE_WORDS},
};

cp_stats numbers;

static size_t extend(size_t bytes) {
  size_t pages = bytes / WASM_PAGE + (bytes % WASM_PAGE != 0);
  if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return 0;
  return pages * WASM_PAGE;
}

EXPORT("create") int create(void) {
  /* The heap begins where the memory ends that the linker has laid out. */
  size_t size = __builtin_wasm_memory_size(0) * WASM_PAGE;
  void *start = (void *) size; /* NOLINT(performance-no-int-to-ptr) */
  cp_heap_init(&heap, start, extend);
  engine = cp_create(&heap.allocator, commands, window, header, deadlines);
  return engine == NULL ? CP_ENOMEM : CP_OK;
}

EXPORT("open") int32_t open(void) {
  return cp_open(engine);
}

EXPORT("turn") int turn(void) {
  return cp_turn(engine);
}

EXPORT("flush") int flush(void) {
  return cp_flush(engine);
}

EXPORT("reserve") int reserve(void) {
  return cp_reserve(engine);
}

EXPORT("due") void due(double now) {
  cp_due(engine, now);
}

EXPORT("stats") void stats(void) {
  cp_get_stats(engine, &numbers);
}

EXPORT("check") const char *check(void) {
  return cp_check(engine);
}

/*
 * rig.h - an engine with its arrays and a counting allocator, and words to
 * drive it: the part of a host that every test needs.
 *
 *   rig *r = rig_new();
 *   int32_t root = rig_slot(r), child = rig_slot(r);
 *   rig_then(r, root, child);
 *   rig_settle(r, root);
 *   CHECK_SHOWS(r, child);
 *   rig_free(r);
 */
#ifndef RIG_H
#define RIG_H

#include "../../src/engine.h"
#include "check.h"
#include "memory.h"

typedef struct rig {
  memory memory;
  cp_engine *engine;
  int32_t next; /* the slot to hand out next */
  int32_t end;  /* where its page ends */
  int32_t commands[2 * CP_COMMANDS];
  int32_t window[CP_WINDOW];
  int32_t header[CP_HEADER];
  double deadlines[CP_DEADLINE_WORDS];
} rig;

rig *rig_new(void);

/* Checks that the engine is consistent and that it gives all memory back. */
void rig_free(rig *r);

/* Hands out a slot, opens pages as needed. */
int32_t rig_slot(rig *r);

/* Hands out `count` slots. */
void rig_slots(rig *r, int32_t *slots, int count);

/* Logs one command; flushes when the buffer is full. */
void rig_log(rig *r, int op, int32_t slot, int32_t arg);

/* Logs one deadline; makes room when there is none. */
void rig_deadline(rig *r, int32_t slot, double deadline, int ref);

/* cp_flush and cp_turn with CP_OK expected; cp_check follows. rig_turn returns
 * the words in the window. */
void rig_flush(rig *r);
int32_t rig_turn(rig *r);

/* As rig_turn without cp_check, for large numbers of slots. */
int32_t rig_quick_turn(rig *r);

/* Slots of open pages that were handed out and not given back. */
int64_t rig_live(const rig *r);

static inline void rig_then(rig *r, int32_t parent, int32_t child) {
  rig_log(r, CP_OP_THEN, parent, child);
}

static inline void rig_now(rig *r, int32_t child) {
  rig_log(r, CP_OP_NOW, child, 0);
}

static inline void rig_job(rig *r, int32_t promise, int32_t arg) {
  rig_log(r, CP_OP_JOB, promise, arg);
}

static inline void rig_settle(rig *r, int32_t promise) {
  rig_log(r, CP_OP_SETTLE, promise, CP_FULFILLED);
}

static inline void rig_reject(rig *r, int32_t promise) {
  rig_log(r, CP_OP_SETTLE, promise, CP_REJECTED);
}

static inline void rig_merge(rig *r, int32_t from, int32_t into) {
  rig_log(r, CP_OP_MERGE, from, into);
}

static inline void rig_drop(rig *r, int32_t promise) {
  rig_log(r, CP_OP_DROP, promise, 0);
}

/* Makes a combinator for `owner` over `inputs`, armed with `need` and `slack`;
 * returns it. */
int32_t rig_combine(rig *r, int32_t owner, const int32_t *inputs, int count,
                    int32_t need, int32_t slack);

/* Turns, and compares the window with the words given. */
#define CHECK_SHOWS(r, ...)                                    \
  rig_check_shows(                                             \
      __FILE__, __LINE__, (r), (const int32_t[]){__VA_ARGS__}, \
      (int32_t) (sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)))
#define CHECK_SHOWS_NOTHING(r) rig_check_shows(__FILE__, __LINE__, (r), NULL, 0)

void rig_check_shows(const char *file, int line, rig *r,
                     const int32_t *expected, int32_t count);

#endif /* RIG_H */

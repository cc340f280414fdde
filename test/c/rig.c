#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

rig *rig_new(void) {
  rig *r = calloc(1, sizeof *r);
  CHECK(r != NULL);
  memory_init(&r->memory, 1);
  r->engine = cp_create(&r->memory.allocator, r->commands, r->window, r->header,
                        r->deadlines);
  CHECK(r->engine != NULL);
  return r;
}

void rig_free(rig *r) {
  CHECK_TEXT(cp_check(r->engine), NULL);
  cp_destroy(r->engine);
  CHECK_EQ(r->memory.blocks, 0);
  CHECK_EQ(r->memory.bytes, 0);
  free(r);
}

int32_t rig_slot(rig *r) {
  if (r->next == r->end) {
    int32_t page = cp_open(r->engine);
    CHECK_GE(page, 1);
    r->next = page << CP_PAGE_BITS;
    r->end = r->next + CP_PAGE_SLOTS;
  }
  return r->next++;
}

void rig_slots(rig *r, int32_t *slots, int count) {
  int i;
  for (i = 0; i < count; i++) slots[i] = rig_slot(r);
}

void rig_log(rig *r, int op, int32_t slot, int32_t arg) {
  int32_t *command;
  if (r->header[CP_HEADER_COMMANDS] == CP_COMMANDS) {
    CHECK_EQ(cp_flush(r->engine), CP_OK);
  }
  command = r->commands + (ptrdiff_t) 2 * r->header[CP_HEADER_COMMANDS]++;
  command[0] = slot * (1 << CP_OP_BITS) + op;
  command[1] = arg;
}

void rig_deadline(rig *r, int32_t slot, double deadline, int ref) {
  double *entry;
  if (r->header[CP_HEADER_DEADLINES] == r->header[CP_HEADER_ROOM]) {
    CHECK_EQ(cp_reserve(r->engine), CP_OK);
  }
  entry = r->deadlines + (ptrdiff_t) 2 * r->header[CP_HEADER_DEADLINES]++;
  entry[0] = deadline;
  entry[1] = slot * 2.0 + ref;
}

void rig_flush(rig *r) {
  CHECK_EQ(cp_flush(r->engine), CP_OK);
  CHECK_EQ(r->header[CP_HEADER_COMMANDS], 0);
  CHECK_TEXT(cp_check(r->engine), NULL);
}

int32_t rig_quick_turn(rig *r) {
  CHECK_EQ(cp_turn(r->engine), CP_OK);
  CHECK_EQ(r->header[CP_HEADER_COMMANDS], 0);
  CHECK_GE(r->header[CP_HEADER_READY], 0);
  CHECK_LE(r->header[CP_HEADER_READY], CP_WINDOW);
  return r->header[CP_HEADER_READY];
}

int32_t rig_turn(rig *r) {
  int32_t ready = rig_quick_turn(r);
  CHECK_TEXT(cp_check(r->engine), NULL);
  return ready;
}

int64_t rig_live(const rig *r) {
  cp_stats stats;
  cp_get_stats(r->engine, &stats);
  return (int64_t) stats.slots - (r->end - r->next);
}

int32_t rig_combine(rig *r, int32_t owner, const int32_t *inputs, int count,
                    int32_t need, int32_t slack) {
  int32_t combinator = rig_slot(r);
  int i;
  rig_log(r, CP_OP_COMBINE, combinator, owner);
  for (i = 0; i < count; i++) {
    rig_log(r, CP_OP_ITEM, inputs[i], rig_slot(r));
  }
  rig_log(r, CP_OP_NEED, combinator, need);
  rig_log(r, CP_OP_SLACK, combinator, slack);
  return combinator;
}

static void print_words(const char *label, const int32_t *words,
                        int32_t count) {
  int32_t i;
  printf("  %s", label);
  for (i = 0; i < count && i < 40; i++) printf(" %d", words[i]);
  printf("%s\n", count > 40 ? " ..." : "");
}

void rig_check_shows(const char *file, int line, rig *r,
                     const int32_t *expected, int32_t count) {
  int32_t ready = rig_turn(r);
  if (ready == count) {
    int32_t i = 0;
    while (i < count && r->window[i] == expected[i]) i++;
    if (i == count) return;
  }
  print_words("window:  ", r->window, ready);
  print_words("expected:", expected, count);
  check_fail(file, line, "the window shows something else");
}

/* Pages: handed out, closed, reused, limited; memory that is short. */
#include "../../src/slots.h"
#include "rig.h"
#include "suites.h"

/* The engine begins with its slots. */
static cp__slots *slots_of(rig *r) {
  return (cp__slots *) (void *) r->engine;
}

static void give_back(rig *r, int32_t page) {
  int32_t i;
  for (i = 0; i < CP_PAGE_SLOTS; i++) {
    rig_settle(r, (page << CP_PAGE_BITS) + i);
  }
}

static void check_pages(rig *r, int32_t pages, int32_t slots) {
  cp_stats stats;
  cp_get_stats(r->engine, &stats);
  CHECK_EQ(stats.pages, pages);
  CHECK_EQ(stats.slots, slots);
  CHECK_TEXT(cp_check(r->engine), NULL);
}

static void pages_count_from_one(void) {
  rig *r = rig_new();
  CHECK_EQ(cp_open(r->engine), 1);
  CHECK_EQ(cp_open(r->engine), 2);
  CHECK_EQ(cp_open(r->engine), 3);
  check_pages(r, 3, 3 * CP_PAGE_SLOTS);
  rig_free(r);
}

static void a_page_is_reused_when_all_its_slots_are_back(void) {
  rig *r = rig_new();
  int32_t base, i;
  int32_t page = cp_open(r->engine);
  CHECK_EQ(cp_open(r->engine), page + 1);
  base = page << CP_PAGE_BITS;
  for (i = 0; i < CP_PAGE_SLOTS - 1; i++) rig_settle(r, base + i);
  rig_flush(r);
  check_pages(r, 2, CP_PAGE_SLOTS + 1);
  CHECK_EQ(cp_open(r->engine), page + 2);
  rig_settle(r, base + CP_PAGE_SLOTS - 1);
  rig_flush(r);
  check_pages(r, 2, 2 * CP_PAGE_SLOTS);
  CHECK_EQ(cp_open(r->engine), page);
  check_pages(r, 3, 3 * CP_PAGE_SLOTS);
  CHECK_EQ(cp_open(r->engine), page + 3);
  rig_free(r);
}

static void a_reused_page_is_clean(void) {
  rig *r = rig_new();
  int32_t page = cp_open(r->engine);
  int32_t base = page << CP_PAGE_BITS;
  int32_t round, i;
  for (round = 0; round < 3; round++) {
    /* A promise with reactions, a combinator with its owner and an item, a
     * job, a dropped reaction. */
    rig_then(r, base, base + 1);
    rig_then(r, base, base + 2);
    rig_log(r, CP_OP_COMBINE, base + 3, base + 4);
    rig_log(r, CP_OP_ITEM, base, base + 5);
    rig_log(r, CP_OP_NEED, base + 3, 1);
    rig_log(r, CP_OP_SLACK, base + 3, 1);
    rig_job(r, base + 6, 1);
    rig_drop(r, base + 2);
    rig_settle(r, base);
    CHECK_SHOWS(r, -(base + 6), 1, base + 1, -(base + 4), 0);
    rig_settle(r, base + 1);
    rig_settle(r, base + 4);
    rig_settle(r, base + 6);
    for (i = 7; i < CP_PAGE_SLOTS; i++) rig_settle(r, base + i);
    CHECK_SHOWS_NOTHING(r);
    check_pages(r, 0, 0);
    CHECK_EQ(cp_open(r->engine), page);
  }
  rig_free(r);
}

static void growth_keeps_what_is_there(void) {
  enum { PAGES = 300 };
  rig *r = rig_new();
  int32_t root = rig_slot(r);
  int32_t i, ready, shown = 0;
  cp_stats stats;
  for (i = 0; i < PAGES; i++) {
    int32_t page = cp_open(r->engine);
    CHECK_EQ(page, i + 2);
    rig_then(r, root, page << CP_PAGE_BITS);
    rig_flush(r);
  }
  cp_get_stats(r->engine, &stats);
  CHECK_EQ(stats.bytes, r->memory.bytes);
  rig_settle(r, root);
  ready = rig_turn(r);
  CHECK_EQ(ready, PAGES);
  for (i = 0; i < PAGES; i++) {
    CHECK_EQ(r->window[shown++], (i + 2) << CP_PAGE_BITS);
  }
  rig_free(r);
}

static void pages_that_come_and_go_need_no_more_memory(void) {
  rig *r = rig_new();
  int64_t bytes = 0;
  int32_t round;
  for (round = 0; round < 1000; round++) {
    int32_t page = cp_open(r->engine);
    if (round == 0) bytes = r->memory.bytes;
    give_back(r, page);
    CHECK_EQ(cp_flush(r->engine), CP_OK);
  }
  CHECK_EQ(r->memory.bytes, bytes);
  check_pages(r, 0, 0);
  rig_free(r);
}

static void many_pages_close_and_open_again(void) {
  enum { PAGES = 50 };
  rig *r = rig_new();
  int8_t seen[PAGES + 1] = {0};
  int32_t i;
  for (i = 1; i <= PAGES; i++) CHECK_EQ(cp_open(r->engine), i);
  for (i = PAGES; i >= 1; i -= 2) give_back(r, i);
  rig_flush(r);
  for (i = 1; i <= PAGES; i += 2) give_back(r, i);
  rig_flush(r);
  check_pages(r, 0, 0);
  for (i = 1; i <= PAGES; i++) {
    int32_t page = cp_open(r->engine);
    CHECK_GE(page, 1);
    CHECK_LE(page, PAGES);
    CHECK_EQ(seen[page]++, 0);
  }
  CHECK_EQ(cp_open(r->engine), PAGES + 1);
  rig_free(r);
}

/* As if all pages had been opened; there is not memory for so many here. */
static void the_number_of_pages_is_limited(void) {
  enum { MAX_PAGES = 1 << (CP_SLOT_BITS - CP_PAGE_BITS) };
  rig *r = rig_new();
  cp__slots *slots = slots_of(r);
  int32_t page = cp_open(r->engine);
  int32_t pages = slots->pages;
  int64_t calls = r->memory.calls;
  slots->pages = MAX_PAGES;
  CHECK_EQ(cp_open(r->engine), CP_ELIMIT);
  CHECK_EQ(slots->pages, MAX_PAGES);
  CHECK_EQ(r->memory.calls, calls);
  slots->pages = pages;
  check_pages(r, 1, CP_PAGE_SLOTS);
  /* A closed page can be opened all the same. */
  give_back(r, page);
  rig_flush(r);
  slots->pages = MAX_PAGES;
  CHECK_EQ(cp_open(r->engine), page);
  slots->pages = pages;
  rig_free(r);
}

/* The last growth stops at the limit, whatever the first capacity was. */
static void growth_stops_at_the_limit(void) {
  enum { MAX_PAGES = 1 << (CP_SLOT_BITS - CP_PAGE_BITS) };
  rig *r = rig_new();
  cp__slots *slots = slots_of(r);
  int32_t pages, capacity;
  CHECK_EQ(cp_open(r->engine), 1);
  pages = slots->pages;
  capacity = slots->capacity;
  slots->pages = MAX_PAGES - 1;
  slots->capacity = MAX_PAGES - 1;
  r->memory.fail_in = 1;
  CHECK_EQ(cp_open(r->engine), CP_ENOMEM);
  CHECK_EQ(r->memory.asked, sizeof(cp__slot) << CP_SLOT_BITS);
  slots->pages = pages;
  slots->capacity = capacity;
  check_pages(r, 1, CP_PAGE_SLOTS);
  rig_free(r);
}

static void open_without_memory_changes_nothing(void) {
  rig *r = rig_new();
  cp_stats before, after;
  int32_t last = 0;
  r->memory.fail_percent = 100;
  CHECK_EQ(cp_open(r->engine), CP_ENOMEM);
  check_pages(r, 0, 0);
  r->memory.fail_percent = 0;
  CHECK_EQ(cp_open(r->engine), 1);
  r->memory.fail_percent = 100;
  cp_get_stats(r->engine, &before);
  while ((last = cp_open(r->engine)) > 0) cp_get_stats(r->engine, &before);
  CHECK_EQ(last, CP_ENOMEM);
  cp_get_stats(r->engine, &after);
  CHECK_EQ(after.pages, before.pages);
  CHECK_EQ(after.slots, before.slots);
  CHECK_EQ(after.bytes, before.bytes);
  rig_now(r, 1 << CP_PAGE_BITS);
  CHECK_SHOWS(r, 1 << CP_PAGE_BITS);
  r->memory.fail_percent = 0;
  CHECK_EQ(cp_open(r->engine), (int32_t) before.pages + 1);
  rig_free(r);
}

static void create_without_memory(void) {
  memory m;
  int32_t header[CP_HEADER] = {0};
  memory_init(&m, 1);
  m.fail_in = 1;
  CHECK(cp_create(&m.allocator, NULL, NULL, header, NULL) == NULL);
  CHECK_EQ(m.blocks, 0);
}

void page_suite(void) {
  RUN(pages_count_from_one);
  RUN(a_page_is_reused_when_all_its_slots_are_back);
  RUN(a_reused_page_is_clean);
  RUN(growth_keeps_what_is_there);
  RUN(pages_that_come_and_go_need_no_more_memory);
  RUN(many_pages_close_and_open_again);
  RUN(the_number_of_pages_is_limited);
  RUN(growth_stops_at_the_limit);
  RUN(open_without_memory_changes_nothing);
  RUN(create_without_memory);
}

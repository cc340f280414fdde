/* JOB: two words in the window, also at its end. */
#include "rig.h"
#include "suites.h"

static void a_job_shows_its_operand(void) {
  rig *r = rig_new();
  int32_t s[4];
  rig_slots(r, s, 4);
  rig_job(r, s[0], 7);
  rig_job(r, s[1], 0);
  rig_job(r, s[2], INT32_MIN);
  rig_job(r, s[3], INT32_MAX);
  CHECK_SHOWS(r, -s[0], 7, -s[1], 0, -s[2], INT32_MIN, -s[3], INT32_MAX);
  rig_free(r);
}

static void jobs_and_reactions_share_one_order(void) {
  rig *r = rig_new();
  int32_t s[5];
  rig_slots(r, s, 5);
  rig_now(r, s[0]);
  rig_job(r, s[1], 5);
  rig_then(r, s[2], s[3]);
  rig_settle(r, s[2]);
  rig_job(r, s[4], -5);
  CHECK_SHOWS(r, s[0], -s[1], 5, s[3], -s[4], -5);
  rig_free(r);
}

static void a_job_is_a_plain_promise_afterwards(void) {
  rig *r = rig_new();
  int32_t s[3];
  rig_slots(r, s, 3);
  rig_then(r, s[0], s[1]);
  rig_job(r, s[0], 3);
  CHECK_SHOWS(r, -s[0], 3);
  rig_then(r, s[2], s[0]);
  rig_settle(r, s[2]);
  CHECK_SHOWS(r, s[0]);
  rig_job(r, s[0], 4);
  CHECK_SHOWS(r, -s[0], 4);
  rig_settle(r, s[0]);
  CHECK_SHOWS(r, s[1]);
  rig_free(r);
}

/* Reads one slot of the window at *at: its number, with a job's operand. */
static int32_t read_entry(const rig *r, int32_t *at, int32_t *arg) {
  int32_t word = r->window[(*at)++];
  *arg = 0;
  if (word >= 0) return word;
  CHECK_LE(*at + 1, r->header[CP_HEADER_READY]);
  *arg = r->window[(*at)++];
  return -word;
}

/* Every `period`-th of 9,000 slots, from `phase`, is a job; all else is not.
 * None may be lost, doubled, torn in two or shown out of order. */
static void show_mixture(int period, int phase) {
  enum { COUNT = 9000 };
  rig *r = rig_new();
  int32_t slots[COUNT];
  int32_t i, arg, shown = 0, turns = 0;
  rig_slots(r, slots, COUNT);
  for (i = 0; i < COUNT; i++) {
    if (i % period == phase) {
      rig_job(r, slots[i], ~i);
    } else {
      rig_now(r, slots[i]);
    }
  }
  while (shown < COUNT) {
    int32_t ready = rig_turn(r);
    int32_t at = 0;
    CHECK_GE(ready, 1);
    if (r->header[CP_HEADER_MORE]) CHECK_GE(ready, CP_WINDOW - 1);
    while (at < ready) {
      CHECK_EQ(read_entry(r, &at, &arg), slots[shown]);
      CHECK_EQ(arg, shown % period == phase ? ~shown : 0);
      shown++;
    }
    CHECK_LE(++turns, 10);
  }
  CHECK_EQ(r->header[CP_HEADER_MORE], 0);
  CHECK_SHOWS_NOTHING(r);
  rig_free(r);
}

static void windows_of_jobs_alone(void) {
  show_mixture(1, 0);
}

static void windows_of_jobs_at_even_and_odd_places(void) {
  int period, phase;
  for (period = 2; period <= 5; period++) {
    for (phase = 0; phase < period; phase++) show_mixture(period, phase);
  }
}

/* A job that would begin in the last word waits for the next window. */
static void a_job_at_the_very_end_of_the_window(void) {
  int32_t before;
  for (before = CP_WINDOW - 4; before <= CP_WINDOW + 1; before++) {
    rig *r = rig_new();
    int32_t job, after, i, arg, count = 0;
    for (i = 0; i < before; i++) rig_now(r, rig_slot(r));
    job = rig_slot(r);
    after = rig_slot(r);
    rig_job(r, job, 9);
    rig_now(r, after);
    for (i = 0; i < 2; i++) {
      int32_t ready = rig_turn(r);
      int32_t at = 0;
      while (at < ready) {
        int32_t slot = read_entry(r, &at, &arg);
        if (count == before) {
          CHECK_EQ(slot, job);
          CHECK_EQ(arg, 9);
        }
        if (count == before + 1) CHECK_EQ(slot, after);
        count++;
      }
    }
    CHECK_EQ(count, before + 2);
    CHECK_SHOWS_NOTHING(r);
    rig_free(r);
  }
}

void job_suite(void) {
  RUN(a_job_shows_its_operand);
  RUN(jobs_and_reactions_share_one_order);
  RUN(a_job_is_a_plain_promise_afterwards);
  RUN(windows_of_jobs_alone);
  RUN(windows_of_jobs_at_even_and_odd_places);
  RUN(a_job_at_the_very_end_of_the_window);
}

/*
 * random.h - a seeded generator (splitmix64): the same numbers everywhere.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* From 0 up to, not including, `bound`. */
static inline int32_t random_below(uint64_t *state, int32_t bound) {
  return (int32_t) (random_next(state) % (uint64_t) bound);
}

static inline int random_percent(uint64_t *state, int percent) {
  return random_below(state, 100) < percent;
}

#endif /* RANDOM_H */

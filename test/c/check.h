/*
 * check.h - assertions for the tests of the C core.
 *
 * A check that fails prints its place and both operands and ends the test it
 * stands in; the other tests go on. NDEBUG changes nothing here.
 *
 *   static void one_and_one(void) { CHECK_EQ(1 + 1, 2); }
 *   int main(void) {
 *     RUN(one_and_one);
 *     return check_report();
 *   }
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>

#define RUN(test) check_run(#test, test)

#define CHECK(expression)                                           \
  do {                                                              \
    if (!(expression)) check_fail(__FILE__, __LINE__, #expression); \
  } while (0)

/* Integers. */
#define CHECK_EQ(actual, expected) CHECK_COMPARE_(actual, ==, expected)
#define CHECK_LE(actual, expected) CHECK_COMPARE_(actual, <=, expected)
#define CHECK_GE(actual, expected) CHECK_COMPARE_(actual, >=, expected)

/* Strings; NULL equals NULL. */
#define CHECK_TEXT(actual, expected) \
  check_text(__FILE__, __LINE__, #actual, (actual), (expected))

#define CHECK_COMPARE_(actual, operator, expected)                    \
  do {                                                                \
    int64_t actual_ = (int64_t) (actual);                             \
    int64_t expected_ = (int64_t) (expected);                         \
    if (!(actual_ operator expected_)) {                              \
      check_fail_compare(__FILE__, __LINE__,                          \
                         #actual " " #operator" " #expected, actual_, \
                         expected_);                                  \
    }                                                                 \
  } while (0)

void check_run(const char *name, void (*test)(void));

/* Says what is being checked, for the output of a check that fails; until the
 * end of the test. */
void check_note(const char *text);

/* Prints `N passed, N failed` and returns the exit code for main. */
int check_report(void);

_Noreturn void check_fail(const char *file, int line, const char *text);
_Noreturn void check_fail_compare(const char *file, int line, const char *text,
                                  int64_t actual, int64_t expected);
void check_text(const char *file, int line, const char *text,
                const char *actual, const char *expected);

#endif /* CHECK_H */

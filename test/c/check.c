#include "check.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed;
static int failed;
static const char *running;
static const char *note;
static jmp_buf end_of_test;

void check_run(const char *name, void (*test)(void)) {
  running = name;
  note = NULL;
  if (setjmp(end_of_test) == 0) {
    test();
    passed++;
    printf("ok      %s\n", running);
  } else {
    failed++;
    printf("FAILED  %s%s%s\n", running, note ? ": " : "", note ? note : "");
  }
  fflush(stdout);
  running = NULL;
}

void check_note(const char *text) {
  note = text;
}

int check_report(void) {
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Outside of a test there is nothing to go on with. */
static _Noreturn void end_test(void) {
  if (running == NULL) exit(EXIT_FAILURE);
  longjmp(end_of_test, 1);
}

void check_fail(const char *file, int line, const char *text) {
  printf("%s:%d: %s\n", file, line, text);
  end_test();
}

void check_fail_compare(const char *file, int line, const char *text,
                        int64_t actual, int64_t expected) {
  printf("%s:%d: %s\n  left:  %" PRId64 "\n  right: %" PRId64 "\n", file, line,
         text, actual, expected);
  end_test();
}

void check_text(const char *file, int line, const char *text,
                const char *actual, const char *expected) {
  if (actual == expected) return;
  if (actual != NULL && expected != NULL && strcmp(actual, expected) == 0) {
    return;
  }
  printf("%s:%d: %s\n  actual:   %s\n  expected: %s\n", file, line, text,
         actual == NULL ? "NULL" : actual,
         expected == NULL ? "NULL" : expected);
  end_test();
}

#include "check.h"
#include "suites.h"

int main(void) {
  reaction_suite();
  job_suite();
  release_suite();
  combinator_suite();
  carrier_suite();
  window_suite();
  timers_suite();
  line_suite();
  page_suite();
  malformed_suite();
  checker_suite();
  large_suite();
  heap_suite();
  return check_report();
}

/*
 * suites.h - the unit tests of the core, one function per file.
 */
#ifndef SUITES_H
#define SUITES_H

void reaction_suite(void);
void job_suite(void);
void release_suite(void);
void combinator_suite(void);
void carrier_suite(void);
void window_suite(void);
void timers_suite(void);
void line_suite(void);
void page_suite(void);
void malformed_suite(void);
void checker_suite(void);
void large_suite(void);
void heap_suite(void);

#endif /* SUITES_H */

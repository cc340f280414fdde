/*
 * model.h - the engine's contract (engine.h) once more, written to be
 * obviously right: every list is an array, every removal a search.
 *
 * Commands take effect when they are applied here, in the engine when its
 * buffer is consumed; between two turns nobody can tell the difference.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

typedef struct numbers {
  int32_t *at;
  int32_t count;
  int32_t capacity;
} numbers;

void numbers_add(numbers *n, int32_t number);
void numbers_remove(numbers *n, int32_t number);
void numbers_free(numbers *n);

enum { NOWHERE = 0, READY = -1 };

typedef enum role { FREED, PROMISE, ITEM, COMBINATOR, LINE, LANE } role;

typedef struct node {
  role role;
  int used;           /* has been named by a command */
  int32_t stands;     /* NOWHERE, READY, or in the list of this promise */
  int32_t combinator; /* promise: makes it ready, or 0; item: counts it */
  int32_t carries;    /* promise: counts it, ahead of its reactions, or 0 */
  int32_t index;      /* item or carrier: among the inputs */
  int32_t arg;        /* job: its operand */
  int job;            /* promise: is ready as a job */
  int dropped;
  int timed; /* promise: has a deadline */
  int ref;
  double deadline;
  int64_t order; /* in which deadlines were set */
  numbers list;  /* promise: reactions; combinator: items, carriers;
                   line: its lanes; lane: who waits */
  int32_t owner; /* lane: its line; combinator: what follows too */
  int32_t need;
  int32_t slack;
  int32_t fulfilled;
  int32_t rejected;
  int32_t first_fulfilled; /* item, or -1 */
  int32_t first_rejected;
  int armed;
  int windowed;
  int fired; /* windowed, and waits for its DROP */
  int32_t limit;
  int32_t in_flight;
  int32_t done; /* finished without having been an item */
} node;

typedef struct model {
  node *nodes; /* by slot; pages from 1 */
  int32_t pages;
  numbers ready;
  int32_t shown; /* the first of `ready` that has not been shown */
  int32_t combinator;
  int32_t index;
  double now;
  int64_t next_order;
  numbers timed; /* all promises with a deadline, and some without */
} model;

void model_init(model *m);
void model_free(model *m);

/* The engine has opened `page`. Returns 0 if it should not have. */
int model_open(model *m, int32_t page);

/* Applies one command; CP_OK or CP_EINVAL. */
int model_apply(model *m, int op, int32_t slot, int32_t arg);

/* Gives promise `slot` a deadline; CP_OK or CP_EINVAL. */
int model_deadline(model *m, int32_t slot, double deadline, int ref);

/* Makes ready what is due. */
void model_expire(model *m);

/* The earliest deadline, and how many are to be waited for. */
double model_next_deadline(model *m);
int64_t model_refs(const model *m);

/* Whether a command takes for fresh a slot that was used before and looks
 * like new. The contract forbids it, the engine need not notice. */
int model_cannot_tell(const model *m, int op, int32_t slot, int32_t arg);

/* Fills a window as cp_turn does; returns the words. */
int32_t model_fill(model *m, int32_t *window);

int model_is_ready(const model *m); /* whether anything is ready */

/* Whether `slot` is a promise that may be named, and one that is idle too. */
int model_is_promise(const model *m, int32_t slot);
int model_is_idle(const model *m, int32_t slot);

int64_t model_live(const model *m);       /* slots not given back */
int64_t model_live_pages(const model *m); /* pages with such slots */

#endif /* MODEL_H */

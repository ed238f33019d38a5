#ifndef TESTS_LIB_JOURNAL_MEMORY_H
#define TESTS_LIB_JOURNAL_MEMORY_H
/* A journal in memory, which loses everything at exit: for tests of the bus and for trials without a disk. */
#include "bus/journal.h"

struct journal_memory;

struct journal_memory *journal_memory_new(void);
void journal_memory_free(struct journal_memory *j);
struct journal journal_memory_face(struct journal_memory *j);
/* Tests: the next call fails with this error. */
void journal_memory_fail_next(struct journal_memory *j, const struct error *err);
/* The same, after so many calls that succeed. */
void journal_memory_fail_after(struct journal_memory *j, unsigned calls, const struct error *err);

#endif

#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H
/* A state that has grown: chats, turns, messages and the full-text index, in a database that no gateway has
 * open. Texts have words as often as people use them: some in most messages, most in few. */
#include <stddef.h>

#include "bench/bench.h"

/* Adds so many messages, the same each time, to the database in dir, and indexes them as they come. slices:
 * how long each step of the index took, in milliseconds of CPU time. */
void growth_add(const char *dir, size_t messages, struct samples *slices);
double growth_cpu_ms(void); /* of this thread */
/* Word number rank, from the most frequent; valid until the next call. */
const char *growth_word(size_t rank);

#endif

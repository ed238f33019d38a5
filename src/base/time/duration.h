#ifndef BASE_TIME_DURATION_H
#define BASE_TIME_DURATION_H
/* Durations as text for people. */
#include <stdint.h>

struct buf;

/* Appends "5 s", "3 min", "2 h 5 min" or "3 d 4 h". */
void duration_add(struct buf *out, int64_t ms);

#endif

#ifndef NET_LOOP_BUSY_H
#define NET_LOOP_BUSY_H
/* Measures how long the loop is busy between two waits for events, that is, how long other work must wait. */
#include "base/metric.h"

extern struct histogram loop_busy_time;

/* Measures until loop_busy_end; does not keep the loop alive. */
void loop_busy_begin(void);
/* Stops; loop_finish, or the next iteration of the loop, completes it. */
void loop_busy_end(void);

#endif

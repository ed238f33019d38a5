#ifndef NET_LOOP_BUSY_H
#define NET_LOOP_BUSY_H
/* How long the loop was busy at a stretch, from one wait for events to the next: so long, everything else
 * waited. */
#include "base/metric.h"

extern struct histogram loop_busy_time;

/* From here on, until loop_busy_end; does not keep the loop alive. */
void loop_busy_begin(void);
/* loop_finish, or the next turn of the loop, completes it. */
void loop_busy_end(void);

#endif

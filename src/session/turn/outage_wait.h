#ifndef SESSION_TURN_OUTAGE_WAIT_H
#define SESSION_TURN_OUTAGE_WAIT_H
/*
 * A session whose turn waits because no model answers. The turn stays open in the store and takes no place
 * among those that run; messages queue behind it, and commands work. Private to sessions.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct session;
struct task;

/* The turn waits from now on; since_ms: wall clock when it began to. */
void outage_wait_begin(struct session *s, int64_t since_ms);
/* It waited before the last stop, and is about to ask again. */
void outage_wait_resume(struct session *s, int64_t since_ms);
void outage_wait_end(struct session *s);
bool outage_is_overdue(const struct session *s);
/* Waits until the turn is to be resumed: 1. -1: cancelled. */
int outage_wait(struct task *t, struct session *s, struct error *err);

#endif

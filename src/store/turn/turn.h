#ifndef STORE_TURN_TURN_H
#define STORE_TURN_TURN_H
/* Turns, for the start and stop of the store; what others may do with them is in store/turn/turns.h. */
struct db;
struct error;

/* A stop in good order is no attempt that failed: the resume that follows counts it up again. */
int turn_uncount_open_attempts(struct db *db, struct error *err);

#endif

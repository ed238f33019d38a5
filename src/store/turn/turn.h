#ifndef STORE_TURN_TURN_H
#define STORE_TURN_TURN_H
/* Internal functions on turns, for the store's start and stop. The public ones are in store/turn/turns.h. */
struct db;
struct error;

/* A clean stop is not a failed attempt: uncounts the attempts of open turns; the resume counts them again. */
int turn_uncount_open_attempts(struct db *db, struct error *err);

#endif

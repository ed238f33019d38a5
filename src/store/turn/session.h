#ifndef STORE_TURN_SESSION_H
#define STORE_TURN_SESSION_H
/* Conversations, inside a job. */
#include <stdint.h>

struct address;
struct db;
struct error;

/* The current one of an address: 1, 0 when there is none, -1. */
int session_current(struct db *db, const struct address *a, int64_t *session, struct error *err);
/* Ends the current one and makes a new one. */
int session_replace(
    struct db *db, const struct address *a, int64_t now_ms, int64_t *session, struct error *err);
/* -1, ERROR_REFUSED when a turn of the session is open. */
int session_refuse_open(struct db *db, int64_t session, struct error *err);

#endif

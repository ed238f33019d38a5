#ifndef STORE_TURN_SESSION_H
#define STORE_TURN_SESSION_H
/* Conversations, for use inside a job. */
#include <stdint.h>

struct address;
struct db;
struct error;

/* Gets the current session of an address. Returns 1, 0 when there is none, or -1. */
int session_current(struct db *db, const struct address *a, int64_t *session, struct error *err);
/* Ends the current one and creates a new one. */
int session_replace(
    struct db *db, const struct address *a, int64_t now_ms, int64_t *session, struct error *err);
/* Returns -1 with ERROR_REFUSED when the session has an open turn. */
int session_refuse_open(struct db *db, int64_t session, struct error *err);
int session_read_address(struct db *db, int64_t session, struct address *where, struct error *err);

#endif

#ifndef SESSION_ACCESS_GRANTS_H
#define SESSION_ACCESS_GRANTS_H
/*
 * Roles that were given from chat, in memory: read from the store at the start, and changed after each
 * commit, so that judging a message never waits. Private to sessions.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/access/access.h"

struct store_grant;

struct grants {
	struct store_grant **items; /* owned */
	size_t count;
};

/* The grant of a person on a channel, NULL if there is none; good until the next grants_put. */
const struct store_grant *grants_find(const struct grants *g, const char *channel, const char *person);
/* What was granted to the person for such a chat: false when nothing was. NONE: they are kept out. g may be
 * NULL. */
bool grants_role(
    const struct grants *g, const char *channel, const char *person, bool in_private, enum access_role *role);
/* Takes it, in place of an earlier one of that person. */
void grants_put(struct grants *g, struct store_grant *grant);
void grants_clear(struct grants *g);

#endif

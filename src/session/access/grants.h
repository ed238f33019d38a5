#ifndef SESSION_ACCESS_GRANTS_H
#define SESSION_ACCESS_GRANTS_H
/*
 * Roles granted from chat, in memory: loaded at the start and changed after each commit, so that an
 * access check never waits.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/access/access.h"

struct store_grant;

struct grants {
	struct store_grant **items; /* owned */
	size_t count;
};

/* Returns the grant of a person on a channel, or NULL. Valid until the next grants_put. */
const struct store_grant *grants_find(const struct grants *g, const char *channel, const char *person);
/* Reads the role granted to the person for such a chat; false without a grant. ACCESS_NONE denies access. g
 * may be NULL. */
bool grants_role(
    const struct grants *g, const char *channel, const char *person, bool in_private, enum access_role *role);
/* Takes the grant; replaces an earlier one of that person. */
void grants_put(struct grants *g, struct store_grant *grant);
void grants_clear(struct grants *g);

#endif

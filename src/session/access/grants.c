#include "session/access/grants.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/grants.h"

static struct store_grant **find(const struct grants *g, const char *channel, const char *person)
{
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->items[i]->person, person) == 0 && strcmp(g->items[i]->channel, channel) == 0)
			return &g->items[i];
	return NULL;
}

const struct store_grant *grants_find(const struct grants *g, const char *channel, const char *person)
{
	struct store_grant **at = find(g, channel, person);

	return at ? *at : NULL;
}

bool grants_role(
    const struct grants *g, const char *channel, const char *person, bool in_private, enum access_role *role)
{
	const struct store_grant *grant = g ? grants_find(g, channel, person) : NULL;

	if (!grant || (grant->private_only && !in_private))
		return false;
	*role = (enum access_role)grant->role;
	return true;
}

void grants_put(struct grants *g, struct store_grant *grant)
{
	struct store_grant **at = find(g, grant->channel, grant->person);

	if (!at) {
		g->items = xrealloc(g->items, (g->count + 1) * sizeof(*g->items));
		at = &g->items[g->count++];
		*at = NULL;
	}
	store_grant_free(*at);
	*at = grant;
}

void grants_clear(struct grants *g)
{
	for (size_t i = 0; i < g->count; i++)
		store_grant_free(g->items[i]);
	free(g->items);
	*g = (struct grants){0};
}

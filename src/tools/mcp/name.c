#include "tools/mcp/definition.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sha256.h"

#define HASH_SHOWN 8

static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* Is the name unchanged? */
static bool is_exact(const char *server, const struct mcp_name *n)
{
	size_t len = strlen(server);

	return strncmp(n->name, server, len) == 0 && strcmp(n->name + len + 2, n->original_name) == 0;
}

static void make(const char *server, struct mcp_name *n, bool hashed)
{
	char *full = xasprintf("%s__%s", server, n->original_name), hash[SHA256_TEXT_SIZE];
	size_t len = strlen(full),
	       most = hashed || len > MCP_NAME_MAX ? MCP_NAME_MAX - HASH_SHOWN - 1 : MCP_NAME_MAX;

	for (char *c = full; *c; c++)
		if (!strchr(allowed, *c))
			*c = '_';
	len = len < most ? len : most;
	memcpy(n->name, full, len);
	n->name[len] = '\0';
	if (most < MCP_NAME_MAX) {
		sha256_text(n->original_name, strlen(n->original_name), hash);
		n->name[len] = '_';
		memcpy(n->name + len + 1, hash, HASH_SHOWN);
		n->name[len + 1 + HASH_SHOWN] = '\0';
	}
	free(full);
}

static const struct mcp_name *find_twin(const struct mcp_name *names, size_t count, const struct mcp_name *n)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i].name, n->name) == 0 &&
		    strcmp(names[i].original_name, n->original_name) != 0)
			return &names[i];
	return NULL;
}

void mcp_names_make(const char *server, struct mcp_name *names, size_t count)
{
	bool *hash = xcalloc(count + 1, sizeof(*hash));

	for (size_t i = 0; i < count; i++)
		make(server, &names[i], false);
	for (size_t i = 0; i < count; i++)
		hash[i] = !is_exact(server, &names[i]) && find_twin(names, count, &names[i]);
	for (size_t i = 0; i < count; i++)
		if (hash[i])
			make(server, &names[i], true);
	free(hash);
}

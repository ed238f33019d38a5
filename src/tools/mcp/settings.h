#ifndef TOOLS_MCP_SETTINGS_H
#define TOOLS_MCP_SETTINGS_H
/* tools.mcp_servers in the configuration: the MCP servers and how to connect to them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config/config.h"

struct config;

/* NAME=VALUE of env, NAME: VALUE of headers, with file: and cred: resolved. */
struct mcp_pair {
	char *name;
	const char *value; /* points to owned or into the secrets */
	char *owned;
};

struct mcp_pairs {
	struct mcp_pair *items;
	size_t count;
};

/* One server. Shared by the configuration and the running server. */
struct mcp_server_settings {
	struct config_strings command, env_lines, header_lines;
	char *url, *directory;
	const char *token;
	int64_t timeout_ms, start_ms;
	/* Derived from the rows: */
	char *name;
	struct mcp_pairs env, headers;
	char *print; /* fingerprint of all above: a server with the same one need not restart */
	unsigned refs;
};

struct mcp_settings {
	struct mcp_server_settings **servers; /* in file order */
	size_t count;
};

extern const struct config_section mcp_section; /* "tools.mcp_servers.*" */

/* Reports errors to cfg; leaves out a server without command and url. */
void mcp_settings_read(struct mcp_settings *out, struct config *cfg);
void mcp_settings_clear(struct mcp_settings *s);
struct mcp_server_settings *mcp_server_settings_ref(struct mcp_server_settings *s);
void mcp_server_settings_unref(struct mcp_server_settings *s); /* NULL is allowed */

#endif

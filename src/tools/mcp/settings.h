#ifndef TOOLS_MCP_SETTINGS_H
#define TOOLS_MCP_SETTINGS_H
/* tools.mcp_servers in the config: which MCP servers there are, and how they are reached. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config/config.h"

struct config;

/* NAME=VALUE of env, NAME: VALUE of headers; the value as it is used, file: and cred: resolved. */
struct mcp_pair {
	char *name;
	const char *value; /* of owned, or of the table of secrets */
	char *owned;
};

struct mcp_pairs {
	struct mcp_pair *items;
	size_t count;
};

/* One server. Shared by the configuration and by the server that runs. */
struct mcp_server_settings {
	struct config_strings command, env_lines, header_lines;
	char *url, *directory;
	const char *token;
	int64_t timeout_ms, start_ms;
	/* What follows is made of the rows. */
	char *name;
	struct mcp_pairs env, headers;
	char *print; /* of everything above: servers with the same one need not be started anew */
	unsigned refs;
};

struct mcp_settings {
	struct mcp_server_settings **servers; /* in the order of the file */
	size_t count;
};

extern const struct config_section mcp_section; /* "tools.mcp_servers.*" */

/* Mistakes are reported to cfg; a server without command and url is left out. */
void mcp_settings_read(struct mcp_settings *out, struct config *cfg);
void mcp_settings_clear(struct mcp_settings *s);
struct mcp_server_settings *mcp_server_settings_ref(struct mcp_server_settings *s);
void mcp_server_settings_unref(struct mcp_server_settings *s); /* NULL is fine */

#endif

#ifndef TOOLS_MCP_SETTINGS_H
#define TOOLS_MCP_SETTINGS_H
/* tools.mcp_servers in the configuration: the MCP servers and how to connect to them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config/config.h"

struct config;
struct tools;

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
	struct config_strings command, env_lines, header_lines, read, write;
	char *url, *directory;
	const char *token;
	int64_t timeout_ms, start_ms;
	int64_t idle_ms, processes;
	bool files, sandbox, network;
	/* Derived from the rows: */
	char *name;
	struct mcp_pairs env, headers;
	/* What it gets in the sandbox besides its home, the roots and the system: NULL-terminated. */
	char **readable, **writable;
	char *fingerprint; /* fingerprint of all above: a server with the same one need not restart */
	unsigned refs;
};

struct mcp_settings {
	struct mcp_server_settings **servers; /* in file order */
	size_t count;
};

extern const struct config_section mcp_section; /* "tools.mcp_servers.*" */

/* Reports errors to cfg; leaves out a server without command and url. control: the control socket; NULL for
 * none. After all sections whose secrets servers must not see. */
void mcp_settings_read(
    struct mcp_settings *out, struct config *cfg, const struct tools *ts, const char *control);
void mcp_settings_clear(struct mcp_settings *s);
struct mcp_server_settings *mcp_server_settings_ref(struct mcp_server_settings *s);
void mcp_server_settings_unref(struct mcp_server_settings *s); /* NULL is allowed */

/* grants.c: Decides which paths of its settings server i gets in the sandbox. Reports those that would show
 * it what it must not see. */
void mcp_grants_read(const struct mcp_settings *all, size_t i, struct config *cfg, const struct tools *ts,
    const char *control);
void mcp_grants_clear(struct mcp_server_settings *s);

#endif

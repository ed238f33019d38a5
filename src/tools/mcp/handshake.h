#ifndef TOOLS_MCP_HANDSHAKE_H
#define TOOLS_MCP_HANDSHAKE_H
/* The handshake with an MCP server, and its list of tools. */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;
struct mcp_transport;
struct mcp_transport_ops;
struct mcp_peer;
struct task;

/* What is known of a server across connections. */
struct mcp_era {
	bool legacy; /* do not try the modern protocol again */
	bool modern;
};

struct mcp_handshake {
	bool has_tools;
	bool tells_changes; /* it notifies when its list of tools changes */
	char server[96];    /* its name for itself, sanitized */
};

/* Detects the server's protocol and, for the legacy one, initializes the session. start_ms: time limit of
 * its first answer. Suspends. */
int mcp_handshake_run(struct task *t, struct mcp_peer *p, const struct mcp_transport_ops *ops,
    struct mcp_era *era, uint64_t start_ms, struct mcp_handshake *out, struct error *err);
/* Returns all pages of tools/list as one new array; NULL with an error sentence. Suspends. */
struct json_object *mcp_list_tools(struct task *t, struct mcp_peer *p, struct error *err);

#endif

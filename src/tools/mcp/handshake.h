#ifndef TOOLS_MCP_HANDSHAKE_H
#define TOOLS_MCP_HANDSHAKE_H
/* The first words with an MCP server, and the list of its tools. */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;
struct mcp_transport;
struct mcp_transport_ops;
struct mcp_peer;
struct task;

/* What is known of a server from one connection to the next. */
struct mcp_era {
	bool legacy; /* it is not asked for the modern era any more */
	bool modern;
};

struct mcp_handshake {
	bool has_tools;
	bool tells_changes; /* of its list of tools */
	char server[96];    /* what it calls itself, cleaned */
};

/* Finds out its era and, in the legacy one, shakes hands. start_ms: how long its first answer may take. */
int mcp_handshake_run(struct task *t, struct mcp_peer *p, const struct mcp_transport_ops *ops,
    struct mcp_era *era, uint64_t start_ms, struct mcp_handshake *out, struct error *err);
/* All pages of tools/list as one new array; NULL with a sentence. */
struct json_object *mcp_list_tools(struct task *t, struct mcp_peer *p, struct error *err);

#endif

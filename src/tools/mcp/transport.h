#ifndef TOOLS_MCP_TRANSPORT_H
#define TOOLS_MCP_TRANSPORT_H
/* What carries the messages of one connection: a child process, or HTTP. */
#include <stdbool.h>

#include "tools/mcp/peer.h"

struct mcp_server_settings;

struct mcp_transport_ops {
	const char *name;
	struct mcp_sender carrier;
	/* Makes the connection and sets p->carrier and p->link. state: a folder of ours; may be NULL. */
	struct mcp_transport *(*open)(struct task *t, struct mcp_peer *p, const struct mcp_server_settings *s,
	    const char *state, struct error *err);
	/* Ends it whatever happens to t, and frees; everybody who still waits has been told before. NULL is
	 * fine. */
	void (*close)(struct task *t, struct mcp_transport *link);
	/* Waits for what the server tells by itself and calls p->tools_changed; returns when it will tell
	 * nothing, or t was cancelled. NULL: it tells in between anyway. Legacy only: in the modern era it is
	 * a request. */
	void (*listen)(struct task *t, struct mcp_transport *link);
	/* Waits until what needs no answer has been taken. NULL: order is kept anyway. -1: cancelled. */
	int (*flush)(struct task *t, struct mcp_transport *link, struct error *err);
	int (*pid)(const struct mcp_transport *link); /* NULL: none */
};

extern const struct mcp_transport_ops mcp_stdio, mcp_http;

#endif

#ifndef TOOLS_MCP_TRANSPORT_H
#define TOOLS_MCP_TRANSPORT_H
/* The transport of a connection: a child process, or HTTP. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/mcp/peer.h"

struct mcp_server_settings;
struct sandbox;

/* Where a child process runs. */
struct mcp_place {
	char *state;             /* parent of each server's home; NULL for none */
	struct sandbox *sandbox; /* NULL: it has our rights */
	char *workspace;         /* the folder with the files that it gets, without links; NULL for none */
	int64_t quota;           /* of that folder and its home, in bytes; 0: none */
	char *scope; /* stands for that folder in the name of its home; NULL: it has the server's own */
};

struct mcp_transport_ops {
	const char *name;
	struct mcp_sender sender;
	/* Connects and sets p->sender and p->link. Suspends. */
	struct mcp_transport *(*open)(struct task *t, struct mcp_peer *p, const struct mcp_server_settings *s,
	    const struct mcp_place *place, struct error *err);
	/* Closes the connection, even when t is cancelled, and frees it; all waiting requests have failed
	 * before. NULL is allowed. */
	void (*close)(struct task *t, struct mcp_transport *link);
	/* Waits for notifications and calls p->tools_changed; returns when none will come, or t was
	 * cancelled. NULL: notifications arrive with other messages. Legacy only: in the modern era it is a
	 * request. */
	void (*listen)(struct task *t, struct mcp_transport *link);
	/* Waits until all messages without an answer were accepted. NULL: the order is kept anyway. Returns
	 * -1 when cancelled. */
	int (*flush)(struct task *t, struct mcp_transport *link, struct error *err);
	int (*pid)(const struct mcp_transport *link); /* NULL for none */
};

extern const struct mcp_transport_ops mcp_stdio, mcp_http;

#endif

#ifndef TOOLS_MCP_SERVER_H
#define TOOLS_MCP_SERVER_H
/*
 * One MCP server while we run: a task of its own connects to it, lists its tools, stays with it, and begins
 * anew, with growing pauses, when it is gone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/backoff.h"
#include "tools/mcp/definition.h"
#include "tools/mcp/handshake.h"
#include "tools/mcp/peer.h"

struct mcp_transport_ops;
struct mcp_server_settings;
struct tool_source;
struct tools;

enum mcp_state { MCP_STARTING, MCP_READY, MCP_DOWN };

struct mcp_server {
	struct list link; /* for who has it */
	struct mcp_server_settings *settings;
	char *log, *folder;         /* component; where it may have a folder, or NULL */
	struct tool_source *source; /* NULL once it is to end */
	const struct mcp_transport_ops *ops;
	struct mcp_peer peer;
	struct mcp_era era;
	struct mcp_handshake hello;
	struct mcp_pins pins;
	enum mcp_state state;
	char reason[200];              /* why it is not ready */
	size_t tools, refused;         /* as it was last listed */
	char listed[SHA256_TEXT_SIZE]; /* a hash of that list */
	unsigned starts;
	uint64_t since_ms;   /* of the state */
	bool changed;        /* its list is to be read again */
	bool renew;          /* its session is to begin anew */
	uint64_t renewed_ms; /* when one did, at last; 0: never */
	struct backoff backoff;
	struct task_cond state_changed;
	struct task *task;
	struct task_group own; /* the task, and the one that listens */
	struct task_group listeners;
	unsigned refs;
};

/* Starts it: returns at once. folder is copied; may be NULL. */
struct mcp_server *mcp_server_new(
    struct tools *ts, const struct mcp_server_settings *settings, const char *folder);
/* Begins to end it; its tools are gone at once. */
void mcp_server_stop(struct mcp_server *s);
/* Waits for its end whatever happens to t, and gives it back. */
void mcp_server_free(struct task *t, struct mcp_server *s);

/* For calls. */
struct mcp_server *mcp_server_ref(struct mcp_server *s);
void mcp_server_unref(struct mcp_server *s);
/* The session is gone, or the answer makes one think so: look again. */
void mcp_server_renew(struct mcp_server *s);
void mcp_server_check(struct mcp_server *s);
/* Waits until it is ready; -1 when it was not within ms, or t was cancelled. */
int mcp_server_await(struct task *t, struct mcp_server *s, uint64_t ms);
const char *mcp_state_name(enum mcp_state state);

#endif

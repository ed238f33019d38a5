#ifndef TOOLS_MCP_SERVER_H
#define TOOLS_MCP_SERVER_H
/*
 * An MCP server at run time: its task connects, lists the tools, keeps the connection, and reconnects
 * with back-off when it is lost.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/backoff.h"
#include "tools/mcp/definition.h"
#include "tools/mcp/peer.h"
#include "tools/mcp/transport.h"

struct json_object;
struct mcp_server_settings;
struct sandbox;
struct task;
struct tool_call;
struct tool_definition;
struct tool_source;
struct tools;

/* handshake.c: The handshake with an MCP server, and its list of tools. */

/* What is known of a server across connections. */
struct mcp_era {
	bool legacy; /* do not try the modern protocol again */
	bool modern;
};

struct mcp_handshake {
	bool has_tools;
	bool notifies_changes; /* it notifies when its list of tools changes */
	char server[96];       /* its name for itself, sanitized */
};

/* Detects the server's protocol and, for the legacy one, initializes the session. start_ms: time limit of
 * its first answer. Suspends. */
int mcp_handshake_run(struct task *t, struct mcp_peer *p, const struct mcp_transport_ops *ops,
    struct mcp_era *era, uint64_t start_ms, struct mcp_handshake *out, struct error *err);
/* Returns all pages of tools/list as one new array; NULL with an error sentence. Suspends. */
struct json_object *mcp_list_tools(struct task *t, struct mcp_peer *p, struct error *err);

enum mcp_state { MCP_STARTING, MCP_READY, MCP_DOWN };

struct mcp_server {
	struct list link; /* in its owner's list */
	struct mcp_server_settings *settings;
	char *log; /* log module */
	struct mcp_place place;
	struct tool_source *source; /* NULL once it is ending */
	const struct mcp_transport_ops *ops;
	struct mcp_peer peer;
	struct mcp_era era;
	struct mcp_handshake hello;
	struct mcp_pins pins;
	enum mcp_state state;
	char reason[200];                 /* why it is not ready */
	size_t tools, refused;            /* at the last listing */
	char list_hash[SHA256_TEXT_SIZE]; /* hash of that list */
	unsigned starts;
	bool ending; /* takes no more calls */
	/* Of a server with files whose calls go to processes for folders: */
	bool is_split;
	struct list processes;    /* of struct mcp_server, the one that was used last at the end */
	size_t running;           /* of those, the ones that have a child process */
	struct task_cond changes; /* one of them has ended, or has become idle */
	/* Of such a process: */
	struct mcp_server *parent;
	bool has_slot; /* counts in running */
	bool crowded;  /* not started, because the maximum of processes have calls */
	unsigned calls;
	uint64_t idle_since;
	uint64_t since_ms;   /* start of the state */
	bool changed;        /* list its tools again */
	bool renew;          /* its session must restart */
	uint64_t renewed_ms; /* last restart of a session; 0: never */
	struct backoff backoff;
	struct task_cond state_changed;
	struct task *task;
	struct task_group own; /* the main task and the listener */
	struct task_group listeners;
	unsigned refs;
};

/* Starts the server's task and returns at once. state is copied; may be NULL. */
struct mcp_server *mcp_server_new(
    struct tools *ts, const struct mcp_server_settings *settings, const char *state);
/* Returns true when it runs as a server with these settings and tools would. */
bool mcp_server_fits(
    const struct mcp_server *s, const struct tools *ts, const struct mcp_server_settings *settings);
/* Returns one with this state: no task, no source of tools, nothing in place but the state and the sandbox.
 */
struct mcp_server *mcp_server_alloc(
    const struct mcp_server_settings *settings, const char *state, struct sandbox *sandbox);
/* Starts to end it; its tools disappear at once. */
void mcp_server_stop(struct mcp_server *s);
/* Waits for its end, even when t is cancelled, and releases it. */
void mcp_server_free(struct task *t, struct mcp_server *s);

/* For calls. */
struct mcp_server *mcp_server_ref(struct mcp_server *s);
void mcp_server_unref(struct mcp_server *s);
/* The session is gone (renew), or the answer makes that likely (check): reconnects. */
void mcp_server_renew(struct mcp_server *s);
void mcp_server_check(struct mcp_server *s);
/* Waits until it is ready. Returns -1 after ms, or when t was cancelled. */
int mcp_server_await(struct task *t, struct mcp_server *s, uint64_t ms);
const char *mcp_state_name(enum mcp_state state);
/* For its task: connect up to the handshake; set the state and its reason; end the connection. */
int mcp_server_connect(struct task *t, struct mcp_server *s, struct error *err);
void mcp_server_set_state(struct mcp_server *s, enum mcp_state state, const char *reason);
void mcp_server_disconnect(struct task *t, struct mcp_server *s);

/* process.c: A server with files has one process for each folder of the workspace that it is called from. */

/* Returns the server, or the process for the call's folder, when it is ready; NULL with the failure to
 * answer. Give it back with mcp_process_leave. Suspends. */
struct mcp_server *mcp_process_enter(
    struct task *t, struct mcp_server *s, const struct tool_call *call, struct json_object **failure);
void mcp_process_leave(struct mcp_server *p);

/* call.c: A tool of an MCP server in the registry. */

/* Fills in a definition for tool_source_replace. Its texts are borrowed from d. */
void mcp_call_define(struct tool_definition *out, struct mcp_server *s, const struct mcp_definition *d);

#endif

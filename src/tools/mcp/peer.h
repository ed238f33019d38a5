#ifndef TOOLS_MCP_PEER_H
#define TOOLS_MCP_PEER_H
/*
 * JSON-RPC 2.0 with one MCP server over any transport: requests wait for the answer with their id, and
 * the server's own requests and notifications are handled. One peer per connection.
 * It supports two protocol eras (MCP, "Versioning"): the legacy one, up to 2025-11-25, with a handshake,
 * and the modern one, from 2026-07-28 on, where every request states its version.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/list.h"

struct json_object;
struct mcp_transport;
struct mcp_peer;
struct task;

#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY "2025-11-25" /* the newest of its era */
/* Limit of one message in either direction. */
#define MCP_MESSAGE_MAX (8 * 1024 * 1024)
/* Maximum regardless of progress reports. */
#define MCP_CALL_MAX_MS (600 * 1000)
#define MCP_NO_TIMEOUT  UINT64_MAX

/* An outgoing message. */
struct mcp_outgoing {
	char *text; /* malloc'd, one line; the sender takes it and may null it */
	size_t len;
	int64_t id;         /* of a request, else 0: no answer follows */
	const char *method; /* NULL for an answer of ours */
	const char *name;   /* params.name of a call, else NULL */
	/* Additional headers, each "Name: value\n"; may be NULL. */
	const char *headers;
	uint64_t elicit_ms; /* how long the server may ask a person meanwhile */
};

struct mcp_sender {
	/* Sends a message: takes its text, borrows the rest, never suspends. Failures are reported by
	 * mcp_peer_failed. */
	void (*send)(struct mcp_transport *link, struct mcp_outgoing *out);
	/* No task waits for the answer any more. */
	void (*forget)(struct mcp_transport *link, int64_t id);
	bool closing_cancels; /* in the modern era closing a request's connection cancels it */
};

struct mcp_peer {
	const char *log; /* log module; borrowed */
	const struct mcp_sender *sender;
	struct mcp_transport *link;
	bool modern;
	char version[16];    /* empty until known */
	const char *root;    /* the folder that it may work in, for roots/list; borrowed; NULL: none */
	struct list waiting; /* for answers: a list, because each answer goes to the request with its id */
	int64_t last_id;
	unsigned invalid_count; /* count of invalid messages */
	bool lost;
	struct error why; /* of lost */
	/* The server announced a changed list of tools. */
	void (*tools_changed)(void *arg);
	/* The connection ended. */
	void (*on_lost)(void *arg);
	void *arg;
};

enum mcp_outcome {
	MCP_ANSWERED,
	MCP_ERROR, /* an error with a code from the server */
	MCP_TIMED_OUT,
	MCP_STOPPED, /* the task was cancelled */
	MCP_SESSION, /* the server no longer knows our session; it did nothing */
	MCP_LOST     /* err gives the reason; err.uncertain: it may have been executed */
};

struct mcp_answer {
	enum mcp_outcome outcome;
	struct json_object *result; /* MCP_ANSWERED: an object */
	int64_t number;             /* for MCP_ERROR */
	char *message;
	struct json_object *data; /* may be NULL */
	struct error err;         /* for every other outcome: a sentence */
};

struct mcp_request {
	const char *method;
	struct json_object *params; /* taken; NULL: {} */
	uint64_t timeout_ms;        /* MCP_NO_TIMEOUT for none */
	bool progress;              /* its progress reports extend the time limit */
	bool modern;                /* sent as in the modern era regardless of the server */
	bool no_cancel;             /* initialize must not be cancelled */
	const char *name, *headers; /* as in struct mcp_outgoing */
	/* Answers elicitation/create, which the server may send meanwhile, within elicit_ms; the time limit
	 * waits for it. Returns the result, NULL when params are not valid. over is set, and t woken, when
	 * the server no longer waits. Suspends. NULL: declined. */
	struct json_object *(*elicit)(
	    struct task *t, void *arg, struct json_object *params, const bool *over);
	void *arg;
	uint64_t elicit_ms;
	bool no_person; /* modern: there is no person to ask */
};

void mcp_peer_init(struct mcp_peer *p, const char *log);
/* Sends the request and waits for the outcome in out; clear it with mcp_answer_clear. Suspends. */
void mcp_peer_ask(struct task *t, struct mcp_peer *p, struct mcp_request *req, struct mcp_answer *out);
void mcp_answer_clear(struct mcp_answer *a);
/* Returns a new ListRootsResult. */
struct json_object *mcp_peer_roots(const struct mcp_peer *p);
/* Legacy only. Takes params. */
void mcp_peer_notify(struct mcp_peer *p, const char *method, struct json_object *params);

/* Returns what we can do for a server, as a new object. person: there is one to ask. */
struct json_object *mcp_capabilities(const struct mcp_peer *p, bool person);

/* For the transport: handles a received message. id: the request that its stream answers; 0: unknown. Returns
 * -1 when it is invalid. */
int mcp_peer_take(struct mcp_peer *p, int64_t id, const char *text, size_t len);
/* Handles the body of a refused request. Returns true if it is a JSON-RPC error, which then answers id,
 * whatever its own id. */
bool mcp_peer_take_error(struct mcp_peer *p, int64_t id, const char *text, size_t len);
/* Ends a request that will get no answer; no effect when no task waits for it. */
void mcp_peer_failed(struct mcp_peer *p, int64_t id, enum mcp_outcome outcome, const struct error *err);
bool mcp_peer_waits(const struct mcp_peer *p, int64_t id);
/* The connection ended: fails all waiting requests. */
void mcp_peer_lost(struct mcp_peer *p, const struct error *err);

#endif

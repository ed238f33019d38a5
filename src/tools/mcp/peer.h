#ifndef TOOLS_MCP_PEER_H
#define TOOLS_MCP_PEER_H
/*
 * JSON-RPC 2.0 with one MCP server, over whatever carries the messages: requests wait for the answer with
 * their id, and what the server asks or tells is dealt with. One connection has one peer.
 *
 * Two eras are spoken (MCP, "Versioning"): the legacy one, up to 2025-11-25, with a handshake, and the modern
 * one, from 2026-07-28 on, in which every request says its version itself.
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
/* Of one message, either way. */
#define MCP_MESSAGE_MAX (8 * 1024 * 1024)
/* However much progress is reported. */
#define MCP_CALL_MAX_MS (600 * 1000)
#define MCP_NO_TIMEOUT  UINT64_MAX

/* One message on its way out. */
struct mcp_outgoing {
	char *text; /* malloc'd, one line; who sends it takes it and may null it */
	size_t len;
	int64_t id;         /* of a request, else 0: no answer comes */
	const char *method; /* NULL: an answer of ours */
	const char *name;   /* params.name of a call, else NULL */
	/* More headers, each "Name: value\n"; may be NULL. */
	const char *headers;
};

struct mcp_sender {
	/* Never suspends, and takes the text. What becomes of it is told by mcp_peer_failed. All is borrowed
	 * but the text. */
	void (*send)(struct mcp_transport *link, struct mcp_outgoing *out);
	/* Nobody waits for the answer any more. */
	void (*forget)(struct mcp_transport *link, int64_t id);
	bool closing_cancels; /* in the modern era the end of the request's connection cancels it */
};

struct mcp_peer {
	const char *log; /* component for the log; lent */
	const struct mcp_sender *carrier;
	struct mcp_transport *link;
	bool modern;
	char version[16]; /* empty until it is known */
	struct list waiting;
	int64_t last_id;
	unsigned strange; /* messages that were none */
	bool lost;
	struct error why; /* lost */
	/* The server has said that its tools are others now. */
	void (*tools_changed)(void *arg);
	/* The connection is over. */
	void (*on_lost)(void *arg);
	void *arg;
};

enum mcp_outcome {
	MCP_ANSWERED,
	MCP_ERROR, /* with a number, by the server */
	MCP_LATE,
	MCP_STOPPED, /* the task was cancelled */
	MCP_SESSION, /* the server knows our session no more; it has not done anything */
	MCP_LOST     /* err says how; err.uncertain: it may have been done */
};

struct mcp_answer {
	enum mcp_outcome outcome;
	struct json_object *result; /* MCP_ANSWERED: an object */
	int64_t number;             /* MCP_ERROR */
	char *message;
	struct json_object *data; /* may be NULL */
	struct error err;         /* of every other outcome: a sentence */
};

struct mcp_request {
	const char *method;
	struct json_object *params; /* taken; NULL: {} */
	uint64_t timeout_ms;        /* MCP_NO_TIMEOUT: none */
	bool progress;              /* reports of it lengthen the time */
	bool modern;                /* asked as in the modern era, whatever is known of the server */
	bool no_cancel;             /* initialize must not be cancelled */
	const char *name, *headers; /* as in struct mcp_outgoing */
};

void mcp_peer_init(struct mcp_peer *p, const char *log);
/* Sends the request and waits. out is filled: clear it with mcp_answer_clear. */
void mcp_peer_ask(struct task *t, struct mcp_peer *p, struct mcp_request *req, struct mcp_answer *out);
void mcp_answer_clear(struct mcp_answer *a);
/* Legacy only. Takes params. */
void mcp_peer_notify(struct mcp_peer *p, const char *method, struct json_object *params);

/* For the carrier. A message has arrived: -1 when it is none. */
int mcp_peer_take(struct mcp_peer *p, const char *text, size_t len);
/* The body of a refused request, if it is a JSON-RPC error: true, and it is the answer to id, whatever its
 * own id. */
bool mcp_peer_take_error(struct mcp_peer *p, int64_t id, const char *text, size_t len);
/* A request had no answer, and will get none; nothing happens when nobody waits for it. */
void mcp_peer_failed(struct mcp_peer *p, int64_t id, enum mcp_outcome outcome, const struct error *err);
bool mcp_peer_waits(const struct mcp_peer *p, int64_t id);
/* The connection is over: everybody who waits is told. */
void mcp_peer_lost(struct mcp_peer *p, const struct error *err);

#endif

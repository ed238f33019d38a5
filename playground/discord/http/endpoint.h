#ifndef PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
#define PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
/* The endpoints of the REST API that are simulated: one const row each, collected in endpoints.c. */
#include "playground/discord/http/rate_limit.h"

struct cord_call;
struct cord_shape;
struct task;

enum cord_endpoint_flag {
	CORD_OPEN = 1,      /* no Authorization is wanted */
	CORD_FREE_BODY = 2, /* any body: run checks it */
	CORD_LIST_BODY = 4, /* the body is a list of such shapes */
	CORD_UPLOADS = 8,   /* multipart/form-data is taken, too */
	CORD_UNBOUND = 16   /* outside the global limit */
};

struct cord_endpoint {
	const char *name; /* how faults and records call it */
	const char *method;
	const char *path; /* as Discord's OpenAPI description has it */
	enum cord_bucket bucket;
	unsigned flags;
	const struct cord_shape *query, *body; /* NULL: none */
	/* 0 with call->result (NULL: 204), or -1 after a failure. */
	int (*run)(struct cord_call *call);
};

extern const struct cord_endpoint cord_endpoints[];
extern const size_t cord_endpoint_count;

#endif

#ifndef PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
#define PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
/* The simulated endpoints of the REST API: one const row each, collected in endpoints.c. */
#include "playground/discord/http/rate_limit.h"

struct cord_call;
struct cord_shape;
struct task;

enum cord_endpoint_flag {
	CORD_OPEN = 1,      /* no Authorization needed */
	CORD_FREE_BODY = 2, /* any body; run checks it */
	CORD_LIST_BODY = 4, /* the body is a list of the shape */
	CORD_UPLOADS = 8,   /* accepts multipart/form-data, too */
	CORD_UNBOUND = 16   /* exempt from the global rate limit */
};

struct cord_endpoint {
	const char *name; /* the name in faults and the request log */
	const char *method;
	const char *path; /* as in Discord's OpenAPI description */
	enum cord_bucket bucket;
	unsigned flags;
	const struct cord_shape *query, *body; /* NULL: none */
	/* Returns 0 with call->result (NULL: 204), or -1 after a failure. */
	int (*run)(struct cord_call *call);
};

extern const struct cord_endpoint cord_endpoints[];
extern const size_t cord_endpoint_count;

#endif

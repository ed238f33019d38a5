#ifndef PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
#define PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
/* The operations of the REST API: the table says what each takes; those that are simulated have a row here.
 */
#include <stdbool.h>

#include "playground/discord/http/rate_limit.h"
#include "playground/discord/world/world.h"
#include "playground/spec/spec.h"

struct cord_call;

struct cord_endpoint {
	const char *operation; /* as in the table */
	const char *name;      /* in faults and the request log */
	enum cord_bucket bucket;
	bool unbound; /* exempt from the global rate limit */
	/* Returns 0 with call->result (NULL: 204), or -1 after a failure. */
	int (*run)(struct cord_call *call);
	enum cord_record_kind kind; /* of what is listed, got or changed; 0 where it does not matter */
};

extern const struct cord_endpoint cord_endpoints[]; /* a row of NULLs ends them */

#define CORD_ARGS_MAX 4

struct cord_route {
	const char *method, *path; /* "GET", "/channels/{channel_id}" */
	const struct spec_record *spec;
	const struct cord_endpoint *endpoint; /* NULL: not simulated */
};

/* Finds the operation of a request; its variable path segments go to args. NULL: there is none; *known: there
 * is one of another method. */
const struct cord_route *cord_route_find(const char *method, const char *path, char args[][256], bool *known);

#endif

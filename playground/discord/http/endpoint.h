#ifndef PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
#define PLAYGROUND_DISCORD_HTTP_ENDPOINT_H
/* The operations of the REST API. The table says what each takes, how it is limited and what the actor needs.
 */
#include <stdbool.h>
#include <stdint.h>

#include "playground/discord/http/rate_limit.h"
#include "playground/discord/world/world.h"
#include "playground/spec/spec.h"

struct cord_call;

/* Returns 0 with call->result (NULL: 204), or -1 after a failure. */
typedef int cord_endpoint_fn(struct cord_call *call);

/* What the path names first: the actor must see it, and the call gets it. CORD_ELSEWHERE: an invite, a stage
 * or a webhook, which the function finds. CORD_NOWHERE: the bot's own, or anyone's. */
enum cord_place { CORD_NOWHERE, CORD_IN_GUILD, CORD_IN_CHANNEL, CORD_IN_MESSAGE, CORD_ELSEWHERE };

struct cord_endpoint {
	const char *operation; /* as in the table */
	cord_endpoint_fn *run;
	enum cord_place place;
	uint64_t permissions; /* that the actor needs there */
};

/* The simulated operations (methods.awk), ended by a row of NULLs. */
extern const struct cord_endpoint cord_endpoints[];

#define CORD_ARGS_MAX 4

struct cord_route {
	const char *method, *path; /* "GET", "/channels/{channel_id}" */
	char name[56];             /* "GET /channels": in faults and the request log */
	const struct spec_record *spec;
	const struct cord_endpoint *endpoint; /* NULL: not simulated */
	enum cord_bucket bucket;
};

/* May people use the operation by /control/operate, as they do in the client? They may use one that has a
 * place, unless the word people= of its row names another call for it: *call, or NULL. */
bool cord_route_is_for_people(const struct cord_route *r, const char **call);
/* Finds the operation of a request; its variable path segments go to args. NULL: there is none; *known: there
 * is one of another method. */
const struct cord_route *cord_route_find(const char *method, const char *path, char args[][256], bool *known);
/* Returns all operations, by path. */
const struct cord_route *cord_routes(size_t *count);

#endif

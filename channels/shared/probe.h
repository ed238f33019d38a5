#ifndef CHANNELS_SHARED_PROBE_H
#define CHANNELS_SHARED_PROBE_H
/* Sends one read-only request that shows whether the platform accepts a token (myna check --probe). */
#include <stdint.h>

struct error;
struct json_object;
struct task;

struct probe_request {
	const char *method;        /* "GET", "POST" */
	const char *url;           /* may contain a token: never put it into an error */
	const char *label;         /* replaces the URL in errors */
	const char *authorization; /* value of the Authorization header; NULL: none */
	const char *agent;         /* User-Agent; NULL: the default */
	const char *keep;          /* lower-case name of a response header to return; NULL: none */
};

/* What the platform's outcome reader needs. */
struct probe_answer {
	int status;
	struct json_object *reply; /* owned by the caller; NULL: the body is not a JSON object */
	uint64_t retry_ms;         /* from Retry-After; 0: none */
	char *kept;                /* value of the header `keep`, owned by the caller; NULL: absent */
};

/* Suspends. Returns -1 when no response came. */
int probe_ask(struct task *t, const struct probe_request *q, struct probe_answer *a, struct error *err);

#endif

#ifndef CHANNELS_SHARED_PROBE_H
#define CHANNELS_SHARED_PROBE_H
/* One small request that asks a platform whether a token is good (myna check --probe); changes nothing
 * there. */
#include <stdint.h>

struct error;
struct json_object;
struct task;

struct probe_request {
	const char *method;        /* "GET", "POST" */
	const char *url;           /* may hold a token: never in an error */
	const char *label;         /* stands for it */
	const char *authorization; /* the header's value; NULL: none */
	const char *agent;         /* User-Agent; NULL: none of its own */
	const char *keep;          /* a header of the answer, in small letters; NULL: none */
};

/* What a platform's class needs. */
struct probe_answer {
	int status;
	struct json_object *reply; /* to be put; NULL: no JSON object */
	uint64_t retry_ms;         /* of Retry-After, 0: none */
	char *kept;                /* what the header said, to be freed; NULL: it was not there */
};

/* -1: there was no answer. */
int probe_ask(struct task *t, const struct probe_request *q, struct probe_answer *a, struct error *err);

#endif

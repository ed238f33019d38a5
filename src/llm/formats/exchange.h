#ifndef LLM_FORMATS_EXCHANGE_H
#define LLM_FORMATS_EXCHANGE_H
/*
 * One request to a provider, and its answer as it comes in: a stream of events, or one JSON object. What an
 * answer is, is told from its first character, because its Content-Type is often wrong. What the JSON means
 * is for a reader, one for each wire format.
 */
#include <stdbool.h>
#include <stddef.h>

#include "llm/llm.h"

struct buf;
struct error;
struct http_header;
struct json_flat;
struct json_object;
struct task;

/* Most headers of a format. */
#define LLM_POST_HEADERS 4

/* What a wire format makes of an answer. arg is the answer's, in all of them. Never suspends. */
struct llm_reader {
	/* The data of an event, if it is one of those that come by the thousand: true when it was taken, and
	 * add() would have done the same. Else nothing is changed, and add() gets it. */
	bool (*add_piece)(void *arg, const struct json_flat *event, struct buf *scratch);
	/* The data of an event, or the whole answer. -1 with *class and err ends the request. */
	int (*add)(void *arg, struct json_object *o, enum llm_error_class *class, struct error *err);
	/* Nothing follows, says the server: "[DONE]", or the end of one whole object. False when that object
	 * was no answer. */
	bool (*end)(void *arg);
	/* Did its end come? Then a connection that breaks takes nothing away. */
	bool (*is_complete)(const void *arg);
	/* What came of it: 0 with out filled, or -1 with out->error_class and err. */
	int (*finish)(
	    const void *arg, const struct llm_provider *p, struct llm_answer *out, struct error *err);
	/* Of one that failed: did an answer begin, which is to be paid? Then *usage is what is known of it,
	 * the rest estimated. */
	bool (*so_far)(const void *arg, struct llm_usage *usage);
};

struct llm_post {
	const struct llm_provider *provider;
	const char *path;                  /* behind base_url */
	const struct http_header *headers; /* beside Content-Type and Accept */
	size_t header_count;
	bool has_fallback; /* as in struct llm_request */
	bool bearer;       /* the provider's key, if there is one, goes along as Authorization: Bearer */
	const struct buf *body;
	const struct llm_reader *reader;
	void *arg; /* the reader's */
};

/* POSTs the body. 0 with answer filled by the reader's finish; or -1 with answer->error_class, begun, usage,
 * and err, which names the provider. */
int llm_exchange(struct task *t, const struct llm_post *post, struct llm_answer *answer, struct error *err);

#endif

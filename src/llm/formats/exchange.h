#ifndef LLM_FORMATS_EXCHANGE_H
#define LLM_FORMATS_EXCHANGE_H
/*
 * Sends one request to a provider and reads its answer: a stream of events, or one JSON object. The
 * first character decides which, because the Content-Type is often wrong. A reader for each wire format
 * interprets the JSON.
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

/* Maximum headers of a format. */
#define LLM_POST_HEADERS 4

/* Interprets an answer in one wire format. arg is the answer's state. Never suspends. */
struct llm_reader {
	/* A fast path for frequent events. Returns true when it handled the event exactly as add() would
	 * have. Otherwise nothing changes, and add() gets the event. */
	bool (*add_piece)(void *arg, const struct json_flat *event, struct buf *scratch);
	/* Adds the data of an event, or the whole answer. Returns -1 with *class and err to end the
	 * request. */
	int (*add)(void *arg, struct json_object *o, enum llm_error_class *class, struct error *err);
	/* The server ended the answer: "[DONE]", or the end of one object. Returns false when that object
	 * was no answer. */
	bool (*end)(void *arg);
	/* Returns true once the answer is complete: a broken connection does no harm then. */
	bool (*is_complete)(const void *arg);
	/* Returns 0 with out filled, or -1 with out->error_class and err. */
	int (*finish)(
	    const void *arg, const struct llm_provider *p, struct llm_answer *out, struct error *err);
	/* After a failure: returns true if a billable answer had begun, with its known usage in *usage and
	 * the rest estimated. */
	bool (*partial_usage)(const void *arg, struct llm_usage *usage);
};

struct llm_post {
	const struct llm_provider *provider;
	const struct http_header *headers; /* besides Content-Type and Accept */
	size_t header_count;
	bool has_fallback; /* as in struct llm_request */
	bool bearer;       /* sends the provider's key, if any, as Authorization: Bearer */
	struct buf *body;  /* cleared when the provider has it, unless it refuses it */
	const struct llm_reader *reader;
	void *arg; /* the reader's */
};

/* POSTs the body. Returns 0 with answer filled by the reader's finish, or -1 with answer->error_class,
 * begun, usage, and err, which names the provider. Suspends. */
int llm_exchange(struct task *t, const struct llm_post *post, struct llm_answer *answer, struct error *err);

/* For readers. Adds to the answer's text without control characters, and passes on what was added: the sink,
 * which may be NULL, gets the same text as the message. */
void llm_answer_add_text(struct buf *answer, const struct llm_sink *sink, const char *text, size_t len);
/* No request has as many tokens. Sums of such counts fit into 64 bits, also in the database. */
#define LLM_TOKENS_MAX 1000000000
/* Sets the count from a member that may be absent. One that makes no sense counts as absent. */
void llm_answer_count(struct json_object *o, const char *key, int64_t *count);

#endif

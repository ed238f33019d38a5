#ifndef LLM_LLM_H
#define LLM_LLM_H
/*
 * Language models. One struct llm_ops per wire format, a row of formats/formats.c; a provider is a
 * configured endpoint that uses one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llm/history.h"
#include "llm/provider.h"

struct buf;
struct config;
struct config_section;
struct error;
struct llm_image_input;
struct counter;
struct task;

/* A tool that a model may call: name, summary, JSON Schema (object) as text. Borrowed. */
struct llm_tool {
	const char *name, *summary, *schema;
	/* From llm_tool_count; 0: the texts are counted and written for each request. */
	uint64_t id;
	size_t tokens, bytes;
};

/* Loads the bytes of images. load appends base64 to out; it suspends. Returns -1 when cancelled, or with an
 * error sentence. */
struct llm_image_loader {
	int (*load)(
	    struct task *t, void *arg, const struct llm_image *image, struct buf *out, struct error *err);
	void *arg;
};

struct llm_request {
	const char *system; /* the system prompt */
	const struct llm_history *history;
	const struct llm_tool *tools;
	size_t tool_count;
	size_t prompt_tokens;    /* llm_prompt_tokens of this request; 0: not counted yet */
	bool forbid_tools;       /* lists tools, but forbids calling them */
	const char *session_key; /* opaque and stable: routes the prompt cache */
	/* Set by llm_complete: another provider can be asked, so do not wait long for this one. */
	bool has_fallback;
	/* Asked before all others; NULL or an unknown name for the default. */
	const char *provider;
	const struct llm_image_loader *image_loader; /* NULL: shows no images */
	const struct llm_image_input *view;          /* images to show; set by llm_complete */
};

enum llm_finish {
	LLM_FINISH_STOP,   /* a complete answer */
	LLM_FINISH_CALLS,  /* calls tools */
	LLM_FINISH_LENGTH, /* length limit: none of its calls may run */
	LLM_FINISH_REFUSED /* the model or a filter refused */
};

/* Why a request failed, classified before any person sees it. */
enum llm_error_class {
	LLM_ERROR_NONE,
	LLM_ERROR_TRANSIENT, /* network failure, broken stream */
	LLM_ERROR_OVERLOADED,
	LLM_ERROR_RATE_LIMIT,
	LLM_ERROR_BILLING,
	LLM_ERROR_AUTH,
	LLM_ERROR_OVERFLOW, /* the request does not fit the context window */
	LLM_ERROR_BAD_HISTORY,
	LLM_ERROR_BAD_TOOLS,
	LLM_ERROR_MODEL_OUTPUT, /* the model wrote something unusable: retry once */
	LLM_ERROR_REFUSAL,
	LLM_ERROR_FATAL,
	LLM_ERROR_NO_MODEL, /* none configured */
	LLM_ERROR_CANCELLED
};

struct llm_answer {
	struct llm_message *message; /* LLM_ASSISTANT with raw, provider, model; NULL on failure */
	enum llm_finish finish;
	struct llm_usage usage;
	/* On failure: a billable answer had begun, and usage holds what is known of it. */
	bool begun;
	struct llm_bill bill; /* from llm_complete: all billable attempts, also on failure */
	enum llm_error_class error_class;
	bool image_refused; /* answered without images that the provider refused */
	/* On failure: the provider says that a retry helps (1) or does not (-1); 0 when it does not say. */
	int retry_helps;
};

/* Callbacks while the answer arrives; they never suspend and may be NULL. text: a piece of the visible
 * answer. */
struct llm_sink {
	void (*text)(void *arg, const char *piece, size_t len);
	/* An attempt failed and was not cancelled: discard the text so far. Another attempt may follow. */
	void (*restart)(void *arg);
	/* The answer is slow for this reason; at most once per request. The next piece of text replaces the
	 * line. */
	void (*progress)(void *arg, const char *line);
	void *arg;
};

struct llm_ops {
	const char *default_base_url;
	const char *path; /* of its only method, after the base URL */
	/* Sends one streamed request. Returns 0 with answer->message set, or -1 with error_class, begun and
	 * err, which is never NULL. */
	int (*complete)(struct task *t, const struct llm_provider *p, const struct llm_request *req,
	    const struct llm_sink *sink, struct llm_answer *answer, struct error *err);
};

extern const struct config_section llm_section, llm_provider_section; /* "llm", "llm.providers.*" */

/* Metrics, by error class. */
extern struct counter llm_retries, llm_failovers, llm_cooldowns;

struct llm;
/* Reads the group llm of the configuration and reports errors to cfg; after errors the result can only be
 * freed. */
struct llm *llm_new(struct config *cfg);
void llm_free(struct llm *l);
/* NULL for none: requests fail with LLM_ERROR_NO_MODEL then. */
const struct llm_provider *llm_default(const struct llm *l);
/* Iterates over all configured providers in file order; NULL to start, NULL at the end. */
const struct llm_provider *llm_next_provider(const struct llm *l, const struct llm_provider *after);
/* Tests a provider with one request of a few tokens. */
int llm_probe(struct task *t, const struct llm_provider *p, struct error *err);
/* Validates the history, asks the default provider, and retries by the error's class: the same provider
 * after a wait (at least Retry-After, with jitter), then the fallbacks. All attempts share one limit of
 * time and number. When all fail, a temporary failure is reported rather than a permanent one. A tool whose
 * schema a provider refuses by name is omitted in the next attempt. Only ask_model_complete calls it, because
 * it checks the budget. */
int llm_complete(struct task *t, struct llm *l, const struct llm_request *req, const struct llm_sink *sink,
    struct llm_answer *answer, struct error *err);
void llm_answer_clear(struct llm_answer *a);

/* Returns true when the failure may pass, so that the message is kept and retried. */
bool llm_error_is_temporary(enum llm_error_class c);
/* Appends the notice to the chat of a message that is kept after a temporary failure; it says when the next
 * try is. */
void llm_outage_notice(const struct llm *l, enum llm_error_class c, struct buf *out);
/* Returns how long a message is kept, in ms; 0: not at all. */
uint64_t llm_patience(const struct llm *l);
struct llm_wait {
	const char *session_key;    /* as in the request */
	uint64_t not_before, until; /* clock_now() */
	const bool *stop_waiting;   /* ends the wait when it is set and the task is woken */
};
/* After a temporary failure: waits for this task's turn to ask again. Returns -1 when cancelled. During an
 * outage, llm_complete refuses every task that was not called to try. */
int llm_await(struct task *t, struct llm *l, const struct llm_wait *wait, struct error *err);
/* Before the first request, for a conversation that waited at the last stop: it counts as a failure. */
void llm_expect_outage(struct llm *l, const char *session_key);
/* Ends all waits and cooldowns: the next request is sent at once. Returns how many tasks wait. */
size_t llm_retry_now(struct llm *l);

/* Another configuration replaces this one: its waiting tasks resume one by one and use the new one. */
void llm_retire(struct llm *l);

const char *llm_error_class_name(enum llm_error_class c);
/* Returns the error text for the chat: one or two sentences without provider jargon. */
const char *llm_error_advice(enum llm_error_class c);

#endif

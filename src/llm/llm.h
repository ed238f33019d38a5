#ifndef LLM_LLM_H
#define LLM_LLM_H
/*
 * Language models. One struct llm_ops a wire format; a provider is a configured
 * endpoint that speaks one.
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

/* What a model may call: name, summary, JSON Schema (object) as text. Borrowed. */
struct llm_tool {
	const char *name, *summary, *schema;
};

/* Lends the bytes of images. load appends base64 to out; it suspends. -1: cancelled, or with a sentence why
 * not. */
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
	bool forbid_tools;       /* tools stay listed, but must not be called */
	const char *session_key; /* opaque and stable: prompt cache routing */
	bool has_fallback; /* set by llm_complete: another one can be asked, do not wait long for this one */
	const char
	    *provider; /* asked before all others; NULL, or one that is not configured: the default one */
	const struct llm_image_loader *image_loader; /* NULL: no images are shown */
	const struct llm_image_input *view;          /* what of them is shown; llm_complete sees to it */
};

enum llm_finish {
	LLM_FINISH_STOP,   /* a complete answer */
	LLM_FINISH_CALLS,  /* wants tools */
	LLM_FINISH_LENGTH, /* cut off: none of its calls may run */
	LLM_FINISH_REFUSED /* the model or a filter declined */
};

/* Why a request failed, decided before anything is shown to anybody. */
enum llm_error_class {
	LLM_ERROR_NONE,
	LLM_ERROR_TRANSIENT, /* network, cut stream */
	LLM_ERROR_OVERLOADED,
	LLM_ERROR_RATE_LIMIT,
	LLM_ERROR_BILLING,
	LLM_ERROR_AUTH,
	LLM_ERROR_OVERFLOW, /* the request does not fit the context window */
	LLM_ERROR_BAD_HISTORY,
	LLM_ERROR_BAD_TOOLS,
	LLM_ERROR_MODEL_OUTPUT, /* the model wrote something unusable: worth one more try */
	LLM_ERROR_REFUSAL,
	LLM_ERROR_FATAL,
	LLM_ERROR_NO_MODEL, /* none is configured */
	LLM_ERROR_CANCELLED
};

struct llm_answer {
	struct llm_message *message; /* LLM_ASSISTANT with raw, provider, model; NULL on failure */
	enum llm_finish finish;
	struct llm_usage usage;
	bool begun; /* on failure: there was an answer, which is to be paid, and usage is what is known of it
		     */
	struct llm_bill bill; /* llm_complete: of all tries that are to be paid, also on failure */
	enum llm_error_class error_class;
	bool image_refused; /* it was given without images that the provider did not take */
	int again; /* of a failure: the provider says that trying again helps (1), or does not (-1); 0: it
		      says nothing */
};

/* Told as the answer comes in; never suspends. text: a piece of what a person will read. May be NULL. */
struct llm_sink {
	void (*text)(void *arg, const char *piece, size_t len);
	/* A try failed, and was not cancelled: what was passed to text so far is void. Whether another
	 * follows is not known yet. */
	void (*restart)(void *arg);
	/* Nothing has come for long, for this reason; at most once a request. The next piece of text takes
	 * its place. */
	void (*progress)(void *arg, const char *line);
	void *arg;
};

struct llm_ops {
	const char *api; /* "openai-chat" */
	const char *default_base_url;
	const char *path; /* of its one method, behind the base URL */
	/* One request, streamed. 0 with answer->message set; or -1 with error_class, begun and err, which is
	 * never NULL. */
	int (*complete)(struct task *t, const struct llm_provider *p, const struct llm_request *req,
	    const struct llm_sink *sink, struct llm_answer *answer, struct error *err);
};

extern const struct llm_ops llm_anthropic, llm_openai_chat, llm_openai_responses;
extern const struct config_section llm_section, llm_provider_section; /* "llm", "llm.providers.*" */

/* For the figures, by class of the failure. */
extern struct counter llm_retries, llm_failovers, llm_cooldowns;

struct llm;
/* Reads llm from the config. Errors are reported there; what is returned then can only be freed. */
struct llm *llm_new(struct config *cfg);
void llm_free(struct llm *l);
const struct llm_provider *llm_default(
    const struct llm *l); /* NULL: none, and requests fail with LLM_ERROR_NO_MODEL */
/* All that are configured, in the order of the file; NULL to begin, and at the end. */
const struct llm_provider *llm_next_provider(const struct llm *l, const struct llm_provider *after);
/* One request of a few tokens, to see whether it answers. */
int llm_probe(struct task *t, const struct llm_provider *p, struct error *err);
/* Validates the history, asks the default provider, and tries again as the class of the error allows: the
 * same provider after a wait (Retry-After is the least, with jitter), then the fallbacks. All tries share one
 * budget of time and number. When all fail, a failure that passes counts before one that does not. A tool
 * whose schema a provider refuses by name is left out of the next try. Only budget_complete calls it, which
 * sees to it that it may be spent. */
int llm_complete(struct task *t, struct llm *l, const struct llm_request *req, const struct llm_sink *sink,
    struct llm_answer *answer, struct error *err);
void llm_answer_clear(struct llm_answer *a);

/* May the failure pass by itself, so that the message is kept and asked again? */
bool llm_error_is_temporary(enum llm_error_class c);
/* Of one that passes: what the chat is told whose message is kept. */
const char *llm_error_notice(enum llm_error_class c);
/* How long a message is kept, in ms; 0: it is not. */
uint64_t llm_patience(const struct llm *l);
/* After a failure that passes: waits until it is this task's turn to ask again, not before and at most until
 * clock_now() is so late, and no longer once *enough is set and the task was woken. -1: cancelled. While no
 * model answers, llm_complete refuses at once whoever is not called to try. */
int llm_await(struct task *t, struct llm *l, uint64_t not_before, uint64_t until, const bool *enough,
    struct error *err);
/* After a start with messages that were kept: unless something is known already, one request tries before
 * others ask. */
void llm_expect_outage(struct llm *l);

/* Another one takes its place: who waits for it goes on, one after another, and finds that one. */
void llm_retire(struct llm *l);

const char *llm_error_class_name(enum llm_error_class c);
/* What to tell the person in the chat: one or two sentences, no provider jargon. */
const char *llm_error_advice(enum llm_error_class c);

#endif

#ifndef LLM_HISTORY_H
#define LLM_HISTORY_H
/*
 * The conversation as every wire format understands it, and the one pure function that
 * decides whether it may be sent: a transcript that a provider would refuse is never sent.
 *
 * The raw message of a provider is kept as its JSON text and spliced back only for the same
 * provider and model; otherwise the request is built from the other fields.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llm/image.h"

struct error;

enum llm_role { LLM_USER, LLM_ASSISTANT, LLM_TOOL };

struct llm_call {
	char *id, *name;
	char *arguments; /* JSON object text, always valid */
};

struct llm_message {
	int64_t id; /* transcript row, 0 before it is stored */
	int64_t turn;
	enum llm_role role;
	const char
	    *text; /* never NULL; assistant: may be "" when it calls; only llm_message_set_text changes it */
	struct llm_call *calls; /* assistant only */
	size_t call_count;
	char *call_id;          /* tool only: the call that this answers */
	bool is_error;          /* tool only */
	char *provider, *model; /* assistant only: who said it; NULL if nobody (our own words) */
	char *raw;              /* assistant only: the provider's own message as JSON text, NULL if none */
	unsigned char raw_seen,
	    raw_fits; /* bits of enum request_raw: looked at, and found to say what the fields say */
	size_t
	    raw_len; /* its length once it was looked at; whoever puts another raw there makes raw_seen 0 */
	int64_t began_ms; /* assistant: when the model was asked; tool: when the call began; 0: not known */
	int64_t created_ms;
	struct llm_image *images; /* user and tool only: what is shown with it; owned */
	size_t image_count;
	bool summary; /* user: stands for what was said before and is left out */
	bool written; /* its text was part of a request already */
	char *quoted; /* the text as a JSON string, for the next request; NULL: not made */
	size_t quoted_len;
};

struct llm_history {
	struct llm_message **messages; /* owned */
	size_t count, cap;
};

struct llm_message *llm_message_new(enum llm_role role, const char *text);
/* A user message that says so, and gives the summary as data. */
struct llm_message *llm_message_new_summary(const char *summary);
/* Takes the text, malloc'd, in place of the old one and of what was made of it. */
void llm_message_set_text(struct llm_message *m, char *text);
struct llm_message *llm_message_copy(const struct llm_message *m);
void llm_message_free(struct llm_message *m);
void llm_message_add_call(struct llm_message *m, const char *id, const char *name, const char *arguments);
size_t llm_message_bytes(const struct llm_message *m);
/* calls as a JSON array text [{"id","name","arguments"}], malloc'd; NULL when there are none. And back. */
char *llm_calls_text(const struct llm_message *m);
int llm_calls_parse(struct llm_message *m, const char *text, struct error *err);

void llm_history_init(struct llm_history *h);
void llm_history_clear(struct llm_history *h);
void llm_history_add(struct llm_history *h, struct llm_message *m); /* takes it */

/* What is wrong for any provider: 0, or -1 with a sentence that names the rule and the place. The rules:
 * starts with a user message and has at least one; not empty text (user, tool, assistant without calls);
 * every call answered by exactly one tool message directly after its assistant message, in the order of the
 * calls or not, before anything else; every tool message answers such a call; call ids unique; names within
 * [A-Za-z0-9_-]{1,64}; arguments a JSON object; valid UTF-8; total size at most max_bytes. The last message
 * is a user or tool message. */
int llm_history_validate(const struct llm_history *h, size_t max_bytes, struct error *err);
/* Mends what validate would refuse, changing as little as possible: orphaned results dropped, missing ones
 * added ("interrupted, outcome unknown", is_error), empty texts dropped or named, bad arguments replaced by
 * {}, duplicate ids renamed with their results. Returns how many changes. The newest user message is never
 * dropped. */
size_t llm_history_repair(struct llm_history *h);
/* Drops the oldest whole turns (from a user message to before the next) until at most max_bytes remain; the
 * newest user message and what follows it always stay, and so does a summary. Returns how many messages
 * went. */
size_t llm_history_prune(struct llm_history *h, size_t max_bytes);

#endif

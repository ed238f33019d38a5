#ifndef LLM_HISTORY_H
#define LLM_HISTORY_H
/*
 * The conversation in a form common to all wire formats, and the one pure function that decides whether
 * it may be sent: a transcript that a provider would refuse is never sent.
 * A provider's raw message is kept as JSON text and sent back verbatim only to the same provider and
 * model; otherwise the request is built from the other fields.
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
	uint64_t hash;   /* for who compares arguments; 0 until then */
};

/* The counts of a text, cached: each request counts its whole history. */
struct llm_count {
	size_t len, tokens;
	bool is_utf8;
	bool known;
};

struct llm_message {
	/* Transcript row; 0 before it is stored. Of a summary: the last row that it replaces. */
	int64_t id;
	int64_t turn;
	enum llm_role role;
	/* Never NULL; an assistant's may be "" when it has calls. Only llm_message_set_text changes it. */
	const char *text;
	struct llm_call *calls; /* assistant only */
	size_t call_count;
	char *call_id;          /* tool only: the call that it answers */
	bool is_error;          /* tool only */
	char *provider, *model; /* assistant only: its origin; NULL for our own text */
	/* Assistant only: the provider's message as JSON text, NULL if none. Only llm_message_set_raw changes
	 * it. */
	char *raw;
	/* Caches for llm_message_text_count and llm_message_raw_count. */
	struct llm_count text_count, raw_count;
	/* Bits of enum request_raw: checked, and found to match the fields. Code that changes a field, and
	 * keeps raw, sets raw_checked to 0. */
	unsigned char raw_checked, raw_fits;
	int64_t began_ms; /* assistant: start of the request; tool: start of the call; 0 when unknown */
	int64_t created_ms;
	struct llm_image *images; /* user and tool only; owned */
	size_t image_count;
	bool summary; /* user: replaces earlier messages, which are left out */
	bool differs; /* from its row: it was repaired or shortened, or a secret was redacted in the row */
	bool written; /* its text was already part of a request */
	char *quoted; /* the text as a JSON string, cached for the next request; NULL for none */
	size_t quoted_len;
};

struct llm_history {
	struct llm_message **messages; /* owned */
	size_t count, cap;
};

struct llm_message *llm_message_new(enum llm_role role, const char *text);
/* Returns a user message that introduces the summary of the rows up to this one and gives it as data. */
struct llm_message *llm_message_new_summary(const char *summary, int64_t upto);
/* Takes the malloc'd text; replaces the old one and what was cached from it. Sets differs. */
void llm_message_set_text(struct llm_message *m, char *text);
/* Takes the malloc'd raw message, NULL for none, in the place of the old one. */
void llm_message_set_raw(struct llm_message *m, char *raw);
struct llm_message *llm_message_copy(const struct llm_message *m);
void llm_message_free(struct llm_message *m);
void llm_message_add_call(struct llm_message *m, const char *id, const char *name, const char *arguments);
/* Of the text, and of raw, which is not NULL. */
const struct llm_count *llm_message_text_count(struct llm_message *m);
const struct llm_count *llm_message_raw_count(struct llm_message *m);
size_t llm_message_bytes(struct llm_message *m);
/* Convert the calls to a malloc'd JSON array text [{"id","name","arguments"}] (NULL for none), and back. */
char *llm_calls_text(const struct llm_message *m);
int llm_calls_parse(struct llm_message *m, const char *text, struct error *err);

void llm_history_init(struct llm_history *h);
void llm_history_clear(struct llm_history *h);
void llm_history_add(struct llm_history *h, struct llm_message *m); /* takes it */

/* Returns 0 when every provider accepts the history, or -1 with a sentence that names the rule and the
 * position. The rules: it starts with a user message; no empty text (user, tool, assistant without calls);
 * every call is answered by exactly one tool message directly after its assistant message, in any order,
 * before anything else; every tool message answers such a call; call ids are unique; names match
 * [A-Za-z0-9_-]{1,64}; arguments are a JSON object; valid UTF-8; total size at most max_bytes. The last
 * message is a user or tool message. */
int llm_history_validate(const struct llm_history *h, size_t max_bytes, struct error *err);
/* Repairs what validate would refuse, with minimal changes: drops orphaned results, adds missing ones
 * ("interrupted, outcome unknown", is_error), drops or names empty texts, replaces bad arguments by {},
 * renames duplicate ids with their results. Never drops the newest user message. Returns the number of
 * changes. */
size_t llm_history_repair(struct llm_history *h);
/* Drops the oldest complete turns (from a user message to before the next) until at most max_bytes remain;
 * the newest user message, what follows it, and a summary always stay. Returns the number of messages
 * dropped. */
size_t llm_history_prune(struct llm_history *h, size_t max_bytes);

#endif

#ifndef LLM_FORMATS_ASSISTANT_MESSAGE_H
#define LLM_FORMATS_ASSISTANT_MESSAGE_H
/* What a model said, made into a message that every provider takes back. */
#include <stdbool.h>
#include <stddef.h>

struct llm_message;
struct llm_provider;

/* The provider's words; blank ones are "". */
struct llm_message *llm_assistant_message(const struct llm_provider *p, const char *text);

/* A call as it came, in a format whose ids of ours begin with prefix. */
struct llm_raw_call {
	const char *id, *prefix, *name, *arguments;
	size_t len; /* of arguments */
	bool cut;   /* the answer broke off: its arguments are not mended */
};
/* Adds it with arguments that are a JSON object, whatever they were. */
void llm_assistant_message_add_call(struct llm_message *m, const struct llm_raw_call *call);

/* The id of a call that m gets next: the given one; or where there is none ("" or NULL), or m has it already,
 * a new one that begins with prefix. Results and the journal know a call by it. Malloc'd. */
char *llm_call_id(const struct llm_message *m, const char *given, const char *prefix);
/* At most 64 of [A-Za-z0-9_-]: a name that no provider would take back becomes one that no tool has.
 * Malloc'd. */
char *llm_call_name(const char *given);

#endif

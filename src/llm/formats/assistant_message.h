#ifndef LLM_FORMATS_ASSISTANT_MESSAGE_H
#define LLM_FORMATS_ASSISTANT_MESSAGE_H
/* Turns a model's answer into a message that every provider accepts. */
#include <stdbool.h>
#include <stddef.h>

struct llm_message;
struct llm_provider;

/* Returns a message with the provider's text; blank text becomes "". */
struct llm_message *llm_assistant_message(const struct llm_provider *p, const char *text);

/* A tool call as it arrived. Generated ids begin with prefix. */
struct llm_raw_call {
	const char *id, *prefix, *name, *arguments;
	size_t len; /* of arguments */
	bool cut;   /* the answer was cut off: do not repair its arguments */
};
/* Adds the call with arguments that are a JSON object in any case. */
void llm_assistant_message_add_call(struct llm_message *m, const struct llm_raw_call *call);

/* Returns the id for m's next call, malloc'd: the given one, or a generated one with prefix when it is
 * missing ("" or NULL) or already used in m. Results and the journal refer to it. */
char *llm_call_id(const struct llm_message *m, const char *given, const char *prefix);
/* Returns a name of at most 64 of [A-Za-z0-9_-], malloc'd: a name that no provider would accept becomes one
 * that no tool has. */
char *llm_call_name(const char *given);

#endif

#ifndef LLM_NAMING_H
#define LLM_NAMING_H
/* Ids and names of calls, made so that every provider takes them back. */
struct llm_message;

/* The id of a call that m gets next: the given one; or where there is none ("" or NULL), or m has it already, a new one
 * that begins with prefix. Results and the journal know a call by it. Malloc'd. */
char *llm_call_id(const struct llm_message *m, const char *given, const char *prefix);
/* At most 64 of [A-Za-z0-9_-]: a name that no provider would take back becomes one that no tool has. Malloc'd. */
char *llm_call_name(const char *given);

#endif

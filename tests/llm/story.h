#ifndef TESTS_LLM_STORY_H
#define TESTS_LLM_STORY_H
/* For tests of request bodies: a provider on this machine, a conversation, and what is to be asked. */
#include "base/buf.h"
#include "llm/llm.h"

#define STORY_LOCAL "http://127.0.0.1:11434/v1"

struct story {
	struct llm_provider provider; /* "main", model "m-1" */
	struct llm_history history;
	struct llm_request req; /* system: Be "kind". */
	struct buf body;
};

/* For cmocka; *state is the story. */
int story_set_up(void **state);
int story_tear_down(void **state);
struct llm_message *story_say(struct story *f, enum llm_role role, const char *text);
struct llm_message *story_result(struct story *f, const char *call_id, const char *text);
void story_own(struct llm_message *m, const char *provider, const char *model, const char *raw);
void story_url(struct story *f, const char *url);

#endif

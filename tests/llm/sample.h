#ifndef TESTS_LLM_SAMPLE_H
#define TESTS_LLM_SAMPLE_H
/* For tests of request bodies: a provider on this machine, a conversation, and the parameters of a
 * request. */
#include "base/buf.h"
#include "llm/llm.h"

#define STORY_LOCAL "http://127.0.0.1:11434/v1"

struct sample {
	struct llm_provider provider; /* "main", model "m-1" */
	struct llm_history history;
	struct llm_request req; /* system: Be "kind". */
	struct buf body;
};

/* For cmocka; *state is the sample. */
int sample_set_up(void **state);
int sample_tear_down(void **state);
struct llm_message *sample_say(struct sample *f, enum llm_role role, const char *text);
struct llm_message *sample_result(struct sample *f, const char *call_id, const char *text);
void sample_own(struct llm_message *m, const char *provider, const char *model, const char *raw);
void sample_url(struct sample *f, const char *url);

#endif

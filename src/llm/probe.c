#include "llm/llm.h"
#include "llm/llm_internal.h"

#include "base/error.h"

/* Some providers refuse a lower value. */
#define PROBE_TOKENS 16

const struct llm_provider *llm_next_provider(const struct llm *l, const struct llm_provider *after)
{
	size_t i = after ? (size_t)(after - l->providers) + 1 : 0;

	return i < l->count ? &l->providers[i] : NULL;
}

int llm_probe(struct task *t, const struct llm_provider *p, struct error *err)
{
	struct llm_provider small = *p;
	struct llm_history history;
	struct llm_request req = {
	    .system = "You are being tested.", .history = &history, .session_key = "probe"};
	struct llm_answer answer = {0};

	small.settings.max_tokens = PROBE_TOKENS;
	llm_history_init(&history);
	llm_history_add(&history, llm_message_new(LLM_USER, "Say OK."));
	int rc = p->ops->complete(t, &small, &req, NULL, &answer, err);
	/* It answers, although so few tokens leave nothing to show. */
	if (rc < 0 &&
	    (answer.error_class == LLM_ERROR_MODEL_OUTPUT || answer.error_class == LLM_ERROR_REFUSAL))
		rc = 0;
	llm_answer_clear(&answer);
	llm_history_clear(&history);
	return rc;
}

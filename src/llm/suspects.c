#include "llm/llm_internal.h"

#include "base/error.h"
#include "base/fnv.h"
#include "base/mem.h"

uint64_t llm_requester(const char *session_key)
{
	uint64_t who = fnv_text(session_key ? session_key : "");

	return who ? who : 1;
}

const struct llm_suspect *suspects_find(const struct llm_suspects *s, uint64_t who)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].who == who)
			return &s->items[i];
	return NULL;
}

/* A failure with a requested wait, or about credit or a key, concerns the whole account. But a key may allow
 * one request and not another (403). */
static bool concerns_all(enum llm_error_class class, const struct error *why)
{
	return why->retry_ms > 0 || class == LLM_ERROR_BILLING ||
	    (class == LLM_ERROR_AUTH && why->code != 403);
}

bool suspects_add(
    struct llm_suspects *s, uint64_t who, uint64_t until, enum llm_error_class class, const struct error *why)
{
	struct llm_suspect *failed = (struct llm_suspect *)suspects_find(s, who);

	if (!failed && s->count < LLM_SUSPECTS_MAX)
		failed = &s->items[s->count++];
	if (failed)
		*failed = (struct llm_suspect){.who = who, .until = until};
	return s->count >= LLM_SUSPECTS_ENOUGH || concerns_all(class, why);
}

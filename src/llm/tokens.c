#include "llm/tokens.h"

#include "llm/llm.h"
#include "llm/providers.h"

/* Role, ids, and what else stands around a text. */
#define MESSAGE_TOKENS 8
/* Where no provider says it. */
#define WINDOW_USUAL 128000

size_t llm_text_tokens(const char *text)
{
	size_t ascii = 0, other = 0;

	for (; *text; text++)
		(signed char)*text < 0 ? other++ : ascii++;
	return (2 * ascii + 6) / 7 + (other + 1) / 2;
}

size_t llm_message_tokens(const struct llm_message *m)
{
	size_t tokens = MESSAGE_TOKENS + llm_text_tokens(m->text), raw = m->raw ? llm_text_tokens(m->raw) : 0;

	for (size_t i = 0; i < m->call_count; i++)
		tokens += MESSAGE_TOKENS + llm_text_tokens(m->calls[i].name) + llm_text_tokens(m->calls[i].arguments);
	for (size_t i = 0; i < m->image_count; i++)
		tokens += llm_image_tokens(&m->images[i]);
	return raw > tokens ? raw : tokens;
}

size_t llm_window(const struct llm *l, const char *provider)
{
	const struct llm_provider *p = provider ? llm_find(l, provider) : NULL;

	if (!p)
		p = llm_default(l);
	if (p && p->settings.context > 0)
		return (size_t)p->settings.context;
	return p && p->learned && p->learned->context > 0 ? (size_t)p->learned->context : WINDOW_USUAL;
}

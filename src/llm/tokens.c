#include "llm/tokens.h"

#include <stdint.h>
#include <string.h>

#include "llm/llm.h"
#include "llm/providers.h"

/* Role, ids, and what else surrounds a text. */
#define MESSAGE_TOKENS 8
/* Used when no provider reports it. */
#define WINDOW_USUAL 128000

/* Counts the bytes that are not ASCII, eight at a time. */
static size_t count_other(const char *text, size_t len)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	size_t i = 0, other = 0;
	uint64_t bytes;

	for (; i + sizeof(bytes) <= len; i += sizeof(bytes)) {
		memcpy(&bytes, text + i, sizeof(bytes));
		other += (bytes >> 7 & ones) * ones >> 56;
	}
	for (; i < len; i++)
		other += (text[i] & 0x80) != 0;
	return other;
}

size_t llm_text_tokens(const char *text)
{
	size_t len = strlen(text), other = count_other(text, len);

	return (2 * (len - other) + 6) / 7 + (other + 1) / 2;
}

size_t llm_message_tokens(struct llm_message *m)
{
	size_t tokens = MESSAGE_TOKENS + llm_message_text_count(m)->tokens,
	       raw = m->raw ? llm_message_raw_count(m)->tokens : 0;

	for (size_t i = 0; i < m->call_count; i++)
		tokens += MESSAGE_TOKENS + llm_text_tokens(m->calls[i].name) +
		    llm_text_tokens(m->calls[i].arguments);
	for (size_t i = 0; i < m->image_count; i++)
		tokens += llm_image_tokens(&m->images[i]);
	return raw > tokens ? raw : tokens;
}

static size_t tool_tokens(const struct llm_tool *tool)
{
	return llm_text_tokens(tool->summary) + llm_text_tokens(tool->schema);
}

void llm_tool_count(struct llm_tool *tool)
{
	static uint64_t last;

	tool->id = ++last;
	tool->tokens = tool_tokens(tool);
	tool->bytes = strlen(tool->summary) + strlen(tool->schema);
}

size_t llm_prompt_tokens(const struct llm_request *req)
{
	size_t tokens = llm_text_tokens(req->system);

	for (size_t i = 0; i < req->tool_count; i++)
		tokens += req->tools[i].id ? req->tools[i].tokens : tool_tokens(&req->tools[i]);
	return tokens;
}

size_t llm_request_tokens(const struct llm_request *req)
{
	size_t tokens = req->prompt_tokens > 0 ? req->prompt_tokens : llm_prompt_tokens(req);

	for (size_t i = 0; i < req->history->count; i++)
		tokens += llm_message_tokens(req->history->messages[i]);
	return tokens;
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

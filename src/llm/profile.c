#include "llm/profile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* Shown in its list of applications. */
#define OPENROUTER_TITLE          \
	{                         \
		"X-Title", "Myna" \
	}

static const struct llm_profile profiles[] = {
    {.name = "anthropic",
	.api = "anthropic",
	.base_url = "https://api.anthropic.com",
	.origin = "https://api.anthropic.com",
	.needs_key = true,
	.defines_format = true,
	.limits = "anthropic-ratelimit-"},
    {.name = "deepseek",
	.api = "openai-chat",
	.base_url = "https://api.deepseek.com",
	.origin = "https://api.deepseek.com",
	.needs_key = true,
	.empty_reasoning = true}, /* "reasoning_content in the thinking mode must be passed back" */
    {.name = "gemini",
	.api = "openai-chat",
	.base_url = "https://generativelanguage.googleapis.com/v1beta/openai",
	.origin = "https://generativelanguage.googleapis.com",
	.needs_key = true,
	.signed_calls = true,
	.plain_schemas = true},
    {.name = "groq",
	.api = "openai-chat",
	.base_url = "https://api.groq.com/openai/v1",
	.origin = "https://api.groq.com",
	.needs_key = true,
	.limits = "x-ratelimit-"},
    /* Calls only one tool per answer without parallel_tool_calls. */
    {.name = "llama.cpp",
	.api = "openai-chat",
	.base_url = "http://127.0.0.1:8080/v1",
	.parallel = true,
	.local = LLM_LLAMACPP},
    {.name = "lmstudio", .api = "openai-chat", .base_url = "http://127.0.0.1:1234/v1", .port = 1234},
    /* "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9." */
    {.name = "mistral",
	.api = "openai-chat",
	.base_url = "https://api.mistral.ai/v1",
	.origin = "https://api.mistral.ai",
	.needs_key = true,
	.short_ids = true},
    {.name = "ollama",
	.api = "openai-chat",
	.base_url = "http://127.0.0.1:11434/v1",
	.port = 11434,
	.local = LLM_OLLAMA},
    /* Models of 2026 refuse tools together with reasoning in Chat Completions, and reasoning models refuse
     * max_tokens. */
    {.name = "openai",
	.api = "openai-responses",
	.base_url = "https://api.openai.com/v1",
	.origin = "https://api.openai.com",
	.needs_key = true,
	.defines_format = true,
	.max_tokens = "max_completion_tokens",
	.limits = "x-ratelimit-"},
    {.name = "openrouter",
	.api = "openai-chat",
	.base_url = "https://openrouter.ai/api/v1",
	.origin = "https://openrouter.ai",
	.needs_key = true,
	.header = OPENROUTER_TITLE},
    {.name = "vllm", .api = "openai-chat", .base_url = "http://127.0.0.1:8000/v1"},
};

static const struct llm_profile unknown = {.name = "auto"};

const char *const llm_profile_names[] = {"auto", "anthropic", "deepseek", "gemini", "groq", "llama.cpp",
    "lmstudio", "mistral", "ollama", "openai", "openrouter", "vllm", NULL};

/* Returns the rest of the URL after its beginning; NULL when it begins otherwise. */
static const char *url_rest(const char *url, const char *begin)
{
	size_t len = strlen(begin);

	return strncasecmp(url, begin, len) == 0 ? url + len : NULL;
}

static bool is_origin(const char *url, const char *origin)
{
	const char *rest = url_rest(url, origin);

	return rest && (*rest == '\0' || *rest == '/' || *rest == ':');
}

static bool is_local_port(const char *url, unsigned port)
{
	static const char *const hosts[] = {"http://127.0.0.1:", "http://localhost:", "http://[::1]:"};

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		const char *rest = url_rest(url, hosts[i]);
		if (rest && strtoul(rest, NULL, 10) == port)
			return true;
	}
	return false;
}

static const struct llm_profile *profile_by_url(const char *url)
{
	for (size_t i = 0; i < ARRAY_LEN(profiles); i++)
		if ((profiles[i].origin && is_origin(url, profiles[i].origin)) ||
		    (profiles[i].port && is_local_port(url, profiles[i].port)))
			return &profiles[i];
	return &unknown;
}

const struct llm_profile *llm_profile_of(const struct llm_provider *p)
{
	if (p->profile)
		return p->profile;
	return p->settings.base_url ? profile_by_url(p->settings.base_url) : &unknown;
}

const struct llm_profile *llm_profile_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(profiles); i++)
		if (strcmp(profiles[i].name, name) == 0)
			return &profiles[i];
	return NULL;
}

const struct llm_profile *llm_profile_at(unsigned i)
{
	return i < ARRAY_LEN(profiles) ? &profiles[i] : NULL;
}

#include "llm/formats/assistant_message.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "llm/formats/arguments.h"
#include "llm/llm.h"

#define NAME_LEN_MAX 64

static bool id_is_used(const struct llm_message *m, const char *id)
{
	for (size_t i = 0; i < m->call_count; i++)
		if (strcmp(m->calls[i].id, id) == 0)
			return true;
	return false;
}

char *llm_call_id(const struct llm_message *m, const char *given, const char *prefix)
{
	uint64_t n;

	if (given && *given && !id_is_used(m, given))
		return xstrdup(given);
	/* Random, because a number would repeat in the next answer. */
	clock_random(&n, sizeof(n));
	return xasprintf("%s%016llx", prefix, (unsigned long long)n);
}

char *llm_call_name(const char *given)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	char *name = given && *given ? xstrndup(given, NAME_LEN_MAX) : xstrdup("unnamed");

	for (char *s = name + strspn(name, good); *s; s += strspn(s, good))
		*s = '_';
	return name;
}

struct llm_message *llm_assistant_message(const struct llm_provider *p, const char *text)
{
	bool blank = text[strspn(text, " \t\r\n")] == '\0';
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, blank ? "" : text);

	m->provider = xstrdup(p->name);
	m->model = xstrdup(p->settings.model);
	return m;
}

void llm_assistant_message_add_call(struct llm_message *m, const struct llm_raw_call *call)
{
	char *id = llm_call_id(m, call->id, call->prefix), *name = llm_call_name(call->name);
	char *arguments = llm_arguments_read(call->arguments, call->len, !call->cut);

	if (!arguments)
		arguments = llm_arguments_wrap_invalid(call->arguments, call->len);
	llm_message_add_call(m, id, name, arguments);
	free(id);
	free(name);
	free(arguments);
}

#include "llm/naming.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "llm/history.h"

#define NAME_MOST 64

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
	/* Random, because a number would come again in the next answer. */
	clock_random(&n, sizeof(n));
	return xasprintf("%s%016llx", prefix, (unsigned long long)n);
}

char *llm_call_name(const char *given)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	char *name = given && *given ? xstrndup(given, NAME_MOST) : xstrdup("unnamed");

	for (char *s = name + strspn(name, good); *s; s += strspn(s, good))
		*s = '_';
	return name;
}

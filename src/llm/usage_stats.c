#include "llm/usage_stats.h"

#include <string.h>

#include "base/mem.h"
#include "llm/llm.h"

static struct llm_usage_stats spent[LLM_USAGE_STATS_MAX + 1];
static size_t count;

static struct llm_usage_stats *find(const char *name)
{
	size_t i = 0;

	/* A long name is cut. */
	while (i < count && strncmp(spent[i].name, name, sizeof(spent[i].name) - 1) != 0)
		i++;
	if (i < count)
		return &spent[i];
	if (count >= LLM_USAGE_STATS_MAX && strcmp(name, "others") != 0)
		return find("others");
	str_copy(spent[count].name, sizeof(spent[count].name), name);
	return &spent[count++];
}

void llm_usage_stats_add(const char *name, const struct llm_usage *usage)
{
	struct llm_usage_stats *s = find(name);

	s->requests++;
	s->input += usage->input_tokens;
	s->cached += usage->cached_tokens;
	s->output += usage->output_tokens;
	s->cost += usage->cost;
	s->unpriced += !usage->priced;
	s->estimated += usage->estimated;
	s->seconds += usage->seconds;
}

const struct llm_usage_stats *llm_usage_stats(size_t i)
{
	return i < count ? &spent[i] : NULL;
}

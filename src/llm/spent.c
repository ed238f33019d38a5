#include "llm/spent.h"

#include <string.h>

#include "base/mem.h"
#include "llm/llm.h"

static struct llm_spent spent[LLM_SPENT_MOST + 1];
static size_t count;

static struct llm_spent *find(const char *name)
{
	size_t i = 0;

	while (i < count && strcmp(spent[i].name, name) != 0)
		i++;
	if (i < count)
		return &spent[i];
	if (count == LLM_SPENT_MOST && strcmp(name, "others") != 0)
		return find("others");
	str_copy(spent[count].name, sizeof(spent[count].name), name);
	return &spent[count++];
}

void llm_spent_note(const char *name, const struct llm_usage *usage)
{
	struct llm_spent *s = find(name);

	s->requests++;
	s->input += usage->input_tokens;
	s->cached += usage->cached_tokens;
	s->output += usage->output_tokens;
	s->cost += usage->cost;
	s->unpriced += !usage->priced;
	s->estimated += usage->estimated;
	s->seconds += usage->seconds;
}

const struct llm_spent *llm_spent(size_t i)
{
	return i < count ? &spent[i] : NULL;
}

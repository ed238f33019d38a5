/* Resolves the name of a tool, or a pattern of names. */
#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"
#include "tools/tools_internal.h"

/* "read-file" means read_file, too. */
static bool is_alike(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
			return false;
	return *a == *b;
}

static bool is_exact(const struct tool *tool, const char *name)
{
	return strcmp(tool->name, name) == 0;
}

static bool is_variant(const struct tool *tool, const char *name)
{
	return is_alike(tool->name, name);
}

static bool is_alias(const struct tool *tool, const char *name)
{
	for (const char *const *alias = tool->aliases; alias && *alias; alias++)
		if (is_alike(*alias, name))
			return true;
	return false;
}

bool tool_answers_to(const struct tool *tool, const char *name)
{
	return is_alike(tool->name, name) || is_alias(tool, name);
}

const struct tool *tools_find(const struct tools *ts, const char *name)
{
	static bool (*const ways[])(const struct tool *tool, const char *name) = {
	    is_exact, is_variant, is_alias};

	for (size_t way = 0; way < ARRAY_LEN(ways); way++)
		for (size_t i = 0; i < ts->count; i++)
			if (ways[way](ts->entries[i].tool, name))
				return ts->entries[i].tool;
	return NULL;
}

bool tool_is_among(const struct tool *tool, const struct config_strings *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		if (fnmatch(patterns->items[i], tool->name, 0) == 0)
			return true;
		for (const char *const *alias = tool->aliases; alias && *alias; alias++)
			if (fnmatch(patterns->items[i], *alias, 0) == 0)
				return true;
	}
	return false;
}

bool tool_pattern_is_known(const char *pattern)
{
	char *items[] = {(char *)pattern};
	const struct config_strings one = {items, 1};

	if (strpbrk(pattern, "*?[") || strstr(pattern, "__"))
		return true;
	for (size_t i = 0; builtin_tools[i]; i++)
		if (tool_is_among(builtin_tools[i], &one))
			return true;
	return false;
}

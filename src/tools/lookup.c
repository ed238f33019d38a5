/* Resolves the name of a tool, or a pattern of names. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "base/text/suggest.h"
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

/* The built-in tool that the name was perhaps meant to be; NULL: none. */
static const char *similar_name(const char *name)
{
	const char *names[64];
	size_t count = 0;

	for (size_t i = 0; builtin_tools[i] && count < ARRAY_LEN(names); i++)
		names[count++] = builtin_tools[i]->name;
	return suggest_name(name, names, count);
}

static void check_name(struct config *cfg, const char *path, const char *key, const char *name)
{
	const char *meant = similar_name(name);

	if (!*name)
		config_error(
		    cfg, path, "%s: an empty name fits no tool. Write a name, or \"*\" for all.", key);
	else if (tool_pattern_is_known(name))
		return;
	else if (meant)
		config_error(
		    cfg, path, "%s: there is no tool \"%s\". Did you mean \"%s\"?", key, name, meant);
	else
		config_warning(cfg, path,
		    "%s: \"%s\" fits no built-in tool; it counts for external tools and MCP servers only.",
		    key, name);
}

void tool_names_check(
    const struct config_strings *names, struct config *cfg, const char *path, const char *key)
{
	for (size_t i = 0; i < names->count; i++) {
		char *at = xasprintf("%s.%s[%zu]", path, key, i);
		check_name(cfg, at, key, names->items[i]);
		free(at);
	}
}

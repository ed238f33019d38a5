/* The rules of the configuration. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "tools/files/regex.h"
#include "tools/tools_internal.h"
#include "tools/rules/rules_internal.h"
#include "tools/rules/shell_parse.h"
#include "tools/tools.h"

/* Time limit for one pattern on one text; exceeding it counts as a match. */
#define MATCH_MS 50

enum { ACTION_BLOCK, ACTION_ASK };

struct rule_settings {
	char *name, *message;
	struct config_strings patterns, tools;
	int action;
};

struct user_rule {
	struct rule_settings settings;
	struct regex **expressions; /* one for each pattern, NULL where it is not a regular expression */
	char *why;
};

static const char *const actions[] = {"block", "ask", NULL};

static const struct config_key keys[] = {
    {.name = "action",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct rule_settings, action),
	.choices = actions,
	.fallback = "block",
	.help = "What the rule does: block the call, or ask a person."},
    {.name = "message",
	.type = CONFIG_STRING,
	.offset = offsetof(struct rule_settings, message),
	.help = "The message to the agent, which should end with what to do instead."},
    {.name = "name",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct rule_settings, name),
	.help = "The name that is shown when the rule matches."},
    {.name = "patterns",
	.type = CONFIG_STRINGS,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct rule_settings, patterns),
	.help = "What the rule matches. Only letters: a command of that name, anywhere in the line. With a "
		"space or punctuation: that text. /.../: a regular expression. Case is ignored."},
    {.name = "tools",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct rule_settings, tools),
	.help = "The tools that the rule checks, by name; * and ? are wildcards. Absent: exec_shell, spawn "
		"and external tools."},
};

const struct config_section rules_section = {
    .path = "tools.rules[]",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Your own safety rules for tool calls, a list of groups: `rules = ( { name = "
	    "\"...\"; ... } );`.",
};

static bool is_letters(const char *pattern)
{
	for (const char *p = pattern; *p; p++)
		if (!isalpha((unsigned char)*p))
			return false;
	return true;
}

static bool is_expression(const char *pattern)
{
	size_t len = strlen(pattern);

	return len > 2 && pattern[0] == '/' && pattern[len - 1] == '/';
}

static struct regex *read_expression(struct config *cfg, const char *path, const char *pattern)
{
	struct buf problem = BUF_INIT;
	char *text = xstrndup(pattern + 1, strlen(pattern) - 2);
	struct regex *r = regex_new(text, true, &problem);

	if (!r)
		config_error(cfg, path, "%s", problem.data);
	free(text);
	buf_clear(&problem);
	return r;
}

static void read_patterns(struct user_rule *u, struct config *cfg, const char *path)
{
	const struct config_strings *patterns = &u->settings.patterns;

	u->expressions = xcalloc(patterns->count + 1, sizeof(struct regex *));
	for (size_t i = 0; i < patterns->count; i++) {
		char *place = xasprintf("%s.patterns[%zu]", path, i);
		if (!*patterns->items[i])
			config_error(
			    cfg, place, "an empty pattern would hit everything. Name a command or a text.");
		else if (is_expression(patterns->items[i]))
			u->expressions[i] = read_expression(cfg, place, patterns->items[i]);
		free(place);
	}
}

void rules_read_user(struct rules *r, struct config *cfg)
{
	if (config_string(cfg, "tools.rules") || config_string(cfg, "tools.rules[0]")) {
		config_error(cfg, "tools.rules",
		    "rules must be a list of groups. Write rules = ( { name = \"...\"; ... } );");
		return;
	}
	for (size_t i = 0;; i++) {
		char *path = xasprintf("tools.rules[%zu]", i);
		if (!config_has(cfg, path)) {
			free(path);
			return;
		}
		r->items = xrealloc(r->items, (r->count + 1) * sizeof(*r->items));
		struct user_rule *u = &r->items[r->count++];
		*u = (struct user_rule){0};
		config_read(cfg, path, &rules_section, &u->settings);
		read_patterns(u, cfg, path);
		u->why = u->settings.message ?
		    xstrdup(u->settings.message) :
		    xasprintf("the rule %s is against it. Do without it, or ask an admin.", u->settings.name);
		free(path);
	}
}

void rules_clear_user(struct rules *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct user_rule *u = &r->items[i];
		for (size_t k = 0; k < u->settings.patterns.count; k++)
			regex_free(u->expressions[k]);
		free(u->expressions);
		free(u->why);
		config_settings_clear(keys, ARRAY_LEN(keys), &u->settings);
	}
	free(r->items);
}

/* Does the rule apply to calls of the tool? */
static bool concerns(const struct user_rule *u, const struct tool *tool)
{
	if (u->settings.tools.count > 0)
		return tool_is_among(tool, &u->settings.tools);
	return tool->guard == GUARD_SHELL || tool->guard == GUARD_PROGRAM || tool->guard == GUARD_TEXTS;
}

bool rules_name(const struct rules *r, const struct tool *tool)
{
	for (size_t i = 0; i < r->count; i++)
		if (concerns(&r->items[i], tool))
			return true;
	return false;
}

static bool is_late(void *arg)
{
	return clock_now() >= *(const uint64_t *)arg;
}

static bool matches_text(struct regex *r, const char *text)
{
	uint64_t due = clock_now() + MATCH_MS;
	enum regex_answer answer = REGEX_NO;

	for (size_t len; answer == REGEX_NO; text += len + 1) {
		len = strcspn(text, "\n");
		answer = regex_match(r, text, len, is_late, &due);
		if (text[len] == '\0')
			break;
	}
	return answer != REGEX_NO;
}

/* A line that is too long to be read may run everything. */
static bool runs(const struct shell_line *line, const char *name)
{
	if (line->unread)
		return true;
	for (size_t i = 0; i < line->count; i++)
		if (strcasecmp(shell_command_name(&line->commands[i]), name) == 0)
			return true;
	return false;
}

static bool hits(const struct user_rule *u, const struct rule_subject *s)
{
	for (size_t i = 0; i < u->settings.patterns.count; i++) {
		const char *pattern = u->settings.patterns.items[i];
		bool hit = u->expressions[i] ? matches_text(u->expressions[i], s->text) :
		    is_letters(pattern)      ? runs(s->line, pattern) :
					       strcasestr(s->text, pattern) != NULL;
		if (hit)
			return true;
	}
	return false;
}

void rules_check_user(
    const struct rules *r, const struct tool *tool, const struct rule_subject *s, struct rule_hit *hit)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct user_rule *u = &r->items[i];
		enum rule_action action = u->settings.action == ACTION_BLOCK ? RULE_BLOCK : RULE_ASK;
		if (concerns(u, tool) && hits(u, s))
			rules_take(hit, action, u->settings.name, u->why);
	}
}

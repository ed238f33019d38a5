#include "tools/rules/rules.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "tools/rules/rules_internal.h"
#include "tools/rules/shell_parse.h"
#include "tools/tools.h"

void rules_take(struct rule_hit *hit, enum rule_action action, const char *name, const char *why)
{
	if (action > hit->action)
		*hit = (struct rule_hit){action, name, why};
}

bool rules_are_off(const struct rules *r, const char *name)
{
	return r->off && config_strings_have(r->off, name);
}

static bool is_named(const struct rule *rule, const char *name)
{
	if (!rule->commands)
		return true;
	for (const char *const *command = rule->commands; *command; command++)
		if (strcasecmp(*command, name) == 0)
			return true;
	return false;
}

static bool hits(const struct rule *rule, const struct rule_subject *s)
{
	if (rule->test_text)
		return rule->test_text(s->text);
	for (size_t i = 0; i < s->line->count; i++) {
		const struct shell_command *c = &s->line->commands[i];
		if (is_named(rule, shell_command_name(c)) && (!rule->test || rule->test(s, c)))
			return true;
	}
	return false;
}

static void check_commands(const struct rules *r, const struct rule_subject *s, struct rule_hit *hit)
{
	if (s->line->unread && !rules_are_off(r, rule_long_command.name))
		rules_take(hit, rule_long_command.action, rule_long_command.name, rule_long_command.why);
	for (const struct rule *rule = rules_commands; rule->name; rule++)
		if (rule->action > hit->action && !rules_are_off(r, rule->name) && hits(rule, s))
			rules_take(hit, rule->action, rule->name, rule->why);
}

/* Checks a command line; builtin: against the built-in rules, too. */
static void check_text(const struct rules *r, const struct roots *roots, const struct tool *tool,
    const char *text, bool builtin, struct rule_hit *hit)
{
	struct shell_line line;

	if (!builtin && !rules_name(r, tool))
		return;
	shell_parse(&line, text);
	const struct rule_subject s = {.text = text, .line = &line, .roots = roots, .rules = r};
	if (builtin)
		check_commands(r, &s, hit);
	rules_check_user(r, tool, &s, hit);
	shell_line_clear(&line);
}

/* Checks a program with its arguments. */
static void check_program(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit)
{
	struct json_object *rest = json_get_array(args, "args");
	size_t count = 0, most = rest ? json_object_array_length(rest) : 0;
	const char **words = xcalloc(most + 1, sizeof(*words));
	struct buf text = BUF_INIT;
	struct shell_line line;

	words[count++] = json_get_str(args, "command") ? json_get_str(args, "command") : "";
	for (size_t i = 0; i < most; i++)
		words[count++] = json_object_get_string(json_object_array_get_idx(rest, i));
	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s%s", i > 0 ? " " : "", words[i]);
	shell_parse_words(&line, words, count);
	const struct rule_subject s = {.text = text.data, .line = &line, .roots = roots, .rules = r};
	check_commands(r, &s, hit);
	rules_check_user(r, tool, &s, hit);
	shell_line_clear(&line);
	buf_clear(&text);
	free(words);
}

static void check_command(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit)
{
	const char *command = json_get_str(args, "command");

	check_text(r, roots, tool, command ? command : "", true, hit);
}

/* Checks every text in a value. */
static void check_value(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *value, struct rule_hit *hit)
{
	if (json_object_is_type(value, json_type_string)) {
		check_text(r, roots, tool, json_object_get_string(value), false, hit);
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			check_value(r, roots, tool, json_object_array_get_idx(value, i), hit);
	} else if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, inner) {
			(void)name;
			check_value(r, roots, tool, inner, hit);
		}
	}
}

/* For external programs: an argument that they call a command is checked as one. */
static void check_texts(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit)
{
	if (tool->guard == GUARD_TEXTS && json_get_str(args, "command"))
		check_text(r, roots, tool, json_get_str(args, "command"), true, hit);
	check_value(r, roots, tool, args, hit);
}

static void check_request(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit)
{
	static const char *const harmless[] = {"GET", "HEAD", "OPTIONS"};
	const char *method = json_get_str(args, "method");
	bool asks = method;

	for (size_t i = 0; asks && i < ARRAY_LEN(harmless); i++)
		asks = strcasecmp(method, harmless[i]) != 0;
	if (asks && !rules_are_off(r, rule_http_write.name))
		rules_take(hit, rule_http_write.action, rule_http_write.name, rule_http_write.why);
	check_value(r, roots, tool, args, hit);
}

/* Checks a file that will be written. */
static void check_written(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit)
{
	const struct rule_subject s = {.roots = roots, .rules = r};
	const char *path = json_get_str(args, "path");

	if (path && rule_is_prompt_file(&s, path) && !rules_are_off(r, rule_prompt_files.name))
		rules_take(hit, rule_prompt_files.action, rule_prompt_files.name, rule_prompt_files.why);
	if (rules_name(r, tool))
		check_value(r, roots, tool, args, hit);
}

static void (*const checks[])(const struct rules *r, const struct roots *roots, const struct tool *tool,
    struct json_object *args, struct rule_hit *hit) = {
    [GUARD_NONE] = check_texts,
    [GUARD_PROGRAM] = check_program,
    [GUARD_REQUEST] = check_request,
    [GUARD_SHELL] = check_command,
    [GUARD_TEXTS] = check_texts,
    [GUARD_WRITES] = check_written,
};

struct rule_hit rules_check(
    const struct rules *r, const struct roots *roots, const struct tool *tool, struct json_object *args)
{
	struct rule_hit hit = {.action = RULE_NONE};

	/* Other tools are checked only where a rule names them. */
	if (tool->guard != GUARD_NONE || rules_name(r, tool))
		checks[tool->guard](r, roots, tool, args, &hit);
	return hit;
}

static bool is_known(const char *name)
{
	bool known = strcmp(name, rule_http_write.name) == 0 || strcmp(name, rule_long_command.name) == 0 ||
	    strcmp(name, rule_prompt_files.name) == 0;

	for (const struct rule *rule = rules_commands; rule->name && !known; rule++)
		known = strcmp(rule->name, name) == 0;
	return known;
}

static void check_off(struct config *cfg, const struct config_strings *off)
{
	const char *names[32];
	size_t count = 0;

	names[count++] = rule_http_write.name;
	names[count++] = rule_long_command.name;
	for (const struct rule *rule = rules_commands; rule->name && count < ARRAY_LEN(names); rule++)
		names[count++] = rule->name;
	for (size_t i = 0; i < off->count; i++) {
		if (is_known(off->items[i]))
			continue;
		const char *near = suggest_name(off->items[i], names, count);
		char *path = xasprintf("tools.rules_off[%zu]", i);
		config_error(cfg, path, "no built-in rule is called \"%s\"%s%s. docs/tools.md names them.",
		    off->items[i], near ? ". Did you mean " : "", near ? near : "");
		free(path);
	}
}

static void add_row(struct buf *out, const struct rule *rule)
{
	if (rule->what)
		buf_addf(out, "| `%s` | %s | %s |\n", rule->name, rule->what,
		    rule->action == RULE_BLOCK ? "blocked" : "asked");
}

void rules_document(struct buf *out)
{
	for (const struct rule *rule = rules_commands; rule->name; rule++)
		add_row(out, rule);
	add_row(out, &rule_http_write);
	add_row(out, &rule_long_command);
	add_row(out, &rule_prompt_files);
}

struct rules *rules_read(struct config *cfg, const struct config_strings *off)
{
	struct rules *r = xcalloc(1, sizeof(*r));

	r->off = off;
	check_off(cfg, off);
	rules_read_user(r, cfg);
	return r;
}

void rules_set_prompt_files(struct rules *r, const struct config_strings *files, bool skills)
{
	r->prompt_files = files;
	r->prompt_skills = skills;
}

const struct config_strings *rules_prompt_files(const struct rules *r, bool *skills)
{
	bool off = rules_are_off(r, rule_prompt_files.name);

	*skills = !off && r->prompt_skills;
	return off ? NULL : r->prompt_files;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	rules_clear_user(r);
	free(r);
}

/* Commands as a model writes them: read as a shell would, in bounded time, and held against every rule. What
 * is quoted whole is one word, and a command that is blocked by itself is blocked behind another one, too. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "tools/rules/rules.h"
#include "tools/rules/shell_parse.h"
#include "tools/tools.h"

static const struct tool shell = {.name = "shell", .guard = GUARD_SHELL};

static struct rule_hit check(const struct rules *r, const char *command)
{
	struct json_object *args = json_object_new_object();

	json_object_object_add(args, "command", json_object_new_string(command));
	struct rule_hit hit = rules_check(r, NULL, &shell, args);
	json_object_put(args);
	return hit;
}

static void check_line(const struct shell_line *line, size_t len)
{
	size_t words = 0;

	for (size_t i = 0; i < line->count; i++) {
		const struct shell_command *c = &line->commands[i];
		words += c->count;
		for (size_t k = 0; k < c->count; k++)
			HOLDS(strlen(c->words[k]) <= 2 * len + 4);
		for (size_t k = 0; k < c->redirect_count; k++)
			HOLDS(c->redirects[k].target);
		HOLDS(shell_command_name(c));
	}
	/* Of the text itself, and of texts in it, three deep. */
	HOLDS(words <= 16 * (len + 1));
}

/* In single quotes nothing is special. */
static void check_quoted(const char *text)
{
	struct shell_line line;
	char *quoted;

	if (strchr(text, '\''))
		return;
	quoted = xasprintf("echo '%s'", text);
	shell_parse(&line, quoted);
	HOLDS(line.count == 1 && line.commands[0].count == 2 && strcmp(line.commands[0].words[1], text) == 0);
	shell_line_clear(&line);
	free(quoted);
}

static struct rules *read_rules(void)
{
	static const struct config_strings none = {0};
	struct config *cfg = config_parse(
	    "rules", "tools: { rules = ( { name = \"a\"; patterns = [\"nc\", \"a b\"]; } ); };", NULL);
	struct rules *r = rules_read(cfg, &none);

	config_free(cfg);
	return r;
}

void fuzz_rules(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	static struct rules *r;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct shell_line line;
	struct rule_hit hit;

	if (!r)
		r = read_rules();
	len = strlen(text);
	shell_parse(&line, text);
	check_line(&line, len);
	shell_line_clear(&line);
	hit = check(r, text);
	HOLDS((hit.action == RULE_NONE) == (!hit.name));
	if (hit.action != RULE_NONE)
		fuzz_hold_sentence(hit.why);
	char *behind = xasprintf("true; %s", text);
	HOLDS(check(r, behind).action >= hit.action);
	free(behind);
	check_quoted(text);
	free(text);
}

FUZZ_PROGRAM(fuzz_rules)

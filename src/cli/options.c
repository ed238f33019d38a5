#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/suggest.h"
#include "cli/cli.h"

const struct cli_option cli_no_options[] = {{0}};
const struct cli_option cli_json_option[] = {{"--json", NULL}, {0}};

const struct cli_option *cli_options_of(const struct cli_command *c)
{
	return c->make_options ? c->make_options() : c->options;
}

static size_t option_count(const struct cli_command *c)
{
	const struct cli_option *options = cli_options_of(c);
	size_t count = 0;

	while (options[count].name)
		count++;
	return count;
}

/* Without the value, which may be a secret. */
static int unknown(const struct cli_command *c, const char *word)
{
	const struct cli_option *options = cli_options_of(c);
	size_t count = option_count(c);
	const char **names = xcalloc(count + 1, sizeof(*names));
	char *name = xstrndup(word, strcspn(word, "="));

	for (size_t i = 0; i < count; i++)
		names[i] = options[i].name;
	const char *meant = suggest_name(name, names, count);
	int status = meant ? cli_usage("%s has no option '%s'. Did you mean '%s'?", c->name, name, meant) :
			     cli_usage("%s has no option '%s'", c->name, name);
	free(names);
	free(name);
	return status;
}

/* Takes the option at argv[*i]: "--key KEY" or "--key=KEY". */
static int take(const struct cli_command *c, char **argv, int *i, const char **given)
{
	const struct cli_option *options = cli_options_of(c);
	const char *word = argv[*i], *value = strchr(word, '=');
	size_t len = value ? (size_t)(value - word) : strlen(word), at = 0;

	while (options[at].name &&
	    (strlen(options[at].name) != len || strncmp(options[at].name, word, len) != 0))
		at++;
	const struct cli_option *o = &options[at];
	if (!o->name)
		return unknown(c, word);
	if (given[at])
		return cli_usage("%s is given twice", o->name);
	if (!o->value && value)
		return cli_usage("%s takes no value", o->name);
	if (!value && o->value && *o->value == '[' && (!argv[*i + 1] || *argv[*i + 1] == '-'))
		value = "=";
	given[at] = !o->value ? "" : value ? value + 1 : argv[++*i];
	return given[at] ? CLI_OK : cli_usage("%s needs %s after it", o->name, o->value);
}

static bool is_action(const struct cli_command *c, const char *word)
{
	for (const char *const *a = c->actions; *a; a++)
		if (strcmp(*a, word) == 0)
			return true;
	return false;
}

static int check_words(const struct cli_command *c, const struct cli_call *call)
{
	bool fits = call->count >= c->words_min && call->count <= c->words_max;

	if (fits && (!c->actions || call->count == 0 || is_action(c, call->words[0])))
		return CLI_OK;
	if (c->words_max == 0)
		return cli_usage("%s takes no argument '%s'", c->name, call->words[0]);
	return cli_usage("usage: myna %s %s", c->name, c->arguments);
}

int cli_run_command(const struct cli_command *c, const char *config_file, int argc, char **argv)
{
	const char **given = xcalloc(option_count(c) + 1, sizeof(*given));
	struct cli_call call = {.config_file = config_file,
	    .given = given,
	    .words = xcalloc((size_t)argc, sizeof(*call.words)),
	    .argc = argc,
	    .argv = argv};
	bool only_words = false;
	int status = CLI_OK;

	for (int i = 1; i < argc && status == CLI_OK; i++) {
		if (!only_words && strcmp(argv[i], "--") == 0)
			only_words = true;
		else if (!only_words && strncmp(argv[i], "--", 2) == 0)
			status = take(c, argv, &i, given);
		else
			call.words[call.count++] = argv[i];
	}
	if (status == CLI_OK)
		status = check_words(c, &call);
	if (status == CLI_OK)
		status = c->run(&call);
	free(call.words);
	free(given);
	return status;
}

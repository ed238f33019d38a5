#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static void offer(const char *name, const char *help, const char *prefix)
{
	if (strncmp(name, prefix, strlen(prefix)) == 0)
		printf("%s\t%.*s\n", name, (int)strcspn(help, ";"), help);
}

static void offer_arguments(const struct cli_command *c, int argc, char **argv, const char *prefix)
{
	const struct cli_option *options = cli_options_of(c);
	const char *before = argc > 1 ? argv[argc - 1] : "";

	for (const struct cli_option *o = options; o->name; o++)
		if (o->value && strcmp(o->name, before) == 0)
			return; /* the shell knows files */
	for (const struct cli_option *o = options; *prefix == '-' && o->name; o++)
		offer(o->name, o->value ? o->value : "", prefix);
	for (const char *const *a = c->actions; argc == 1 && a && *a; a++)
		offer(*a, "", prefix);
}

void cli_complete(const struct cli_command *const *commands, size_t count, int argc, char **argv)
{
	const char *prefix = argc > 0 ? argv[argc - 1] : "";

	for (size_t i = 0; i < count; i++) {
		if (argc > 1 && strcmp(argv[0], commands[i]->name) == 0)
			offer_arguments(commands[i], argc - 1, argv, prefix);
		else if (argc <= 1 || (argc == 2 && strcmp(argv[0], "help") == 0))
			offer(commands[i]->name, commands[i]->help, prefix);
	}
	if (argc <= 1)
		offer("help", "all commands, or one of them", prefix);
	if (argc <= 1 && *prefix == '-') {
		offer("-c", "the configuration", prefix);
		offer("--help", "all commands", prefix);
		offer("--version", "print the version", prefix);
	}
}

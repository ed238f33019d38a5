#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cli.h"

static const struct cli_command *const commands[] = {
    &cli_check,
    &cli_run,
    &cli_send,
    &cli_config,
    &cli_status,
    &cli_tool,
};

static int help(FILE *out)
{
	fputs("usage: myna [-c FILE] COMMAND [...]\n\n"
	      "FILE is the configuration; without -c it is $MYNA_CONFIG, then " SYSCONFDIR "/myna/myna.conf.\n\n", out);
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		fprintf(out, "  myna %s%s%s\n      %s\n", commands[i]->name, commands[i]->arguments ? " " : "",
		    commands[i]->arguments ? commands[i]->arguments : "", commands[i]->help);
	fputs("  myna help\n  myna --version\n", out);
	return 0;
}

static const struct cli_command *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* Takes -c FILE out of the arguments, wherever it stands before "--". NULL: there is none. "" : its file is missing. */
static const char *take_config(int *argc, char **argv)
{
	for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "-c") != 0)
			continue;
		if (i + 1 == *argc)
			return "";
		const char *file = argv[i + 1];
		memmove(&argv[i], &argv[i + 2], (size_t)(*argc - i - 1) * sizeof(*argv));
		*argc -= 2;
		return file;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const char *file = take_config(&argc, argv);

	if (argc < 2 || (file && *file == '\0'))
		return cli_usage(argc < 2 ? "no command given" : "-c needs a file");
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(stdout);
	if (strcmp(argv[1], "--version") == 0) {
		puts("myna " PACKAGE_VERSION);
		return 0;
	}
	const struct cli_command *c = find(argv[1]);
	if (!c)
		return cli_usage("there is no command '%s'", argv[1]);
	return c->run(file, argc - 1, argv + 1);
}

#include "config.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/suggest.h"
#include "cli/cli.h"

static const struct cli_command *const commands[] = {
    &cli_backup,
    &cli_chat,
    &cli_check,
    &cli_compact,
    &cli_dead,
    &cli_doctor,
    &cli_init,
    &cli_prompt,
    &cli_reload,
    &cli_run,
    &cli_send,
    &cli_settings,
    &cli_status,
    &cli_store,
    &cli_tool,
    &cli_trace,
    &cli_workspace,
};

static void print_command(FILE *out, const struct cli_command *c, const char *before)
{
	fprintf(out, "%smyna %s%s%s\n      %s\n", before, c->name, c->arguments ? " " : "",
	    c->arguments ? c->arguments : "", c->help);
}

static int help(FILE *out)
{
	fputs("usage: myna [-c FILE] COMMAND [...]\n\n"
	      "FILE is the configuration; without -c it is $MYNA_CONFIG, then " SYSCONFDIR
	      "/myna/myna.conf.\n\n",
	    out);
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		print_command(out, commands[i], "  ");
	fputs("  myna help [COMMAND | chat]\n      show this, one command, or with 'chat' the commands for "
	      "chats\n"
	      "  myna --version\n      print the version\n",
	    out);
	return CLI_OK;
}

static const struct cli_command *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* Takes -c FILE out of the arguments, wherever it stands before "--". Returns CLI_OK or CLI_USAGE. */
static int take_config(int *argc, char **argv, const char **file)
{
	for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0;) {
		if (strcmp(argv[i], "-c") != 0) {
			i++;
			continue;
		}
		if (i + 1 == *argc || *argv[i + 1] == '\0')
			return cli_usage("-c needs a file");
		if (*file)
			return cli_usage("-c is given twice");
		*file = argv[i + 1];
		/* With the NULL at the end. */
		memmove(&argv[i], &argv[i + 2], (size_t)(*argc - i - 1) * sizeof(*argv));
		*argc -= 2;
	}
	return CLI_OK;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Returns whether a word before "--" is --help or -h. */
static bool asks_for_help(int argc, char **argv)
{
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_help(argv[i]))
			return true;
	return false;
}

static int help_of(const struct cli_command *c)
{
	print_command(stdout, c, "usage: ");
	if (c->more)
		c->more(stdout);
	return CLI_OK;
}

static int unknown(const char *word)
{
	const char *names[ARRAY_LEN(commands) + 3] = {"help", "--help", "--version"};

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		names[i + 3] = commands[i]->name;
	const char *meant = suggest_name(word, names, ARRAY_LEN(names));
	if (meant)
		return cli_usage("there is no command '%s'. Did you mean '%s'?", word, meant);
	return cli_usage("there is no command '%s'", word);
}

static int help_for(const char *name)
{
	const struct cli_command *c = find(name);

	if (strcmp(name, "chat") == 0)
		return cli_help_chat();
	if (!c)
		return unknown(name);
	return help_of(c);
}

static int run(const char *file, int argc, char **argv)
{
	if (argc < 2)
		return cli_usage("no command given");
	if (strcmp(argv[1], "help") == 0 && argc > 2)
		return help_for(argv[2]);
	if (strcmp(argv[1], "help") == 0 || is_help(argv[1]))
		return help(stdout);
	if (strcmp(argv[1], "complete") == 0) {
		cli_complete(commands, ARRAY_LEN(commands), argc - 2, argv + 2);
		return CLI_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("myna " PACKAGE_VERSION);
		return CLI_OK;
	}
	const struct cli_command *c = find(argv[1]);
	if (!c)
		return unknown(argv[1]);
	if (asks_for_help(argc, argv))
		return help_of(c);
	return cli_run_command(c, file, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	const char *file = NULL;
	int status = take_config(&argc, argv, &file);

	/* A closed pipe is an error of the write, not the end of the process. */
	signal(SIGPIPE, SIG_IGN);
	if (status == CLI_OK)
		status = run(file, argc, argv);
	return cli_status_flush("myna", status);
}

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "cli/init_internal.h"

#define ANSWER_BYTES 4096

struct options {
	bool force, probe;
	struct init_form form;
	char *local,
	    *local_model; /* an Ollama server on this machine and one of its models; NULL: none found */
};

static int take_answer(struct options *o, const char *name, const char *value)
{
	struct error err = {0};

	for (struct init_question *q = o->form.questions; q < o->form.questions + o->form.count; q++) {
		if (strcmp(name, q->option) != 0)
			continue;
		if (!value)
			return cli_usage("--%s needs a value", name);
		if (init_check(q, value, &err) < 0)
			return cli_usage("--%s: %s", name, err.text);
		free(q->answer);
		q->answer = xstrdup(value);
		return CLI_OK;
	}
	return cli_usage("init does not know '--%s'", name);
}

static int read_options(struct options *o, int argc, char **argv)
{
	int status = CLI_OK;

	for (int i = 1; i < argc && status == CLI_OK; i++) {
		const char *name = argv[i];
		if (strcmp(name, "--force") == 0)
			o->force = true;
		else if (strcmp(name, "--probe") == 0)
			o->probe = true;
		else if (strncmp(name, "--", 2) == 0)
			status = take_answer(o, name + 2, argv[++i]); /* argv ends with NULL */
		else
			status = cli_usage("init does not know '%s'", name);
	}
	return status;
}

static char *default_state(void)
{
	const char *home = getenv("HOME");

	return geteuid() == 0 || !home ? xstrdup("/var/lib/myna") : xasprintf("%s/.local/state/myna", home);
}

/* Reads a line from the terminal, without its newline and surrounding blanks; -1 at the end. Echo is switched
 * off before the question is printed. */
static int read_line(char line[ANSWER_BYTES], const char *question, bool hidden)
{
	struct termios was, mute;
	bool muted = hidden && tcgetattr(STDIN_FILENO, &was) == 0;

	if (muted) {
		mute = was;
		mute.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &mute);
	}
	fputs(question, stdout);
	fflush(stdout);
	char *got = fgets(line, ANSWER_BYTES, stdin);
	if (muted) {
		tcsetattr(STDIN_FILENO, TCSADRAIN, &was);
		putchar('\n');
	}
	if (!got)
		return -1;
	size_t blanks = strspn(line, " \t"), len = strcspn(line + blanks, "\r\n");
	memmove(line, line + blanks, len);
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	line[len] = '\0';
	return 0;
}

static int ask(struct init_question *q, const char *fallback)
{
	char line[ANSWER_BYTES];
	bool shown = fallback && *fallback;
	char *question =
	    xasprintf("%s%s%s%s: ", q->text, shown ? " [" : "", shown ? fallback : "", shown ? "]" : "");
	struct error err = {0};
	int rc;

	while ((rc = read_line(line, question, q->secret)) == 0) {
		if (!*line && fallback)
			str_copy(line, sizeof(line), fallback);
		if (init_check(q, line, &err) == 0)
			break;
		printf("  %s.\n", err.text);
	}
	if (rc == 0)
		q->answer = xstrdup(line);
	explicit_bzero(line, sizeof(line));
	free(question);
	return rc;
}

/* The default answers: an Ollama server on this machine and its model, if there is one. */
static const char *suggest(struct options *o, const struct init_question *q)
{
	const char *chosen = o->form.base_url->answer;

	if (q == o->form.base_url) {
		o->local_model = init_find_ollama(&o->local);
		if (o->local)
			printf("An Ollama runs on this machine%s%s.\n", *o->local_model ? ", and has " : "",
			    o->local_model);
		return o->local;
	}
	return q == o->form.model && o->local && *o->local_model && chosen && strcmp(chosen, o->local) == 0 ?
	    o->local_model :
	    NULL;
}

/* Without a terminal, options must give all that has no default. */
static int settle(struct options *o, struct init_question *q, bool terminal)
{
	char *state = q == o->form.state ? default_state() : NULL;
	const char *fallback = state ? state : q->fallback;
	int rc = 0;

	if (!q->answer && init_wants(&o->form, q)) {
		const char *better = terminal && q->text ? suggest(o, q) : NULL;
		if (terminal && q->text)
			rc = ask(q, better ? better : fallback);
		else if (fallback)
			q->answer = xstrdup(fallback);
		else
			rc = cli_usage("init needs --%s, or a terminal to ask", q->option);
	}
	free(state);
	return rc;
}

static int settle_all(struct options *o)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	for (size_t i = 0; i < o->form.count; i++) {
		int rc = settle(o, &o->form.questions[i], terminal);
		if (rc < 0)
			fputs("\nmyna: no answer came, and nothing was written.\n", stderr);
		if (rc != 0)
			return rc < 0 ? CLI_FAILED : rc;
	}
	return CLI_OK;
}

static int probe(const char *path)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = gateway_config_load(&gc, path, &report) < 0 ? CLI_FAILED : cli_probe(&gc);

	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

/* Files written by root are not readable yet for the service's user. */
static void print_owner(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) + 1 : 0;
	struct stat st;

	if (geteuid() == 0 && stat(path, &st) == 0 && !(st.st_mode & S_IRGRP))
		printf("The service runs as the user myna. This lets it read them: chgrp myna %s %.*smyna.* "
		       "&& chmod 640 %s %.*smyna.*\n",
		    path, dir, path, path, dir, path);
}

static int write_config(const struct options *o, const char *path)
{
	struct buf report = BUF_INIT;
	struct error err = {0};
	int rc = init_write(path, &o->form, o->force, &report, &err);

	fputs(report.data, stderr);
	if (rc < 0)
		fprintf(stderr, "myna: %s\n", err.text);
	else
		printf("%s is written. Its secrets are in files beside it.\n", path);
	buf_clear(&report);
	if (rc < 0)
		return CLI_FAILED;
	print_owner(path);
	if (o->probe)
		return probe(path);
	printf(
	    "Next: 'myna -c %s check --probe' asks the platforms and the model, 'myna -c %s run' starts.\n",
	    path, path);
	return CLI_OK;
}

static int run(const struct cli_call *call)
{
	const char *path = gateway_config_path(call->config_file);
	struct options o = {0};

	init_form_init(&o.form);
	int status = read_options(&o, call->argc, call->argv);

	if (status == CLI_OK && !o.force && access(path, F_OK) == 0) {
		fprintf(stderr,
		    "myna: %s is there already. Remove it, write over it with --force, or name another file "
		    "with -c.\n",
		    path);
		status = CLI_FAILED;
	}
	if (status == CLI_OK)
		status = settle_all(&o);
	if (status == CLI_OK)
		status = write_config(&o, path);
	init_form_clear(&o.form);
	free(o.local);
	free(o.local_model);
	return status;
}

static void list_options(FILE *out)
{
	struct init_form form;

	fputs("  --force\n      write over a configuration that is there\n"
	      "  --probe\n      ask the platforms and the model afterwards, as 'myna check --probe' does\n",
	    out);
	init_form_init(&form);
	for (const struct init_question *q = form.questions; q < form.questions + form.count; q++)
		fprintf(out, "  --%s\n      %s%s%s\n", q->option,
		    q->text ? q->text : "another address of its API",
		    q->fallback && *q->fallback ? "; else " : "", q->fallback ? q->fallback : "");
	init_form_clear(&form);
	fputs("A token or key is given itself, or as file:PATH or cred:NAME.\n", out);
}

const struct cli_command cli_init = {
    .name = "init",
    .arguments = "[--force] [--probe] [--platforms LIST] [--OPTION ANSWER] ...",
    .help = "ask a few questions and write a configuration; each answer can be given as an option ('myna "
	    "help init' lists them)",
    .more = list_options,
    .run = run,
};

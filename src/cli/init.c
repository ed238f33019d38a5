#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "cli/cli.h"
#include "cli/init_internal.h"
#include "config/gateway_config.h"

struct options {
	bool force, probe, terminal;
	const char *path;
	struct init_form form;
	char *local;       /* an Ollama server on this machine; NULL: none found */
	struct buf models; /* of that server, each with a newline */
};

enum { FORCE, PROBE, ANSWERS }; /* the rows of the options; then one for each question */

static const struct cli_option *make_options(void)
{
	static struct cli_option *rows;
	struct init_form form;

	if (rows)
		return rows;
	init_form_init(&form);
	rows = xcalloc(ANSWERS + form.count + 1, sizeof(*rows));
	rows[FORCE] = (struct cli_option){"--force", NULL};
	rows[PROBE] = (struct cli_option){"--probe", NULL};
	for (size_t i = 0; i < form.count; i++)
		rows[ANSWERS + i] =
		    (struct cli_option){xasprintf("--%s", form.questions[i].option), "ANSWER"};
	init_form_clear(&form);
	return rows;
}

static int take_answers(struct options *o, const char *const *given)
{
	struct error err = {0};

	for (size_t i = 0; i < o->form.count; i++) {
		struct init_question *q = &o->form.questions[i];
		if (!given[ANSWERS + i])
			continue;
		if (init_check(q, given[ANSWERS + i], &err) < 0)
			return cli_usage("--%s: %s", q->option, err.text);
		q->answer = xstrdup(given[ANSWERS + i]);
	}
	return CLI_OK;
}

/* $STATE_DIRECTORY is set by systemd and by the container image. */
static char *default_state(void)
{
	const char *home = getenv("HOME"), *given = getenv("STATE_DIRECTORY");

	if (given && *given)
		return xstrdup(given);
	return geteuid() == 0 || !home ? xstrdup("/var/lib/myna") : xasprintf("%s/.local/state/myna", home);
}

/* Returns whether the model is one of the Ollama server that was found. */
static bool is_local(const struct options *o)
{
	const char *chosen = o->form.base_url->answer;

	return o->local && chosen && strcmp(chosen, o->local) == 0;
}

/* Finds the model server on this machine, for the default answer. */
static const char *look_for_models(struct options *o)
{
	size_t count = 0;

	cli_progress("looking for a model on this machine");
	o->local = init_find_ollama(&o->models);
	cli_progress_end();
	for (const char *p = o->models.data; o->local && *p; p++)
		count += *p == '\n';
	if (o->local)
		printf(
		    "An Ollama runs on this machine, and has %zu model%s.\n", count, count == 1 ? "" : "s");
	return o->local;
}

static void list_models(const struct options *o)
{
	size_t n = 0, len;

	for (const char *p = o->models.data; *p; p += len + 1) {
		len = strcspn(p, "\n");
		printf("  %zu  %.*s\n", ++n, (int)len, p);
	}
}

/* Puts the name in place of a number of the list. */
static void take_number(struct options *o)
{
	char **answer = &o->form.model->answer;
	size_t n =
	    **answer && (*answer)[strspn(*answer, "0123456789")] == '\0' ? strtoul(*answer, NULL, 10) : 0;

	for (const char *p = o->models.data; n > 0 && *p; p += strcspn(p, "\n") + 1) {
		if (--n > 0)
			continue;
		free(*answer);
		*answer = xstrndup(p, strcspn(p, "\n"));
	}
}

/* fallback: for an empty answer; NULL: the question's. */
static int ask(struct options *o, struct init_question *q, const char *fallback)
{
	bool numbered = q == o->form.model && is_local(o) && o->models.len > 0;
	char *first = NULL;

	if (q == o->form.model)
		q->text = numbered ? "Model: its name or number" : "Model: its name";
	if (numbered) {
		list_models(o);
		first = xstrndup(o->models.data, strcspn(o->models.data, "\n"));
	}
	/* The gateway finds out who writes to it. */
	if (q->row && q->row->kind == CHANNEL_ASK_PEOPLE)
		q->fallback = "";
	int rc = init_ask(q, fallback ? fallback : first ? first : q->fallback);
	if (rc == 0 && numbered)
		take_number(o);
	free(first);
	return rc;
}

/* Without a terminal, options must give all that has no default. */
static int settle(struct options *o, struct init_question *q)
{
	char *state = q == o->form.state ? default_state() : NULL;
	const char *fallback = state ? state : q->fallback;
	int rc = 0;

	if (!q->answer && init_question_applies(&o->form, q)) {
		if (o->terminal && q->text)
			rc = ask(o, q, q == o->form.base_url ? look_for_models(o) : state);
		else if (fallback)
			q->answer = xstrdup(fallback);
		else
			rc = cli_usage("init needs --%s, or a terminal to ask", q->option);
	}
	free(state);
	return rc;
}

enum tested { ACCEPTED, REFUSED, NOT_REACHED };

static enum tested tell(struct init_question *last, struct json_object *probed)
{
	const char *text = json_get_str(probed, "text");
	struct buf line = BUF_INIT;
	bool ok = json_get_bool(probed, "ok", false);
	size_t cut = last->platform ? strcspn(text, ",;") : 0;

	free(last->bot);
	last->bot = NULL;
	if (ok && last->platform) {
		last->bot = xstrndup(text, strcspn(text, ",; "));
		buf_addf(&line, "  %.*s: ok%s\n", (int)cut, text, text + cut);
	} else {
		buf_addf(&line, "  %s: %s%s%s\n", json_get_str(probed, "about"), ok ? "ok" : "FAILED",
		    *text ? ", " : "", text);
	}
	cli_print(line.data);
	buf_clear(&line);
	return ok ? ACCEPTED : strcmp(json_get_str(probed, "kind"), "refused") == 0 ? REFUSED : NOT_REACHED;
}

/* Tests the answers about a platform, or about the model, and prints the result. Returns -1 when that is not
 * possible. */
static int test(struct options *o, struct init_question *last, enum tested *result)
{
	struct json_object *list = json_object_new_array();
	struct buf report = BUF_INIT;
	struct gateway_config gc;
	struct error err = {0};
	int rc = init_draft(o->path, &o->form, last->platform, &gc, &report, &err);

	*result = rc == 0 ? ACCEPTED : REFUSED;
	if (rc == 0) {
		cli_probe_list(&gc, list);
		if (json_object_array_length(list) > 0)
			*result = tell(last, json_object_array_get_idx(list, 0));
	} else if (report.len > 0) {
		fputs(report.data, stdout);
		rc = 0;
	} else {
		fprintf(stderr, "myna: %s\n", err.text);
	}
	gateway_config_clear(&gc);
	buf_clear(&report);
	json_object_put(list);
	return rc;
}

static bool is_tested_with(const struct init_question *q, const struct init_question *last)
{
	return q->probed && q->platform == last->platform;
}

/* Asks again what the test was about; an empty answer changes nothing. */
static int ask_again(struct options *o, const struct init_question *last, bool *changed)
{
	int rc = 0;

	*changed = false;
	for (struct init_question *q = o->form.questions; q <= last && rc == 0; q++) {
		if (!is_tested_with(q, last))
			continue;
		char *former = xstrdup(q->answer);
		rc = ask(o, q, former);
		*changed |= strcmp(former, q->answer) != 0;
		explicit_bzero(former, strlen(former));
		free(former);
	}
	return rc;
}

/* Runs the test once the last answer about a platform, or about the model, is given. */
static int settle_test(struct options *o, struct init_question *last)
{
	enum tested result;
	bool changed = true;
	int rc;

	for (struct init_question *q = last + 1; q < o->form.questions + o->form.count; q++)
		if (is_tested_with(q, last))
			return 0;
	if (!o->terminal || !last->probed || !init_question_applies(&o->form, last))
		return 0;
	while ((rc = test(o, last, &result)) == 0 && result != ACCEPTED) {
		puts(result == REFUSED ? "  Answer again; an empty answer tests the same once more." :
					 "  Answer again; an empty answer goes on without this test.");
		if (ask_again(o, last, &changed) < 0)
			return -1;
		if (!changed && result == NOT_REACHED)
			break;
	}
	return rc < 0 ? CLI_FAILED : 0;
}

static int settle_all(struct options *o)
{
	for (size_t i = 0; i < o->form.count; i++) {
		int rc = settle(o, &o->form.questions[i]);
		if (rc == 0)
			rc = settle_test(o, &o->form.questions[i]);
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

/* Files written by root are not readable yet for the service's user, if there is one. */
static void print_owner(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) + 1 : 0;
	struct stat st;

	if (geteuid() == 0 && getgrnam("myna") && stat(path, &st) == 0 && !(st.st_mode & S_IRGRP))
		printf("The service runs as the user myna. This lets it read them: chgrp myna %s %.*smyna.* "
		       "&& chmod 640 %s %.*smyna.*\n",
		    path, dir, path, path, dir, path);
}

static bool waits_for_people(const struct init_form *f)
{
	for (const struct init_question *q = f->questions; q < f->questions + f->count; q++)
		if (q->row && q->row->kind == CHANNEL_ASK_PEOPLE && q->answer &&
		    !q->answer[strspn(q->answer, ", ")])
			return true;
	return false;
}

static int write_config(const struct options *o)
{
	const char *path = o->path;
	struct buf report = BUF_INIT;
	struct error err = {0};
	int rc = init_write(path, &o->form, o->force, &report, &err);

	/* That nobody is let in yet is no news then. */
	if (rc < 0 || !waits_for_people(&o->form))
		fputs(report.data, stderr);
	if (rc < 0)
		fprintf(stderr, "myna: %s\n", err.text);
	else
		printf("%s is written. Its secrets are in files beside it.\n", path);
	buf_clear(&report);
	if (rc < 0)
		return CLI_FAILED;
	print_owner(path);
	if (o->probe && (rc = probe(path)) != CLI_OK)
		return rc;
	if (o->terminal)
		return init_gateway(path, &o->form, waits_for_people(&o->form));
	if (!o->probe && init_belongs_to_service(path))
		puts("Next: 'myna check --probe' asks the platforms and the model, 'systemctl start myna' "
		     "starts.");
	else if (!o->probe)
		printf("Next: 'myna -c %s check --probe' asks the platforms and the model, 'myna -c %s run' "
		       "starts.\n",
		    path, path);
	return CLI_OK;
}

static int run(const struct cli_call *call)
{
	struct options o = {.force = call->given[FORCE],
	    .probe = call->given[PROBE],
	    .path = gateway_config_path(call->config_file),
	    .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
	    .models = BUF_INIT};

	init_form_init(&o.form);
	int status = take_answers(&o, call->given);

	if (status == CLI_OK && !o.force && access(o.path, F_OK) == 0) {
		fprintf(stderr,
		    "myna: %s is there already. Remove it, write over it with --force, or name another file "
		    "with -c.\n",
		    o.path);
		status = CLI_FAILED;
	}
	if (status == CLI_OK && o.terminal)
		init_on_stop(CLI_FAILED, 0, "\nNothing was written.\n");
	if (status == CLI_OK)
		status = settle_all(&o);
	if (status == CLI_OK)
		status = write_config(&o);
	init_form_clear(&o.form);
	buf_clear(&o.models);
	free(o.local);
	return status;
}

static void list_options(FILE *out)
{
	struct init_form form;

	fputs("  --force\n      replace an existing configuration\n"
	      "  --probe\n      then ask the platforms and the model, as 'myna check --probe' does\n",
	    out);
	init_form_init(&form);
	for (const struct init_question *q = form.questions; q < form.questions + form.count; q++)
		fprintf(out, "  --%s\n      %s%s%s\n", q->option,
		    q->text ? q->text : "a different address of the platform's API",
		    q->fallback && *q->fallback ? "; default " : "", q->fallback ? q->fallback : "");
	init_form_clear(&form);
	fputs("A token or key is given itself, or as file:PATH or cred:NAME.\n", out);
}

const struct cli_command cli_init = {
    .name = "init",
    .arguments = "[--force] [--probe] [--platforms LIST] [--OPTION ANSWER] ...",
    .make_options = make_options,
    .help = "ask a few questions, write a configuration and, in a terminal, start the gateway; each answer "
	    "can also be an option ('myna help init' lists them)",
    .more = list_options,
    .run = run,
};

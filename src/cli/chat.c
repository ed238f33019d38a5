#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/task.h"
#include "bus/address.h"
#include "channels/console/console.h"
#include "chat/interactive.h"
#include "cli/cli.h"
#include "gateway/gateway.h"
#include "config/gateway_config.h"
#include "net/http/http.h"
#include "net/loop.h"

#define INSIDE_NOTICE                                                                                       \
	"No gateway runs: the agent works inside this terminal, and ends with it. Other channels wait for " \
	"'myna run'."

struct conversation {
	struct chat chat;
	bool script, starts; /* starts: the gateway in this process */
	int status;
};

static const int statuses[] = {
    [CHAT_DONE] = CLI_OK,
    [CHAT_FAILED] = CLI_FAILED,
    [CHAT_UNANSWERED] = CLI_UNCERTAIN,
};

enum { SESSION, ONE };

static const struct cli_option options[] = {{"--session", "NAME"}, {"--one", NULL}, {0}};

/* Checks the conversation's name, which becomes part of addresses. */
static int settle_names(struct chat *chat)
{
	const struct passwd *me = getpwuid(getuid());
	struct address where;
	struct error err = {0};

	chat->user = me ? me->pw_name : "operator";
	if (!chat->name)
		chat->name = chat->user;
	if (address_set(&where, "console", chat->name, NULL, &err) < 0)
		return cli_usage("--session %s: %s", chat->name, err.text);
	return CLI_OK;
}

static void converse(struct task *t, void *arg)
{
	struct conversation *c = arg;

	if (c->starts)
		cli_progress_end();
	c->starts = false;
	c->status = statuses[c->script ? chat_script(t, &c->chat) : chat_interactive(t, &c->chat)];
}

struct probe {
	const char *socket;
	bool found;
};

static void probe_task(struct task *t, void *arg)
{
	struct probe *p = arg;
	struct http_request req = {.method = "GET",
	    .url = "http://localhost/v1/status",
	    .label = "the control socket",
	    .unix_socket = p->socket,
	    .connect_ms = 2000,
	    .idle_ms = 10000};
	struct http_response res = {0};

	/* A daemon that takes the request without answering exists all the same. */
	p->found = http_perform(t, &req, &res, NULL) == 0 || res.sent;
	http_response_clear(&res);
}

static bool find_daemon(const char *socket)
{
	struct probe p = {.socket = socket};

	loop_init();
	cli_progress("looking for a gateway");
	task_run("probe", probe_task, &p);
	cli_progress_end();
	http_finish();
	return p.found;
}

static void talk_to_daemon(struct conversation *c)
{
	task_run("chat", converse, c);
	http_finish();
	loop_finish();
}

static const char *console_name(const struct gateway_config *gc)
{
	for (size_t i = 0; i < gc->channel_count; i++)
		if (gc->channels[i].ops == &console_ops)
			return gc->channels[i].name;
	return NULL;
}

/* Without a daemon: runs the gateway on the same state in this process. */
static void talk_inside(struct conversation *c, const char *file)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct error err = {0};

	gateway_prepare();
	if (gateway_config_load(&gc, file, &report) < 0) {
		fputs(report.data, stderr);
	} else if (cli_refuse_as_root(gc.top.state) == 0) {
		struct gateway_guest guest = {.channel = console_name(&gc), .run = converse, .arg = c};
		c->chat.notice = INSIDE_NOTICE;
		c->chat.inside = true;
		/* Errors appear in the conversation, and other log lines would disturb it. */
		log_setup(LOG_LEVEL_ERROR, (enum log_format)gc.top.log_format);
		cli_progress("starting the gateway in this terminal");
		c->starts = true;
		int rc = gateway_run_for(&gc, &guest, &err);
		if (c->starts)
			cli_progress_end();
		if (rc < 0)
			fprintf(stderr, "myna: %s\n", err.text);
	}
	buf_clear(&report);
	gateway_config_clear(&gc);
}

/* Sets UTF-8 for this thread, for libedit and the width of characters, whatever the environment says. */
static locale_t use_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

	if (locale)
		uselocale(locale);
	return locale;
}

static bool is_script(const struct chat *chat)
{
	const char *terminal = getenv("TERM");

	return chat->text || chat->one || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !terminal ||
	    strcmp(terminal, "dumb") == 0;
}

static int run(const struct cli_call *call)
{
	struct conversation c = {.status = CLI_FAILED,
	    .chat = {.name = call->given[SESSION], .one = call->given[ONE], .text = call->words[0]}};
	const char *file = gateway_config_path(call->config_file);
	struct gateway_config top;
	struct buf report = BUF_INIT;
	int status = settle_names(&c.chat);

	if (status != CLI_OK)
		return status;
	c.script = is_script(&c.chat);
	if (cli_load_top(&top, call->config_file, &report) < 0) {
		fputs(report.data, stderr);
	} else {
		c.chat.socket = top.top.control;
		locale_t locale = use_utf8();
		if (find_daemon(c.chat.socket))
			talk_to_daemon(&c);
		else
			talk_inside(&c, file);
		uselocale(LC_GLOBAL_LOCALE);
		if (locale)
			freelocale(locale);
	}
	buf_clear(&report);
	gateway_config_clear(&top);
	return c.status;
}

const struct cli_command cli_chat = {
    .name = "chat",
    .arguments = "[--session NAME] [--one] [TEXT]",
    .options = options,
    .words_max = 1,
    .help = "talk to the agent in this terminal, or have it answer TEXT or standard input on stdout",
    .run = run,
};

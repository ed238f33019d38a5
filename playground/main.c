#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/cli_status.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "config.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "net/lws_context.h"
#include "net/server/server.h"
#include "playground/control/report.h"
#include "playground/gateway/model_choice.h"
#include "playground/gateway/daemon.h"
#include "playground/flow/flow.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/server/certificate.h"
#include "playground/telegram/telegram.h"
#include "playground/world/file.h"

#define MAX_FILES (PLAYGROUND_REQUESTS_MAX + 1024)
#define MIN_FILES 2048
#define TLS_PORT  "8443"

struct options {
	const char *listen, *tls_port, *script, *data, *journal, *model_file, *report, *junit;
	const char **flows;
	size_t flow_count;
	struct daemon_options gateway;
	bool no_limits, strict, warnings;
	bool done; /* there is nothing left to do but to end with status */
	enum cli_status status;
};

static const char usage[] =
    "usage: myna-playground [--listen HOST:PORT] [--tls[=PORT]] [--script FILE] [--data DIR] [--journal "
    "FILE]\n"
    "                       [--gateway-socket PATH] [--gateway-model FILE] [--supervisor PIPE]\n"
    "                       [[--flow FILE]... [--junit FILE]] [--no-limits] [--strict-answers] "
    "[--webhook-host "
    "HOST]\n"
    "       myna-playground --report URL [--junit FILE] [--warnings]\n"
    "Simulated chat platforms and a scripted model for trying and testing Myna.\n"
    "  --listen HOST:PORT      where to listen (default 127.0.0.1:8090; port 0: any free one)\n"
    "  --tls[=PORT]            serve over TLS, too, at that port (default " TLS_PORT
    "), with a certificate that an\n"
    "                          authority of its own signs: clients trust DIR/tls-authority.pem of --data\n"
    "  --script FILE           what the model says, instead of the script compiled in\n"
    "  --data DIR              keep chats over restarts, in DIR/playground.json\n"
    "  --journal FILE          append a line for each request to the model, with what was wrong with it\n"
    "  --gateway-socket PATH   the control socket of the gateway that talks here: shows its inside\n"
    "  --gateway-model FILE    which its configuration includes: the model can be chosen on the page\n"
    "  --supervisor PIPE       where the gateway's supervisor reads orders: kill, kill hold, restart\n"
    "  --flow FILE             play what people do and what a bot must answer, then end: 1 when it did not\n"
    "                          (listens on any free port unless --listen says where); may be repeated: each "
    "file\n"
    "                          begins with an empty playground\n"
    "  --report URL            ask the playground at URL what bots did that a platform would punish, then "
    "end:\n"
    "                          1 when there is a problem\n"
    "  --junit FILE            write that report to FILE, too, as JUnit XML; with --flow its steps, too\n"
    "  --warnings              with --report: warnings are problems\n"
    "  --no-limits             no rate limits: for load tests\n"
    "  --webhook-host HOST     deliver to Telegram's webhooks at HOST, too, not to this machine alone; may "
    "be "
    "repeated\n"
    "  --strict-answers        judge the own answers and events, too; exit status 1 when one was wrong\n"
    "  --help, --version\n";

/* Options that take a text. */
static const struct {
	int letter;
	size_t at; /* offset in struct options */
} texts[] = {
    {'l', offsetof(struct options, listen)},
    {'s', offsetof(struct options, script)},
    {'d', offsetof(struct options, data)},
    {'j', offsetof(struct options, journal)},
    {'m', offsetof(struct options, model_file)},
    {'g', offsetof(struct options, gateway.socket)},
    {'S', offsetof(struct options, gateway.supervisor)},
    {'r', offsetof(struct options, report)},
    {'x', offsetof(struct options, junit)},
};

static bool take_text(struct options *o, int letter)
{
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (texts[i].letter != letter)
			continue;
		*(const char **)(void *)((char *)o + texts[i].at) = optarg;
		return true;
	}
	return false;
}

static void refuse(struct options *o, const char *why)
{
	fprintf(stderr, "myna-playground: %s\nTry 'myna-playground --help'.\n", why);
	o->done = true;
	o->status = CLI_USAGE;
}

static void take_option(struct options *o, int letter)
{
	if (take_text(o, letter))
		return;
	if (letter == 'f') {
		o->flows = xrealloc(o->flows, (o->flow_count + 1) * sizeof(*o->flows));
		o->flows[o->flow_count++] = optarg;
		return;
	}
	if (letter == 'W') {
		if (!telegram_allow_webhook(optarg))
			refuse(o, "--webhook-host needs a host as in URLs, 16 times at most");
		return;
	}
	if (letter == 't') {
		o->tls_port = optarg ? optarg : TLS_PORT;
		return;
	}
	if (letter == 'n' || letter == 'a' || letter == 'w') {
		*(letter == 'n' ? &o->no_limits : letter == 'a' ? &o->strict : &o->warnings) = true;
		return;
	}
	o->done = true;
	if (letter == 'v')
		puts("myna-playground " PACKAGE_VERSION);
	else if (letter == 'h')
		fputs(usage, stdout);
	else
		o->status = CLI_USAGE; /* getopt_long has said why */
}

static void check_options(struct options *o, const char *word)
{
	if (word) {
		char *why = xasprintf("'%s' is not an option", word);
		refuse(o, why);
		free(why);
	} else if ((o->junit && !o->report && o->flow_count == 0) || (o->warnings && !o->report)) {
		refuse(o,
		    o->warnings ? "--warnings needs --report, too" : "--junit needs --report or --flow, too");
	} else if (o->model_file && !o->gateway.socket) {
		refuse(o, "--gateway-model needs --gateway-socket, too");
	} else if (o->tls_port && !o->data) {
		refuse(o, "--tls needs --data, where its certificates stay");
	} else if (strncmp(o->listen, "unix:", 5) == 0 || !strchr(o->listen, ':')) {
		refuse(o, "--listen needs HOST:PORT");
	}
}

static struct options read_options(int argc, char **argv)
{
	static const struct option rows[] = {
	    {"listen", required_argument, NULL, 'l'},
	    {"tls", optional_argument, NULL, 't'},
	    {"script", required_argument, NULL, 's'},
	    {"data", required_argument, NULL, 'd'},
	    {"flow", required_argument, NULL, 'f'},
	    {"journal", required_argument, NULL, 'j'},
	    {"gateway-socket", required_argument, NULL, 'g'},
	    {"gateway-model", required_argument, NULL, 'm'},
	    {"supervisor", required_argument, NULL, 'S'},
	    {"report", required_argument, NULL, 'r'},
	    {"junit", required_argument, NULL, 'x'},
	    {"webhook-host", required_argument, NULL, 'W'},
	    {"warnings", no_argument, NULL, 'w'},
	    {"no-limits", no_argument, NULL, 'n'},
	    {"strict-answers", no_argument, NULL, 'a'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'v'},
	    {NULL, 0, NULL, 0},
	};
	struct options o = {0};
	int c;

	while (!o.done && (c = getopt_long(argc, argv, "h", rows, NULL)) >= 0)
		take_option(&o, c);
	if (!o.listen)
		o.listen = o.flow_count > 0 ? "127.0.0.1:0" : "127.0.0.1:8090";
	if (!o.done)
		check_options(&o, argv[optind]);
	return o;
}

static void lift_limits(struct playground *pg)
{
	struct json_object *off = json_object_new_object();

	json_set_bool(off, "limits", false);
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++)
		s->platform->set(s->self, off, NULL);
	json_object_put(off);
}

/* libwebsockets 4.1.6 keeps its sockets in a table by descriptor if their maximum is the limit of open files.
 * With a higher limit it searches all places, eight times for a connection and once for an event. It searches
 * them once in any case when a connection closes: the table is large only if whoever starts us raised the
 * limit. */
static void limit_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return;
	if (files.rlim_cur < MIN_FILES)
		files.rlim_cur = MIN_FILES;
	if (files.rlim_cur > MAX_FILES)
		files.rlim_cur = MAX_FILES;
	if (files.rlim_cur > files.rlim_max)
		files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	lws_context_reserve((unsigned)files.rlim_cur);
}

static void on_stop(int signo, void *arg)
{
	(void)signo;
	(void)arg;
	loop_stop();
}

/* The running server. */
struct service {
	struct playground *pg;
	struct server *server, *tls_server;
	char *url, *tls_url; /* the requested host with the actual port */
	struct certificate certificate;
	struct flow **flows;
	size_t flow_count;
	const char *junit; /* where the report of the flows goes; NULL: nowhere */
	struct task_group flow_task;
	bool flow_failed;
	struct error err;
	int ret;
};

static void begin_service(struct task *t, void *arg)
{
	struct service *s = arg;

	if (s->ret == 0)
		s->ret =
		    s->pg->model_choice ? model_choice_begin(t, s->pg->model_choice, s->url, &s->err) : 0;
}

static void play_flows(struct task *t, void *arg)
{
	struct service *s = arg;
	struct buf junit = BUF_INIT;

	report_begin_junit(&junit);
	for (size_t i = 0; i < s->flow_count; i++) {
		if (i > 0)
			playground_reset(s->pg);
		if (flow_play(t, s->flows[i], s->pg, s->url, &junit) != 0)
			s->flow_failed = true;
		report_write_suites(s->pg, &junit);
	}
	report_end_junit(&junit);
	if (s->junit)
		s->ret = file_replace(t, s->junit, junit.data, &s->err);
	buf_clear(&junit);
	loop_stop();
}

static void end_service(struct task *t, void *arg)
{
	struct service *s = arg;

	task_group_finish(t, &s->flow_task);
	server_free(t, s->server);
	server_free(t, s->tls_server);
	playground_stop(t, s->pg);
}

static char *own_url(const char *scheme, const struct options *o, const struct server *server)
{
	const char *colon = strrchr(o->listen, ':');

	return xasprintf("%s://%.*s:%u", scheme, (int)(colon - o->listen), o->listen, server_port(server));
}

static void say_urls(const struct service *s)
{
	printf("listening on %s\n", s->url);
	if (s->tls_url)
		printf("listening on %s: clients trust it with NODE_EXTRA_CA_CERTS=%s or SSL_CERT_FILE=%s\n",
		    s->tls_url, s->certificate.authority, s->certificate.authority);
	fflush(stdout);
}

/* Runs until a signal. */
static int run_service(struct service *s, struct error *err)
{
	task_run("begin", begin_service, s);
	if (s->ret == 0) {
		say_urls(s);
		if (s->flow_count > 0)
			task_start(&s->flow_task, "flow", play_flows, s);
		loop_run();
	}
	task_run("stop", end_service, s);
	http_finish();
	if (s->ret != 0)
		*err = s->err;
	if (s->ret == 0)
		s->ret = playground_save(s->pg, err);
	return s->ret;
}

/* The same over TLS. */
static int start_tls(struct service *s, const struct options *o, struct error *err)
{
	const char *colon = strrchr(o->listen, ':');
	char *host = xasprintf("%.*s", (int)(colon - o->listen), o->listen),
	     *address = xasprintf("%s:%s", host, o->tls_port);
	int ret = certificate_prepare(&s->certificate, o->data, host, err);

	if (ret == 0 && !(s->tls_server = playground_listen(s->pg, address, s->certificate.server, err)))
		ret = -1;
	if (ret == 0) {
		s->tls_url = own_url("https", o, s->tls_server);
		s->pg->certificate = s->certificate.server;
	}
	free(address);
	free(host);
	return ret;
}

/* Returns 1 when a flow failed, which has been reported. */
static int serve(const struct options *o, struct flow **flows, struct playground *pg, struct error *err)
{
	struct service s = {.pg = pg, .flows = flows, .flow_count = o->flow_count, .junit = o->junit};
	int ret;

	if (loop_on_signal(SIGTERM, on_stop, NULL, err) != 0 ||
	    loop_on_signal(SIGINT, on_stop, NULL, err) != 0)
		return -1;
	s.server = playground_listen(pg, o->listen, NULL, err);
	if (!s.server)
		return -1;
	s.url = own_url("http", o, s.server);
	task_group_init(&s.flow_task);
	s.ret = o->tls_port ? start_tls(&s, o, &s.err) : 0;
	ret = run_service(&s, err);
	certificate_clear(&s.certificate);
	free(s.tls_url);
	free(s.url);
	return ret == 0 && s.flow_failed ? 1 : ret;
}

static enum cli_status run(const struct options *o, struct flow **flows)
{
	struct error err = {0};
	int ret;

	loop_init();
	limit_files();
	struct playground *pg = playground_new(o->script, o->data, &err);
	ret = pg ? 0 : -1;
	if (ret == 0 && o->journal)
		ret = model_keep_journal(pg->model, o->journal, &err);
	if (ret == 0)
		playground_set_gateway(pg, &o->gateway, o->model_file);
	if (ret == 0 && o->no_limits)
		lift_limits(pg);
	if (ret == 0) {
		pg->strict.on = o->strict;
		ret = serve(o, flows, pg, &err);
	}
	if (ret == 0 && pg->strict.violations)
		ret = 1; /* each was printed */
	if (ret < 0)
		fprintf(stderr, "myna-playground: %s\n", err.text);
	loop_finish();
	playground_free(pg);
	return ret == 0 ? CLI_OK : CLI_FAILED;
}

/* A request for the report of another playground. */
struct question {
	const struct options *o;
	struct error err;
	int ret;
};

static void ask(struct task *t, void *arg)
{
	struct question *q = arg;

	q->ret = report_ask(t, q->o->report, q->o->junit, q->o->warnings, &q->err);
}

static enum cli_status ask_report(const struct options *o)
{
	struct question q = {.o = o};

	loop_init();
	task_run("report", ask, &q);
	http_finish();
	loop_finish();
	if (q.ret != 0)
		fprintf(stderr, "myna-playground: %s\n", q.ret < 0 ? q.err.text : "the report has problems");
	return q.ret == 0 ? CLI_OK : CLI_FAILED;
}

/* Reads the flows, if any, before anything begins. */
static enum cli_status run_flows(const struct options *o)
{
	struct flow **flows = xcalloc(o->flow_count + 1, sizeof(struct flow *));
	enum cli_status status = CLI_OK;

	for (size_t i = 0; i < o->flow_count; i++) {
		flows[i] = flow_read(o->flows[i]);
		status = flows[i] ? status : CLI_USAGE;
	}
	if (status == CLI_OK)
		status = run(o, flows);
	for (size_t i = 0; i < o->flow_count; i++)
		flow_free(flows[i]);
	free(flows);
	return status;
}

int main(int argc, char **argv)
{
	/* A closed pipe is an error of the write, not the end of the process. */
	signal(SIGPIPE, SIG_IGN);
	struct options o = read_options(argc, argv);
	if (!o.done && o.report) {
		o.status = ask_report(&o);
	} else if (!o.done) {
		o.status = run_flows(&o);
	}
	free(o.flows);
	return cli_status_flush("myna-playground", o.status);
}

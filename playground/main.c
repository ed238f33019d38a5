#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/task.h"
#include "config.h"
#include "net/loop.h"
#include "net/server.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/playground.h"

#define MAX_BODY     (64 * 1024 * 1024) /* model requests carry whole histories, say carries files */
#define MAX_REQUESTS 16384

struct options {
	const char *listen, *script, *data, *journal;
	bool no_limits;
	int done; /* exit status + 1 when there is nothing more to do */
};

static const char usage[] = "usage: myna-playground [--listen HOST:PORT] [--script FILE] [--data DIR] [--journal FILE]\n"
			    "                       [--no-limits]\n"
			    "Simulated chat platforms and a scripted model for trying and testing Myna.\n"
			    "  --listen HOST:PORT  where to listen (default 127.0.0.1:8090; port 0: any free one)\n"
			    "  --script FILE       what the model says, instead of the script compiled in\n"
			    "  --data DIR          keep chats over restarts, in DIR/playground.json\n"
			    "  --journal FILE      append a line for each request to the model, with what was wrong with it\n"
			    "  --no-limits         no rate limits: for load tests\n"
			    "  --help, --version\n";

static struct options read_options(int argc, char **argv)
{
	static const struct option rows[] = {
	    {"listen", required_argument, NULL, 'l'},
	    {"script", required_argument, NULL, 's'},
	    {"data", required_argument, NULL, 'd'},
	    {"journal", required_argument, NULL, 'j'},
	    {"no-limits", no_argument, NULL, 'n'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'v'},
	    {NULL, 0, NULL, 0},
	};
	struct options o = {.listen = "127.0.0.1:8090"};
	int c;

	while ((c = getopt_long(argc, argv, "h", rows, NULL)) != -1) {
		if (c == 'l')
			o.listen = optarg;
		else if (c == 's')
			o.script = optarg;
		else if (c == 'd')
			o.data = optarg;
		else if (c == 'j')
			o.journal = optarg;
		else if (c == 'n')
			o.no_limits = true;
		else if (c == 'v')
			o.done = printf("myna-playground %s\n", PACKAGE_VERSION) > 0 ? 1 : 2;
		else
			o.done = fputs(usage, c == 'h' ? stdout : stderr) >= 0 && c == 'h' ? 1 : 3;
		if (o.done != 0)
			return o;
	}
	if (optind < argc)
		o.done =
		    fprintf(stderr, "myna-playground: \"%s\" is not an option\n%s", argv[optind], usage) > 0 ? 3 : 2;
	return o;
}

static void lift_limits(struct playground *pg)
{
	struct json_object *off = json_object_new_object();

	json_set_bool(off, "limits", false);
	for (struct site *s = pg->sites; s->platform != NULL; s++)
		s->platform->set(s->self, off, NULL);
	json_object_put(off);
}

static void on_stop(int signo, void *arg)
{
	(void)signo;
	(void)arg;
	loop_stop();
}

static void end_server(struct task *t, void *arg)
{
	server_free(t, arg);
}

/* The host as it was asked for, with the port that it became. */
static void announce(const struct options *o, const struct server *server)
{
	const char *colon = strrchr(o->listen, ':');

	printf("listening on http://%.*s:%u\n", (int)(colon != NULL ? colon - o->listen : 0), o->listen,
	       server_port(server));
	fflush(stdout);
}

static int serve(const struct options *o, struct playground *pg, struct error *err)
{
	struct server_options so = {
	    .listen = o->listen,
	    .max_body = MAX_BODY,
	    .max_requests = MAX_REQUESTS,
	    .handler = playground_serve,
	    .arg = pg,
	};
	struct server *server;

	if (strncmp(o->listen, "unix:", 5) == 0 || strchr(o->listen, ':') == NULL)
		return error_set(err, ERROR_OURS, "--listen wants HOST:PORT");
	if (loop_on_signal(SIGTERM, on_stop, NULL, err) != 0 || loop_on_signal(SIGINT, on_stop, NULL, err) != 0)
		return -1;
	server = server_new(&so, err);
	if (server == NULL)
		return -1;
	announce(o, server);
	loop_run();
	task_run("stop", end_server, server);
	return playground_save(pg, err);
}

int main(int argc, char **argv)
{
	struct options o = read_options(argc, argv);
	struct error err = {0};
	struct playground *pg;
	int ret;

	if (o.done != 0)
		return o.done - 1;
	loop_init();
	pg = playground_new(o.script, o.data, &err);
	ret = pg != NULL ? 0 : -1;
	if (ret == 0 && o.journal != NULL)
		ret = model_keep_journal(pg->model, o.journal, &err);
	if (ret == 0 && o.no_limits)
		lift_limits(pg);
	if (ret == 0)
		ret = serve(&o, pg, &err);
	if (ret != 0)
		fprintf(stderr, "myna-playground: %s\n", err.text);
	loop_finish();
	playground_free(pg);
	return ret == 0 ? 0 : 1;
}

/*
 * An MCP server as a child process: one JSON message per line on its standard input and output (MCP,
 * "Transports", stdio). Its stderr is logged. It runs with the gateway's rights, but does not get the
 * gateway's environment.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "base/worker.h"
#include "net/child/child.h"
#include "tools/mcp/transport.h"
#include "tools/mcp/settings.h"

/* After this many invalid lines it does not count as an MCP server. */
#define INVALID_MAX 100
/* Maximum output that waits to be written: answers to a server that sends requests without reading them. */
#define WAITING_MAX (2 * MCP_MESSAGE_MAX)
/* Limits for stderr: bytes of a line, and lines per time. */
#define SHOWN_MAX 400
#define LINES_MAX 20
#define LINES_MS  10000
/* How long it may take to exit after its input has ended. */
#define LEAVE_MS 2000
#define GRACE_MS 1000

struct mcp_transport {
	struct mcp_peer *peer;
	struct child *child;
	struct task_group tasks;
	struct task *writer;
	struct buf in, errors; /* incomplete lines */
	struct buf out;
	uint64_t lines_since;
	unsigned lines, lines_left_out;
};

static void lose(struct mcp_transport *l, const char *why)
{
	struct error err = {0};

	error_set(&err, ERROR_NETWORK, "%s", why);
	err.uncertain = true;
	child_stop(l->child);
	mcp_peer_lost(l->peer, &err);
}

static void take_line(struct mcp_transport *l, const char *line, size_t len)
{
	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (len == 0 || l->peer->lost)
		return;
	if (mcp_peer_take(l->peer, 0, line, len) < 0 && l->peer->strange >= INVALID_MAX)
		lose(l, "it writes what is no MCP message to its standard output");
}

/* Limits what a server can write to the log. */
static bool may_log(struct mcp_transport *l)
{
	uint64_t now = clock_now();

	if (now - l->lines_since >= LINES_MS) {
		if (l->lines_left_out > 0)
			log_info(l->peer->log, "stderr: %u more lines were left out", l->lines_left_out);
		l->lines_since = now;
		l->lines = l->lines_left_out = 0;
	}
	if (l->lines < LINES_MAX)
		return l->lines++ < LINES_MAX;
	l->lines_left_out++;
	return false;
}

static void log_line(struct mcp_transport *l, const char *line, size_t len)
{
	struct buf text = BUF_INIT;

	if (len == 0 || !may_log(l))
		return;
	utf8_sanitize(&text, line, len);
	log_info(l->peer->log, "stderr: \"%.*s\"", (int)utf8_cut(text.data, text.len, SHOWN_MAX, UTF8_BYTES),
	    text.data);
	buf_clear(&text);
}

/* Handles the complete lines of b, whose bytes before look contain no line end. */
static void take_lines(struct mcp_transport *l, struct buf *b, size_t look,
    void (*take)(struct mcp_transport *l, const char *line, size_t len))
{
	size_t from = 0;

	for (char *end; (end = memchr(b->data + look, '\n', b->len - look)); look = from) {
		take(l, b->data + from, (size_t)(end - b->data) - from);
		from = (size_t)(end - b->data) + 1;
	}
	buf_consume(b, from);
}

static void on_output(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct mcp_transport *l = arg;
	struct buf *b = stream == CHILD_STDOUT ? &l->in : &l->errors;

	if (l->peer->lost && stream == CHILD_STDOUT)
		return;
	size_t look = b->len;
	buf_add(b, data, len);
	take_lines(l, b, look, stream == CHILD_STDOUT ? take_line : log_line);
	if (stream == CHILD_STDOUT && b->len > MCP_MESSAGE_MAX)
		lose(l, "it sent a message of more than 8 MiB");
	/* A line without an end: the part that is shown is complete. */
	if (stream != CHILD_STDOUT && b->len > 8 * SHOWN_MAX) {
		log_line(l, b->data, b->len);
		buf_reset(b);
	}
}

static void run_writer(struct task *t, void *arg)
{
	struct mcp_transport *l = arg;
	struct error err = {0};

	while (!l->peer->lost) {
		struct buf now = l->out;
		if (now.len == 0) {
			if (task_wait(t, NULL) < 0)
				return;
			continue;
		}
		buf_init(&l->out);
		int rc = child_write(t, l->child, now.data, now.len, &err);
		buf_clear(&now);
		if (rc < 0 && err.kind != ERROR_CANCELLED)
			lose(l, "it closed its standard input");
		if (rc < 0)
			return;
	}
}

static void on_stays(struct clock_timer *timer, void *arg)
{
	(void)timer;
	child_stop(arg);
}

/* A server whose output has ended sends nothing more, even if it stays; it gets a moment to exit. */
static void run_watcher(struct task *t, void *arg)
{
	struct mcp_transport *l = arg;
	struct clock_timer timer = {0};
	struct child_end end = {0};
	char why[96];

	if (child_wait_stream(t, l->child, CHILD_STDOUT, NULL) < 0)
		return;
	clock_timer_start(&timer, LEAVE_MS, on_stays, l->child);
	int rc = child_wait(t, l->child, &end, NULL);
	clock_timer_stop(&timer);
	if (rc < 0)
		return;
	if (end.stopped)
		str_copy(why, sizeof(why), "it closed its standard output");
	else if (end.signal)
		snprintf(why, sizeof(why), "it was ended by signal %d", end.signal);
	else
		snprintf(why, sizeof(why), "it ended with exit status %d", end.status);
	lose(l, why);
}

static void transport_send(struct mcp_transport *l, struct mcp_outgoing *out)
{
	if (l->out.len + out->len > WAITING_MAX) {
		lose(l, "it does not read what it is sent");
	} else {
		buf_add(&l->out, out->text, out->len);
		buf_addch(&l->out, '\n');
		task_wake(l->writer);
	}
	free(out->text);
}

static void transport_forget(struct mcp_transport *l, int64_t id)
{
	(void)l;
	(void)id;
}

/* child_environment sets PATH and LANG. */
static const char **make_environment(const struct mcp_server_settings *s)
{
	const char **extra = xcalloc(s->env.count + 2, sizeof(*extra)), *home = getenv("HOME");
	char **owned = xcalloc(s->env.count + 1, sizeof(*owned)),
	     *home_line = xasprintf("HOME=%s", home ? home : "/");
	size_t n = 0;

	extra[n++] = home_line;
	for (size_t i = 0; i < s->env.count; i++)
		extra[n++] = owned[i] = xasprintf("%s=%s", s->env.items[i].name, s->env.items[i].value);
	const char **env = child_environment(extra);
	for (size_t i = 0; i < s->env.count; i++)
		free(owned[i]);
	free(owned);
	free(extra);
	free(home_line);
	return env;
}

/* Not the workspace: the server must not run what a model writes there (a .npmrc, a module). */
struct making {
	struct worker_job job;
	char *parent, *dir;
};

static void making_run(struct worker_job *job)
{
	struct making *m = (struct making *)job;

	if (mkdir(m->parent, 0700) == 0 || access(m->parent, X_OK) == 0)
		(void)mkdir(m->dir, 0700);
}

static void making_free(struct worker_job *job)
{
	struct making *m = (struct making *)job;

	free(m->parent);
	free(m->dir);
	free(m);
}

/* Returns the folder that it runs in, malloc'd; NULL for ours. If it cannot be created, the start fails with
 * the reason. */
static char *make_folder(struct task *t, const struct mcp_server_settings *s, const char *state)
{
	if (s->directory || !state)
		return xstrdup(s->directory);
	struct making *m = xcalloc(1, sizeof(*m));
	char *dir = xasprintf("%s/mcp/%s", state, s->name);
	m->job.run = making_run;
	m->job.free = making_free;
	m->parent = xasprintf("%s/mcp", state);
	m->dir = xstrdup(dir);
	if (worker_await(t, &m->job, NULL) == 0)
		making_free(&m->job);
	return dir;
}

static void log_start(const struct mcp_transport *l, const struct mcp_server_settings *s)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < s->command.count; i++)
		buf_addf(&line, "%s%s", i ? " " : "", s->command.items[i]);
	log_info(l->peer->log, "started pid=%d command=\"%s\"", child_pid(l->child), line.data);
	buf_clear(&line);
	if (geteuid() == 0)
		log_warn(l->peer->log,
		    "it runs as root, as we do: run Myna as another user, or begin the command with setpriv");
}

static int start_child(struct task *t, struct mcp_transport *l, const struct mcp_server_settings *s,
    const char *state, struct error *err)
{
	char *dir = make_folder(t, s, state);
	const char **env = make_environment(s), **argv = xcalloc(s->command.count + 1, sizeof(*argv));

	for (size_t i = 0; i < s->command.count; i++)
		argv[i] = s->command.items[i];
	const struct child_options options = {.argv = argv,
	    .env = env,
	    .dir = dir,
	    .input = true,
	    .grace_ms = GRACE_MS,
	    .sink = on_output,
	    .sink_arg = l};
	l->child = child_start(&options, err);
	free(argv);
	free(env);
	free(dir);
	return l->child ? 0 : -1;
}

static struct mcp_transport *transport_open(struct task *t, struct mcp_peer *p,
    const struct mcp_server_settings *s, const char *state, struct error *err)
{
	struct mcp_transport *l = xcalloc(1, sizeof(*l));

	l->peer = p;
	buf_init(&l->in);
	buf_init(&l->errors);
	buf_init(&l->out);
	task_group_init(&l->tasks);
	if (start_child(t, l, s, state, err) < 0) {
		free(l);
		return NULL;
	}
	log_start(l, s);
	p->carrier = &mcp_stdio.carrier;
	p->link = l;
	l->writer = task_start(&l->tasks, "mcp writer", run_writer, l);
	task_start(&l->tasks, "mcp watcher", run_watcher, l);
	return l;
}

/* Closes its input and waits a moment: a server that works exits by itself. */
static void let_leave(struct task *t, struct mcp_transport *l)
{
	struct clock_timer timer = {0};

	child_close_input(l->child);
	clock_timer_start(&timer, LEAVE_MS, on_stays, l->child);
	task_shield(t);
	(void)child_wait(t, l->child, NULL, NULL);
	task_unshield(t);
	clock_timer_stop(&timer);
}

static void transport_close(struct task *t, struct mcp_transport *l)
{
	static const struct error over = {
	    .kind = ERROR_NETWORK, .text = "the connection was closed", .uncertain = true};

	if (!l)
		return;
	mcp_peer_lost(l->peer, &over);
	task_group_finish(t, &l->tasks);
	let_leave(t, l);
	child_free(t, l->child);
	buf_clear(&l->in);
	buf_clear(&l->errors);
	buf_clear(&l->out);
	free(l);
}

static int transport_pid(const struct mcp_transport *l)
{
	return child_pid(l->child);
}

const struct mcp_transport_ops mcp_stdio = {
    .name = "stdio",
    .carrier = {.send = transport_send, .forget = transport_forget},
    .open = transport_open,
    .close = transport_close,
    .pid = transport_pid,
};

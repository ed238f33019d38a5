/*
 * An MCP server as a child process: one JSON message per line on its standard input and output (MCP,
 * "Transports", stdio). Its stderr is logged. It runs in the sandbox, or with the gateway's rights where its
 * settings say so, and never gets the gateway's environment.
 */
#include <errno.h>
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
#include "tools/files/workspace_owner.h"
#include "tools/mcp/transport.h"
#include "tools/mcp/settings.h"
#include "tools/sandbox/sandbox.h"

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
	struct sandboxed *box; /* that it is in; NULL: it has our rights */
	enum sandbox_level level;
	bool is_npx; /* its command has the word npx */
	char *root;  /* the folder with the files that it gets; NULL for none */
	struct task_group tasks;
	struct task *writer;
	struct buf in, errors; /* incomplete lines */
	struct buf out;
	bool deaf; /* it closed its standard input: nothing can be written */
	uint64_t lines_since;
	unsigned lines, lines_left_out;
};

static const struct error not_heard = {.kind = ERROR_NETWORK, .text = "it closed its standard input"};

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
	if (mcp_peer_take(l->peer, 0, line, len) < 0 && l->peer->invalid_count >= INVALID_MAX)
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
		if (rc < 0) {
			l->deaf = true;
			/* One that ends closes it, too: the watcher knows how it ended. */
			if (err.kind != ERROR_CANCELLED && task_sleep(t, LEAVE_MS + GRACE_MS, NULL) == 0 &&
			    !l->peer->lost)
				lose(l, not_heard.text);
			return;
		}
	}
}

static void on_stays(struct clock_timer *timer, void *arg)
{
	(void)timer;
	child_stop(arg);
}

/* Returns -1 when t was cancelled. */
static int await_end(struct task *t, struct mcp_transport *l, struct child_end *end, const char **why)
{
	struct sandbox_end boxed = {0};
	struct error err = {0};

	*why = NULL;
	if (!l->box)
		return child_wait(t, l->child, end, NULL);
	int rc = sandboxed_wait(t, l->box, &boxed, &err);
	*end = boxed.child;
	if (rc < 0 && err.kind == ERROR_CANCELLED)
		return -1;
	if (rc < 0) {
		log_warn(l->peer->log, "not started: %s", err.text);
		/* Without the path, which people in a chat must not see. */
		*why = err.code == ENOENT ? "its program does not exist, or cannot be seen in the sandbox" :
					    "it could not be started in the sandbox, and the log says why";
	} else if (boxed.limit && strcmp(boxed.limit, "disk") == 0) {
		*why = "it was stopped because the disk is nearly full";
	} else if (boxed.limit && strcmp(boxed.limit, "quota") == 0) {
		*why =
		    "it was stopped because its folders hold more than tools.workspace_quota (see the log)";
		log_warn(
		    l->peer->log, "stopped: %s Its home, in mcp of the state, counts, too.", boxed.advice);
	}
	return 0;
}

/* It never answered: perhaps it lacks what it does not see, or cannot install itself. Returns why, for people
 * in a chat, "" when nothing is known. */
static const char *give_hint(const struct mcp_transport *l)
{
	bool cannot_install = l->level == SANDBOX_S2 && l->is_npx;

	if (!l->box || *l->peer->version)
		return "";
	log_warn(l->peer->log,
	    "it ended in the sandbox (%s) before it was ready. %s sandbox = false gives it the gateway's "
	    "rights "
	    "(docs/mcp.md)",
	    sandbox_level_name(l->level),
	    cannot_install ?
		"npx cannot install it at this level: install it with npm install --prefix FOLDER, "
		"put --prefix FOLDER behind npx in its command, and the folder into read." :
		"If it lacks files or programs, name them in its settings read or write.");
	return cannot_install ? "; npx cannot install it at sandbox level S2: the log says what to set" : "";
}

/* A server whose output has ended sends nothing more, even if it stays; it gets a moment to exit. */
static void run_watcher(struct task *t, void *arg)
{
	struct mcp_transport *l = arg;
	struct clock_timer timer = {0};
	struct child_end end = {0};
	const char *reason, *hint;
	char why[192];

	if (child_wait_stream(t, l->child, CHILD_STDOUT, NULL) < 0)
		return;
	clock_timer_start(&timer, LEAVE_MS, on_stays, l->child);
	int rc = await_end(t, l, &end, &reason);
	clock_timer_stop(&timer);
	if (rc < 0)
		return;
	hint = end.stopped ? "" : give_hint(l);
	if (reason)
		str_copy(why, sizeof(why), reason);
	else if (end.stopped)
		str_copy(why, sizeof(why), "it closed its standard output");
	else if (end.signal)
		snprintf(why, sizeof(why), "it was ended by signal %d%s", end.signal, hint);
	else
		snprintf(why, sizeof(why), "it ended with exit status %d%s", end.status, hint);
	lose(l, why);
}

static void transport_send(struct mcp_transport *l, struct mcp_outgoing *out)
{
	if (l->deaf) {
		mcp_peer_failed(l->peer, out->id, MCP_LOST, &not_heard);
	} else if (l->out.len + out->len > WAITING_MAX) {
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

/* child_environment sets PATH and LANG. home: NULL for none. */
static const char **make_environment(const struct mcp_server_settings *s, const char *home)
{
	const char **extra = xcalloc(s->env.count + 2, sizeof(*extra));
	char **owned = xcalloc(s->env.count + 1, sizeof(*owned)),
	     *home_line = xasprintf("HOME=%s", home ? home : "");
	size_t n = 0;

	if (home)
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

/* Its home. Not in the workspace: the server must not run what a model writes there (a .npmrc, a module). */
struct making {
	struct worker_job job;
	char *state, *parent, *dir;
	char *user; /* its owner, when we are root; NULL: we */
};

static void making_run(struct worker_job *job)
{
	struct making *m = (struct making *)job;

	if (mkdir(m->parent, 0700) == 0 || access(m->parent, X_OK) == 0)
		(void)mkdir(m->dir, 0700);
	if (!m->user)
		return;
	if (geteuid() == 0)
		(void)chmod(m->parent, 0711);
	workspace_owner_set(m->user, m->dir, m->state);
}

static void making_free(struct worker_job *job)
{
	struct making *m = (struct making *)job;

	free(m->state);
	free(m->parent);
	free(m->dir);
	free(m->user);
	free(m);
}

/* Returns its home, malloc'd; NULL without a state. If it cannot be created, the start fails with the reason.
 */
static char *make_home(
    struct task *t, const struct mcp_server_settings *s, const struct mcp_place *place, struct error *err)
{
	if (!place->state)
		return NULL;
	struct making *m = xcalloc(1, sizeof(*m));
	/* A name has no dot. */
	char *dir = xasprintf("%s/mcp/%s%s%s", place->state, s->name, place->scope ? "." : "",
	    place->scope ? place->scope : "");
	m->job.run = making_run;
	m->job.free = making_free;
	m->state = xstrdup(place->state);
	m->parent = xasprintf("%s/mcp", place->state);
	m->dir = xstrdup(dir);
	m->user = place->sandbox ? xstrdup(sandbox_user(place->sandbox)) : NULL;
	if (worker_await(t, &m->job, err) < 0) {
		free(dir);
		return NULL;
	}
	making_free(&m->job);
	return dir;
}

static void log_start(
    const struct mcp_transport *l, const struct mcp_server_settings *s, const struct mcp_place *place)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < s->command.count; i++)
		buf_addf(&line, "%s%s", i ? " " : "", s->command.items[i]);
	log_info(l->peer->log, "started pid=%d%s%s command=\"%s\"", child_pid(l->child),
	    place->scope ? " folder=" : "", place->scope ? place->scope : "", line.data);
	buf_clear(&line);
	if (!l->box && geteuid() == 0)
		log_warn(l->peer->log,
		    "it runs as root, as we do: run Myna as another user, begin the command with setpriv, or "
		    "remove sandbox = false");
}

static void start_sandboxed(struct task *t, struct mcp_transport *l, const struct mcp_server_settings *s,
    const struct mcp_place *place, const char *const *argv, struct error *err)
{
	char *home = make_home(t, s, place, err);
	const char **env = make_environment(s, NULL), *workspace = place->workspace ? place->workspace : home;
	const struct sandbox_run run = {.argv = argv,
	    .env = env,
	    .workspace = workspace,
	    .home = home,
	    .dir = s->directory ? s->directory : workspace,
	    .readable = (const char *const *)s->readable,
	    .writable = (const char *const *)s->writable,
	    .network = s->network,
	    .keep_free = true,
	    .quota = place->quota,
	    .long_running = true,
	    .input = true,
	    .grace_ms = GRACE_MS,
	    .sink = on_output,
	    .sink_arg = l};

	if (home)
		l->box = sandbox_start(t, place->sandbox, &run, err);
	if (l->box)
		l->child = sandboxed_child(l->box);
	if (s->files)
		l->root = xstrdup(workspace);
	l->level = sandbox_level(place->sandbox, NULL);
	if (l->box && l->level < SANDBOX_S1)
		log_warn(l->peer->log,
		    "the sandbox has level S0, so it can reach the files of all chats: myna check --sandbox "
		    "says what is missing for S1");
	free(env);
	free(home);
}

/* With our rights. */
static void start_plain(struct task *t, struct mcp_transport *l, const struct mcp_server_settings *s,
    const struct mcp_place *place, const char *const *argv, struct error *err)
{
	char *own = s->directory ? NULL : make_home(t, s, place, NULL);
	const char **env = make_environment(s, getenv("HOME") ? getenv("HOME") : "/");
	const struct child_options options = {.argv = argv,
	    .env = env,
	    .dir = s->directory ? s->directory : own,
	    .input = true,
	    .grace_ms = GRACE_MS,
	    .sink = on_output,
	    .sink_arg = l};
	l->child = child_start(&options, err);
	free(env);
	free(own);
}

static int start_child(struct task *t, struct mcp_transport *l, const struct mcp_server_settings *s,
    const struct mcp_place *place, struct error *err)
{
	const char **argv = xcalloc(s->command.count + 1, sizeof(*argv));

	for (size_t i = 0; i < s->command.count; i++) {
		argv[i] = s->command.items[i];
		l->is_npx = l->is_npx || strstr(argv[i], "npx");
	}
	if (place->sandbox)
		start_sandboxed(t, l, s, place, argv, err);
	else
		start_plain(t, l, s, place, argv, err);
	free(argv);
	return l->child ? 0 : -1;
}

static struct mcp_transport *transport_open(struct task *t, struct mcp_peer *p,
    const struct mcp_server_settings *s, const struct mcp_place *place, struct error *err)
{
	struct mcp_transport *l = xcalloc(1, sizeof(*l));

	l->peer = p;
	buf_init(&l->in);
	buf_init(&l->errors);
	buf_init(&l->out);
	task_group_init(&l->tasks);
	if (start_child(t, l, s, place, err) < 0) {
		free(l->root);
		free(l);
		return NULL;
	}
	log_start(l, s, place);
	p->root = l->root;
	p->sender = &mcp_stdio.sender;
	p->link = l;
	l->writer = task_start(&l->tasks, "mcp writer", run_writer, l);
	task_start(&l->tasks, "mcp watcher", run_watcher, l);
	return l;
}

/* Closes its input and waits a moment: a server that works exits by itself. */
static void wait_for_exit(struct task *t, struct mcp_transport *l)
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
	l->peer->root = NULL;
	task_group_finish(t, &l->tasks);
	wait_for_exit(t, l);
	if (l->box)
		sandboxed_free(t, l->box);
	else
		child_free(t, l->child);
	buf_clear(&l->in);
	buf_clear(&l->errors);
	buf_clear(&l->out);
	free(l->root);
	free(l);
}

static int transport_pid(const struct mcp_transport *l)
{
	return child_pid(l->child);
}

const struct mcp_transport_ops mcp_stdio = {
    .name = "stdio",
    .sender = {.send = transport_send, .forget = transport_forget},
    .open = transport_open,
    .close = transport_close,
    .pid = transport_pid,
};

#include "playground/gateway/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http.h"
#include "playground/server/feed.h"

#define ASK_MS         10000
#define CONNECT_MS     2000
#define AGAIN_MS       500   /* interval of attempts to connect to a gateway that is down */
#define IDLE_MS        60000 /* the gateway sends something every 15 s */
#define LINE_MAX_BYTES 4096

struct daemon {
	struct daemon_options options;
	struct feed *feed;
	struct task_group tasks;
	bool watched, stopping;
	struct task *follower;
	struct buf line;   /* the current line of its events */
	const char *state; /* a literal */
	int64_t pid, since_ms, starts;
	char *exit; /* how it ended last; NULL: it has not ended yet */
	bool held;
};

static const char *const states[] = {"down", "ready", "starting"};

struct daemon *daemon_new(const struct daemon_options *options, struct feed *feed)
{
	struct daemon *g = xcalloc(1, sizeof(*g));

	g->options = *options;
	g->feed = feed;
	g->state = "unknown";
	buf_init(&g->line);
	task_group_init(&g->tasks);
	return g;
}

void daemon_free(struct daemon *g)
{
	if (!g)
		return;
	buf_clear(&g->line);
	free(g->exit);
	free(g);
}

bool daemon_is_known(const struct daemon *g)
{
	return g && g->options.socket;
}

bool daemon_is_supervised(const struct daemon *g)
{
	return g && g->options.supervisor;
}

void daemon_write_members(const struct daemon *g, struct buf *out)
{
	buf_addf(out,
	    "\"known\":%s,\"supervised\":%s,\"state\":\"%s\",\"pid\":", daemon_is_known(g) ? "true" : "false",
	    daemon_is_supervised(g) ? "true" : "false", g->state);
	if (g->pid != 0)
		buf_addf(out, "%" PRId64, g->pid);
	else
		buf_addstr(out, "null");
	buf_addf(out, ",\"since_ms\":%" PRId64 ",\"starts\":%" PRId64 ",\"held\":%s,\"exit\":", g->since_ms,
	    g->starts, g->held ? "true" : "false");
	if (g->exit)
		json_quote(out, g->exit, strlen(g->exit));
	else
		buf_addstr(out, "null");
}

static void tell(struct daemon *g)
{
	struct buf out = BUF_INIT;

	buf_addch(&out, '{');
	daemon_write_members(g, &out);
	buf_addch(&out, '}');
	feed_add_text(g->feed, FEED_GATEWAY, NULL, out.data);
	buf_clear(&out);
}

static void set_state(struct daemon *g, const char *state)
{
	g->state = state;
	g->since_ms = clock_wall();
	tell(g);
}

int daemon_note(struct daemon *g, struct json_object *in, struct error *err)
{
	const char *state = json_get_str(in, "state"), *exit = json_get_str(in, "exit");
	size_t i = 0;

	while (state && i < ARRAY_LEN(states) && strcmp(states[i], state) != 0)
		i++;
	if (!state || i == ARRAY_LEN(states))
		return error_set(err, ERROR_OURS, "state is down, starting or ready");
	if (exit) {
		free(g->exit);
		g->exit = xstrdup(exit);
	}
	g->starts += strcmp(state, "starting") == 0;
	g->pid = json_get_int(in, "pid", 0);
	g->held = json_get_bool(in, "held", false);
	set_state(g, states[i]);
	return 0;
}

int daemon_order(const struct daemon *g, const char *order, struct error *err)
{
	char *line = xasprintf("%s\n", order);
	int fd = open(g->options.supervisor, O_WRONLY | O_NONBLOCK | O_CLOEXEC), ret = 0;

	/* A line is far below a pipe's capacity. */
	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		ret = error_set(err, ERROR_OURS, "the supervisor does not listen: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	free(line);
	return ret;
}

static struct json_object *refuse(struct error *err, int status, const char *why)
{
	error_set(err, ERROR_OURS, "%s", why);
	err->code = status;
	return NULL;
}

static struct json_object *read_answer(const struct http_response *res, struct error *err)
{
	struct json_object *o = json_parse_object(res->body.data, res->body.len, NULL);
	const char *why = json_get_str(o, "error");

	if (o && res->status == 200)
		return o;
	refuse(
	    err, res->status == 404 ? 404 : 502, why ? why : "the gateway gave no answer that can be read");
	json_object_put(o);
	return NULL;
}

struct json_object *daemon_ask(
    struct task *t, const struct daemon *g, const char *path, const char *body, struct error *err)
{
	static const struct http_header json = {"Content-Type", "application/json"};
	char *url = xasprintf("http://localhost%s", path);
	struct http_request req = {.method = body ? "POST" : "GET",
	    .url = url,
	    .label = "the gateway",
	    .unix_socket = g->options.socket,
	    .headers = &json,
	    .header_count = body != NULL,
	    .body = body,
	    .body_len = body ? strlen(body) : 0,
	    .connect_ms = CONNECT_MS,
	    .idle_ms = ASK_MS,
	    .once = true};
	struct http_response res;
	struct json_object *o = NULL;

	if (http_perform(t, &req, &res, err) == 0)
		o = read_answer(&res, err);
	else if (err->kind != ERROR_CANCELLED)
		refuse(err, 502, "the gateway does not answer");
	http_response_clear(&res);
	free(url);
	return o;
}

static void take_line(struct daemon *g)
{
	static const char data[] = "data: ";
	size_t skip = sizeof(data) - 1;
	struct json_object *o;

	if (g->line.len <= skip || strncmp(g->line.data, data, skip) != 0)
		return;
	o = json_parse_object(g->line.data + skip, g->line.len - skip, NULL);
	if (o)
		feed_add_text(g->feed, FEED_TRACE, NULL, g->line.data + skip);
	json_object_put(o);
}

/* Lines beyond the limit are skipped. */
static int on_data(const char *data, size_t len, void *arg)
{
	struct daemon *g = arg;

	for (size_t i = 0; i < len; i++) {
		if (data[i] != '\n') {
			if (g->line.len < LINE_MAX_BYTES)
				buf_addch(&g->line, data[i]);
			continue;
		}
		if (g->line.len < LINE_MAX_BYTES)
			take_line(g);
		buf_reset(&g->line);
	}
	return 0;
}

/* Without a supervisor, its events show whether it runs. */
static void on_status(int status, const char *content_type, void *arg)
{
	struct daemon *g = arg;

	(void)content_type;
	if (!daemon_is_supervised(g) && status == 200)
		set_state(g, "ready");
}

static void follow(struct task *t, struct daemon *g)
{
	struct http_request req = {.method = "GET",
	    .url = "http://localhost/v1/events",
	    .label = "the gateway",
	    .unix_socket = g->options.socket,
	    .connect_ms = CONNECT_MS,
	    .idle_ms = IDLE_MS,
	    .max_body = SIZE_MAX,
	    .fresh = true,
	    .on_status = on_status,
	    .on_data = on_data,
	    .arg = g};
	struct http_response res;

	buf_reset(&g->line);
	http_perform(t, &req, &res, NULL);
	http_response_clear(&res);
	if (!daemon_is_supervised(g) && strcmp(g->state, "down") != 0)
		set_state(g, "down");
}

static void follow_task(struct task *t, void *arg)
{
	struct daemon *g = arg;

	do
		follow(t, g);
	while (task_sleep(t, AGAIN_MS, NULL) == 0);
	g->follower = NULL;
	daemon_watch(g, g->watched);
}

void daemon_watch(struct daemon *g, bool on)
{
	if (!daemon_is_known(g))
		return;
	g->watched = on && !g->stopping;
	if (g->watched && !g->follower)
		g->follower = task_start(&g->tasks, "gateway events", follow_task, g);
	else if (!g->watched && g->follower)
		task_cancel(g->follower);
}

void daemon_stop(struct task *t, struct daemon *g)
{
	g->stopping = true;
	g->watched = false;
	task_group_finish(t, &g->tasks);
}

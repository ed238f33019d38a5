/*
 * An MCP server over Streamable HTTP: each message is a POST to one endpoint, whose answer is JSON or a
 * stream of events (MCP 2025-11-25 and 2026-07-28, "Transports"). In the legacy era there may be a session
 * and a stream of the server's own (GET), and a broken stream resumes with Last-Event-ID.
 */
#include "net/http/http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/formats/sse.h"
#include "tools/mcp/transport.h"
#include "tools/mcp/settings.h"

#define SESSION_SIZE    256
#define SESSION_UNKNOWN (-32000)
/* Maximum concurrent messages; more are refused, because a server that sends requests without end would
 * cause them. */
#define POSTS_MAX   64
#define HEADERS_MAX 64
/* A server closes its stream after the answer; after this time we close it. */
#define STREAM_MAX_MS (MCP_CALL_MAX_MS + 60 * 1000)
/* How often a broken stream is resumed, and after how long when the server does not say. */
#define RESUME_MAX    5
#define RESUME_MS     1000
#define RESUME_MAX_MS 30000
/* Idle limit of a server's own stream, on which nothing may happen for long. */
#define LISTEN_IDLE_MS  (3600 * 1000)
#define LISTEN_PAUSE_MS 5000
#define DELETE_MS       2000

struct mcp_transport {
	struct mcp_peer *peer;
	struct mcp_server_settings *settings;
	struct task_group posts;
	struct list open; /* of struct post */
	unsigned open_count;
	struct task *flusher; /* waits for the end of a post */
	char session[SESSION_SIZE];
	char *bearer;
};

/* A request, or the server's own stream, with its response. */
struct post {
	struct list link;
	struct mcp_transport *to;
	struct task *task;
	char *text;
	size_t len;
	int64_t id;
	uint64_t elicit_ms; /* of struct mcp_outgoing */
	bool is_initialize;
	char session[SESSION_SIZE]; /* the session id that it was sent with */
	char *method, *name, *headers;
	bool is_stream;
	struct sse sse;
	struct buf body;
	struct http_response res;
};

static const struct error not_sent = {
    .kind = ERROR_NETWORK, .text = "too many messages are on their way to it at once"};

static void fail(
    struct post *p, enum mcp_outcome outcome, enum error_kind kind, bool uncertain, const char *text)
{
	struct error err = {0};

	error_set(&err, kind, "%s", text);
	err.code = p->res.status;
	err.uncertain = uncertain;
	mcp_peer_failed(p->to->peer, p->id, outcome, &err);
}

static int on_event(const char *name, const char *data, size_t len, void *arg)
{
	struct post *p = arg;

	if (*name && strcmp(name, "message") != 0)
		return 0;
	(void)mcp_peer_take(p->to->peer, p->id, data, len);
	return 0;
}

static void on_status(int status, const char *content_type, void *arg)
{
	struct post *p = arg;

	p->is_stream =
	    status == 200 && content_type && strncasecmp(content_type, "text/event-stream", 17) == 0;
}

static int on_data(const char *data, size_t len, void *arg)
{
	struct post *p = arg;

	if (p->is_stream)
		return sse_feed(&p->sse, data, len, NULL);
	buf_add(&p->body, data, len);
	return p->body.len > MCP_MESSAGE_MAX ? -1 : 0;
}

/* A session id is of visible ASCII characters (MCP 2025-11-25, "Session management"). */
static void on_header(const char *name, const char *value, void *arg)
{
	struct post *p = arg;
	size_t len = strlen(value);

	if (!p->is_initialize || strcasecmp(name, "Mcp-Session-Id") != 0 || len == 0 || len >= SESSION_SIZE)
		return;
	for (size_t i = 0; i < len; i++)
		if (value[i] < 0x21 || value[i] > 0x7e)
			return;
	str_copy(p->to->session, sizeof(p->to->session), value);
}

struct headers {
	struct http_header items[HEADERS_MAX];
	size_t count;
	char *extra; /* the lines of post.headers, split */
};

static void add_header(struct headers *h, const char *name, const char *value)
{
	if (value && *value && h->count < HEADERS_MAX)
		h->items[h->count++] = (struct http_header){name, value};
}

static void add_extra(struct headers *h, const char *lines)
{
	h->extra = xstrdup(lines ? lines : "");
	for (char *line = h->extra, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *colon = strchr(line, ':');
		*end = '\0';
		*colon = '\0';
		add_header(h, line, colon + 2);
	}
}

static void make_headers(struct headers *h, const struct post *p)
{
	const struct mcp_transport *l = p->to;
	const struct mcp_peer *peer = l->peer;
	bool modern = peer->modern || !*peer->version;

	*h = (struct headers){0};
	add_header(h, "Authorization", l->bearer);
	for (size_t i = 0; i < l->settings->headers.count; i++)
		add_header(h, l->settings->headers.items[i].name, l->settings->headers.items[i].value);
	add_header(h, "Accept", p->text ? "application/json, text/event-stream" : "text/event-stream");
	if (p->text)
		add_header(h, "Content-Type", "application/json");
	add_header(h, "Mcp-Session-Id", p->session);
	if (!p->is_initialize)
		add_header(h, "MCP-Protocol-Version", *peer->version ? peer->version : MCP_MODERN);
	if (modern && p->method && !p->is_initialize) {
		add_header(h, "Mcp-Method", p->method);
		add_header(h, "Mcp-Name", p->name);
	}
	add_extra(h, modern ? p->headers : NULL);
}

static int perform(
    struct task *t, struct post *p, const char *method, const char *last_event, struct error *err)
{
	struct headers h;

	make_headers(&h, p);
	add_header(&h, "Last-Event-ID", last_event);
	const struct http_request req = {.method = method,
	    .url = p->to->settings->url,
	    .label = "the MCP server",
	    .headers = h.items,
	    .header_count = h.count,
	    .body = p->text,
	    .body_len = p->len,
	    .once = true,
	    .idle_ms = p->text ? STREAM_MAX_MS + p->elicit_ms : LISTEN_IDLE_MS,
	    /* A server may ask more than once: its call has a time limit of its own. */
	    .total_ms = p->text && p->elicit_ms == 0 ? STREAM_MAX_MS : 0,
	    .max_body = 0x7fffffff,
	    .on_header = on_header,
	    .on_status = on_status,
	    .on_data = on_data,
	    .arg = p};
	http_response_clear(&p->res);
	int rc = http_perform(t, &req, &p->res, err);
	free(h.extra);
	return rc;
}

/* Statuses with a reason of their own. */
static const struct {
	int status;
	const char *text;
} refusals[] = {
    {401, "it wants another token (HTTP 401). Set token for it"},
    {403, "it refuses us (HTTP 403). Look at token and headers"},
    {404, "nothing is at its url (HTTP 404)"},
    {405, "its url takes no messages (HTTP 405)"},
    {407, "a proxy wants a password (HTTP 407)"},
};

static void fail_status(struct post *p)
{
	char text[96];

	snprintf(text, sizeof(text), "it answered HTTP %d", p->res.status);
	if (p->res.status >= 300 && p->res.status < 400)
		snprintf(
		    text, sizeof(text), "it points to another url (HTTP %d). Set that one", p->res.status);
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		if (refusals[i].status == p->res.status)
			str_copy(text, sizeof(text), refusals[i].text);
	fail(p, MCP_LOST, p->res.status >= 500 || p->res.status == 429 ? ERROR_NETWORK : ERROR_REFUSED,
	    p->res.status >= 500, text);
}

/* 404 says so; server-everything answers 400 with this number, or without an error object. */
static bool is_session_gone(const struct post *p)
{
	if (!*p->session || p->to->peer->modern || (p->res.status != 404 && p->res.status != 400))
		return false;
	struct json_object *body = json_parse_foreign(p->res.body.data, p->res.body.len, NULL);
	int64_t number = json_get_int(json_get_object(body, "error"), "code", SESSION_UNKNOWN);
	json_object_put(body);
	return p->res.status == 404 || number == SESSION_UNKNOWN;
}

static void take_refusal(struct post *p)
{
	struct mcp_peer *peer = p->to->peer;

	if (is_session_gone(p))
		fail(p, MCP_SESSION, ERROR_REFUSED, false, "it knows our session no more");
	else if (p->res.status == 401 || p->res.status == 403 ||
	    !mcp_peer_take_error(peer, p->id, p->res.body.data, p->res.body.len))
		fail_status(p);
}

/* Resumes the stream after the last event received. */
static void renew_stream(struct post *p)
{
	char *last = xstrdup(p->sse.id.data);
	int64_t retry_ms = p->sse.retry_ms;

	sse_clear(&p->sse);
	sse_init(&p->sse, on_event, p);
	buf_addstr(&p->sse.id, last);
	p->sse.retry_ms = retry_ms;
	free(last);
}

/* Resumes a stream that ended before the answer, in the legacy era and if its events have ids. */
static bool resume(struct task *t, struct post *p)
{
	const struct mcp_peer *peer = p->to->peer;
	char *text = p->text;

	p->text = NULL;
	for (int i = 0; i < RESUME_MAX && !peer->modern && p->sse.id.len > 0 && mcp_peer_waits(peer, p->id);
	     i++) {
		int64_t retry =
		    p->sse.retry_ms > 0 && p->sse.retry_ms < RESUME_MAX_MS ? p->sse.retry_ms : RESUME_MS;
		renew_stream(p);
		if (task_sleep(t, (uint64_t)retry, NULL) < 0)
			break;
		char *last = xstrdup(p->sse.id.data);
		(void)perform(t, p, "GET", last, NULL);
		free(last);
		/* 0: the server was not reached. */
		if (p->res.status != 200 && p->res.status != 0)
			break;
	}
	p->text = text;
	return !mcp_peer_waits(peer, p->id);
}

/* Handles a complete body. */
static void take_body(struct task *t, struct post *p)
{
	struct mcp_peer *peer = p->to->peer;

	if (p->is_stream)
		(void)sse_end(&p->sse, NULL);
	else if (p->body.len > 0)
		(void)mcp_peer_take(peer, p->id, p->body.data, p->body.len);
	if (p->id == 0 || !mcp_peer_waits(peer, p->id) || (p->is_stream && resume(t, p)))
		return;
	fail(p, MCP_LOST, ERROR_NETWORK, true,
	    p->is_stream ? "its stream ended before the answer" : "its answer holds no answer");
}

static void take_failure(struct task *t, struct post *p, const struct error *err)
{
	if (p->res.status == 200 && p->is_stream && p->id != 0 && resume(t, p))
		return;
	if (p->body.len > MCP_MESSAGE_MAX)
		fail(p, MCP_LOST, ERROR_NETWORK, true, "its answer has more than 8 MiB");
	else
		fail(p, MCP_LOST, err->kind == ERROR_OURS ? ERROR_OURS : ERROR_NETWORK, p->res.sent,
		    err->text);
}

static void run_post(struct task *t, void *arg)
{
	struct post *p = arg;
	struct error err = {0};
	int rc = perform(t, p, "POST", NULL, &err);

	if (rc < 0)
		take_failure(t, p, &err);
	else if (p->res.status < 200 || p->res.status >= 300)
		take_refusal(p);
	else
		take_body(t, p);
	list_remove(&p->link);
	p->to->open_count--;
	if (p->to->flusher)
		task_wake(p->to->flusher);
	sse_clear(&p->sse);
	buf_clear(&p->body);
	http_response_clear(&p->res);
	free(p->method);
	free(p->name);
	free(p->headers);
	free(p->text);
	free(p);
}

/* Cancels streams that continue after their answer. */
static void leave_streams(struct mcp_transport *l)
{
	list_each(&l->open, link, next) {
		struct post *p = list_entry(link, struct post, link);
		if (p->id != 0 && !mcp_peer_waits(l->peer, p->id))
			task_cancel(p->task);
	}
}

static void transport_send(struct mcp_transport *l, struct mcp_outgoing *out)
{
	if (l->open_count >= POSTS_MAX / 4)
		leave_streams(l);
	if (l->open_count >= POSTS_MAX) {
		mcp_peer_failed(l->peer, out->id, MCP_LOST, &not_sent);
		free(out->text);
		return;
	}
	struct post *p = xcalloc(1, sizeof(*p));
	p->to = l;
	p->text = out->text;
	p->len = out->len;
	p->id = out->id;
	p->elicit_ms = out->elicit_ms;
	p->method = xstrdup(out->method);
	p->name = xstrdup(out->name);
	p->headers = xstrdup(out->headers);
	p->is_initialize = out->method && strcmp(out->method, "initialize") == 0;
	str_copy(p->session, sizeof(p->session), l->session);
	sse_init(&p->sse, on_event, p);
	buf_init(&p->body);
	list_append(&l->open, &p->link);
	l->open_count++;
	p->task = task_start(&l->posts, "mcp post", run_post, p);
}

static bool has_message(const struct mcp_transport *l)
{
	for (const struct list *link = l->open.next; link != &l->open; link = link->next)
		if (list_entry(link, struct post, link)->id == 0)
			return true;
	return false;
}

static int transport_flush(struct task *t, struct mcp_transport *l, struct error *err)
{
	int rc = 0;

	l->flusher = t;
	while (rc == 0 && has_message(l))
		rc = task_wait(t, err);
	l->flusher = NULL;
	return rc;
}

static void transport_forget(struct mcp_transport *l, int64_t id)
{
	list_each(&l->open, link, next) {
		struct post *p = list_entry(link, struct post, link);
		if (p->id == id)
			task_cancel(p->task);
	}
}

static struct mcp_transport *transport_open(struct task *t, struct mcp_peer *p,
    const struct mcp_server_settings *s, const struct mcp_place *place, struct error *err)
{
	struct mcp_transport *l = xcalloc(1, sizeof(*l));

	(void)t;
	(void)place;
	(void)err;
	l->peer = p;
	l->settings = mcp_server_settings_ref((struct mcp_server_settings *)s);
	l->bearer = s->token ? xasprintf("Bearer %s", s->token) : NULL;
	task_group_init(&l->posts);
	list_init(&l->open);
	p->sender = &mcp_http.sender;
	p->link = l;
	return l;
}

static struct post stream_post(struct mcp_transport *l)
{
	struct post p = {.to = l};

	str_copy(p.session, sizeof(p.session), l->session);
	buf_init(&p.body);
	buf_init(&p.res.body);
	return p;
}

/* Ends the session at the server, which may refuse with 405. */
static void end_session(struct task *t, struct mcp_transport *l)
{
	struct post p = stream_post(l);
	struct headers h;

	if (!*l->session)
		return;
	make_headers(&h, &p);
	const struct http_request req = {.method = "DELETE",
	    .url = l->settings->url,
	    .label = "the MCP server",
	    .headers = h.items,
	    .header_count = h.count,
	    .once = true,
	    .connect_ms = DELETE_MS,
	    .total_ms = DELETE_MS};
	task_shield(t);
	(void)http_perform(t, &req, &p.res, NULL);
	task_unshield(t);
	http_response_clear(&p.res);
	free(h.extra);
}

static void transport_close(struct task *t, struct mcp_transport *l)
{
	static const struct error over = {
	    .kind = ERROR_NETWORK, .text = "the connection was closed", .uncertain = true};

	if (!l)
		return;
	mcp_peer_lost(l->peer, &over);
	task_group_finish(t, &l->posts);
	end_session(t, l);
	mcp_server_settings_unref(l->settings);
	free(l->bearer);
	free(l);
}

/* Opens the server's own stream. A server without one answers 405; any other answer is not a stream,
 * either. */
static void transport_listen(struct task *t, struct mcp_transport *l)
{
	struct post p = stream_post(l);
	struct buf last = BUF_INIT;
	bool goes_on = true;

	sse_init(&p.sse, on_event, &p);
	while (goes_on && !l->peer->lost) {
		p.is_stream = false;
		buf_reset(&last);
		buf_addstr(&last, p.sse.id.data);
		int rc = perform(t, &p, "GET", last.data, NULL);
		goes_on = p.is_stream || (rc < 0 && p.res.status == 0);
		renew_stream(&p);
		if (goes_on && task_sleep(t, LISTEN_PAUSE_MS, NULL) < 0)
			break;
	}
	sse_clear(&p.sse);
	buf_clear(&last);
	buf_clear(&p.body);
	http_response_clear(&p.res);
}

const struct mcp_transport_ops mcp_http = {
    .name = "http",
    .sender = {.send = transport_send, .forget = transport_forget, .closing_cancels = true},
    .open = transport_open,
    .close = transport_close,
    .listen = transport_listen,
    .flush = transport_flush,
};

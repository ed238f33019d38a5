#include "net/websocket/websocket.h"

#include <assert.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "config.h"
#include "net/http/http.h"
#include "net/http/url.h"
#include "net/resolve.h"
#include "net/websocket/websocket_internal.h"

#define MESSAGE_MAX (16 * 1024 * 1024)
#define SEND_MAX    (1024 * 1024)
#define CONNECT_MS  15000
/* Minimum time for each address of a host. */
#define ADDRESS_MS     2000
#define PATH_MAX_BYTES 4096
#define HEADERS_MAX    8192
#define CLOSE_MS       2000
#define CLOSE_FAST_MS  200
/* Used when a 429 does not say how long to wait. */
#define LIMITED_MS 5000

static int prefix_name(const struct websocket *w, struct error *err)
{
	return error_prefix(err, "%s", w->name);
}

static char *name_of(const char *label, const char *host)
{
	if (!label || *label == '\0')
		return xstrdup(*host != '\0' ? host : "WebSocket");
	return *host != '\0' && !strstr(label, host) ? xasprintf("%s (%s)", label, host) : xstrdup(label);
}

static int path_parse(const char *rest, struct websocket_url *url, struct error *err)
{
	rest += strcspn(rest, "/?#");
	for (const char *p = rest; *p != '\0'; p++)
		if (*p <= ' ' || *p > '~' || *p == '#')
			return error_set(
			    err, ERROR_OURS, "the URL holds a character that must be percent-encoded");
	if (strlen(rest) > PATH_MAX_BYTES)
		return error_set(
		    err, ERROR_OURS, "the path of the URL is longer than %d bytes", PATH_MAX_BYTES);
	url->path = *rest == '/' ? xstrdup(rest) : xasprintf("/%s", rest);
	return 0;
}

/* Errors never contain the URL, which may hold a ticket. */
static int url_parse(const char *text, struct websocket_url *url, struct error *err)
{
	struct http_url parts;
	char *as_http;
	int rc;

	*url = (struct websocket_url){.tls = strncasecmp(text, "wss://", 6) == 0};
	if (!url->tls && strncasecmp(text, "ws://", 5) != 0)
		return error_set(err, ERROR_OURS, "the URL must begin with wss:// or ws://");
	as_http = xasprintf("http%s", text + 2);
	rc = http_url_parse(as_http, &parts, err);
	free(as_http);
	if (rc < 0)
		return -1;
	str_copy(url->host, sizeof(url->host), parts.host);
	url->port = parts.port;
	if (!url->tls && !resolve_is_loopback(url->host))
		return error_set(err, ERROR_OURS,
		    "ws:// is allowed for this machine (127.0.0.1, ::1, localhost) only: use wss:// for %s",
		    url->host);
	return path_parse(text + (url->tls ? 6 : 5), url, err);
}

static int headers_add(struct websocket *w, const struct websocket_options *o, struct error *err)
{
	struct buf lines = BUF_INIT;
	bool broken = false;

	buf_addstr(&lines, "User-Agent: myna/" PACKAGE_VERSION "\r\n");
	for (size_t i = 0; i < o->header_count; i++) {
		const struct http_header *h = &o->headers[i];

		broken = broken || strpbrk(h->name, "\r\n:") || strpbrk(h->value, "\r\n");
		buf_addf(&lines, "%s: %s\r\n", h->name, h->value);
	}
	if (broken)
		error_set(err, ERROR_OURS, "a header holds a line break, which would begin another one");
	else if (lines.len > HEADERS_MAX)
		error_set(err, ERROR_OURS, "the headers are longer than %d bytes", HEADERS_MAX);
	broken = broken || lines.len > HEADERS_MAX;
	w->headers = buf_take(&lines);
	return broken ? -1 : 0;
}

static struct websocket *websocket_new(const struct websocket_options *o)
{
	struct websocket *w = xcalloc(1, sizeof(*w));

	list_init(&w->link);
	list_init(&w->messages);
	list_init(&w->packets);
	buf_init(&w->key);
	buf_init(&w->joining);
	w->message_max = o->message_max != 0 ? o->message_max : MESSAGE_MAX;
	w->send_max = o->send_max != 0 ? o->send_max : SEND_MAX;
	w->ping_ms = o->ping_ms;
	return w;
}

static int not_opened(const struct websocket *w, struct error *err)
{
	const char *why = w->failure[0] != '\0' ? w->failure : "the connection broke";

	if (w->status == 429 || (w->status == 503 && w->retry_ms > 0))
		error_limited(err, w->retry_ms > 0 ? w->retry_ms : LIMITED_MS,
		    "the server answered %u: too many requests", w->status);
	else if (w->status >= 500)
		error_set(err, ERROR_NETWORK, "the server answered %u", w->status);
	else if (w->status != 0 && w->status != 101)
		error_set(err, ERROR_REFUSED, "the server answered %u, and opened no WebSocket", w->status);
	else if (w->certificate_bad)
		error_set(err, ERROR_NETWORK,
		    "the TLS certificate of the server is not accepted: it is not for this host, has "
		    "expired, or nobody who is trusted vouches for it");
	else if (open_files_used_up(err))
		error_prefix(err, "could not open a WebSocket");
	else
		error_set(err, ERROR_NETWORK, "could not open a WebSocket: %s", why);
	if (err)
		err->code = (int)w->status;
	return -1;
}

/* Returns 1 when it is open; 0 when this address failed and another may work; -1 when err is final. */
static int try_address(struct task *t, struct websocket *w, const struct websocket_url *url,
    const char *address, const struct websocket_options *o, uint64_t due, struct error *err)
{
	struct lws_vhost *vhost = websocket_vhost(url->tls, o->ca_file, err);
	int rc = 0;

	if (!vhost)
		return -1;
	if (websocket_connect(w, url, address, vhost, err) < 0)
		return 0;
	w->waiter = t;
	while (w->state == WEBSOCKET_CONNECTING && rc == 0)
		rc = task_wait_until(t, due, err);
	w->waiter = NULL;
	if (rc == 0 && w->state != WEBSOCKET_CLOSED)
		return 1;
	websocket_abandon(w);
	if (rc < 0)
		return -1;
	if (rc > 0)
		error_set(err, ERROR_NETWORK, "no WebSocket was opened in time");
	else
		not_opened(w, err);
	return w->status != 0 ? -1 : 0;
}

static int try_all(struct task *t, struct websocket *w, const struct websocket_url *url,
    const struct websocket_options *o, struct error *err)
{
	struct resolve_answer answer;
	struct error other, *why = err;
	uint64_t due = clock_now() + (o->connect_ms != 0 ? o->connect_ms : CONNECT_MS), now, share;
	int rc = 0;

	if (resolve_name(t, url->host, &answer, err) < 0)
		return -1;
	for (size_t i = 0; i < answer.count && rc == 0; i++) {
		now = clock_now();
		share = now < due ? (due - now) / (answer.count - i) : 0;
		if (share < ADDRESS_MS)
			share = now < due && due - now < ADDRESS_MS ? due - now : ADDRESS_MS;
		if (i > 0 && now >= due)
			break;
		rc = try_address(t, w, url, answer.address[i], o, now + share, why);
		/* The error of the first address is usually the most useful, unless a later one is final. */
		if (rc < 0 && why == &other && err)
			*err = other;
		why = &other;
	}
	if (rc > 0)
		return 0;
	if (err)
		err->unanswered = w->status == 0 && err->kind == ERROR_NETWORK;
	return -1;
}

struct websocket *websocket_open(struct task *t, const struct websocket_options *o, struct error *err)
{
	struct websocket *w = websocket_new(o);
	struct websocket_url url;
	int rc = url_parse(o->url, &url, err);

	w->name = name_of(o->label, url.host);
	if (rc == 0)
		rc = headers_add(w, o, err);
	if (rc == 0)
		rc = try_all(t, w, &url, o, err);
	free(url.path);
	if (rc == 0)
		return w;
	prefix_name(w, err);
	websocket_abort(w);
	return NULL;
}

static bool take_message(struct websocket *w, struct buf *out)
{
	struct list *first = list_first(&w->messages);
	struct websocket_message *m;

	if (!first)
		return false;
	m = list_entry(first, struct websocket_message, link);
	list_remove(first);
	w->queued -= m->text.len;
	buf_clear(out);
	*out = m->text;
	free(m);
	websocket_resume(w);
	return true;
}

static int fail_ended(const struct websocket *w, struct error *err)
{
	const char *reason = websocket_close_reason(w);

	if (w->close_code != 0)
		error_set(err, ERROR_NETWORK, "the other side closed the WebSocket with code %u%s%s",
		    w->close_code, *reason != '\0' ? ": " : "", reason);
	else if (w->failure[0] != '\0')
		error_set(err, ERROR_NETWORK, "the WebSocket was ended: %s", w->failure);
	else
		error_set(err, ERROR_NETWORK, "the WebSocket broke off");
	if (err) {
		err->code = (int)w->close_code;
		err->unanswered = w->close_code == 0;
	}
	return prefix_name(w, err);
}

int websocket_receive(
    struct task *t, struct websocket *w, struct buf *message, uint64_t wait_ms, struct error *err)
{
	uint64_t now = clock_now(), due = wait_ms < UINT64_MAX - now ? now + wait_ms : UINT64_MAX;
	int rc = task_check(t, err);

	assert(!w->waiter);
	w->waiter = t;
	while (rc == 0) {
		if (take_message(w, message))
			break;
		if (w->state != WEBSOCKET_OPEN)
			rc = fail_ended(w, err);
		else
			rc = task_wait_until(t, due, err);
	}
	w->waiter = NULL;
	return rc == 0 ? 1 : rc > 0 ? 0 : -1;
}

int websocket_send(struct task *t, struct websocket *w, const void *text, size_t len, struct error *err)
{
	struct websocket_packet *packet;

	if (task_check(t, err) < 0)
		return -1;
	if (w->state != WEBSOCKET_OPEN)
		return fail_ended(w, err);
	if (len > w->send_max)
		return error_set(err, ERROR_OURS, "%s: a message of %zu bytes is more than %zu", w->name, len,
		    w->send_max);
	if (websocket_pending(w) + len > w->send_max)
		return error_limited(err, 1000,
		    "%s: the other side takes no more for now, %zu bytes wait to be sent", w->name,
		    websocket_pending(w));
	packet = xmalloc(sizeof(*packet) + WEBSOCKET_ROOM + len);
	packet->len = len;
	if (len > 0)
		memcpy(packet->data + WEBSOCKET_ROOM, text, len);
	list_append(&w->packets, &packet->link);
	w->pending += len;
	websocket_flush(w);
	return 0;
}

uint64_t websocket_last_received_ms(struct websocket *w)
{
	if (w->state == WEBSOCKET_OPEN)
		websocket_lifecycle_check(w);
	return w->received_ms;
}

bool websocket_is_open(const struct websocket *w)
{
	return w->state == WEBSOCKET_OPEN;
}

size_t websocket_pending(const struct websocket *w)
{
	return w->pending + w->writing;
}

unsigned websocket_close_code(const struct websocket *w)
{
	return w->close_code;
}

const char *websocket_close_reason(const struct websocket *w)
{
	return w->close_reason ? w->close_reason : "";
}

/* A cancel during this wait is seen at the next check. */
static void wait_for_end(struct task *t, struct websocket *w)
{
	uint64_t begun = clock_now(), now = begun;

	task_shield(t);
	w->waiter = t;
	while (
	    w->state != WEBSOCKET_CLOSED && now - begun < (task_is_cancelled(t) ? CLOSE_FAST_MS : CLOSE_MS)) {
		task_wait_until(t, now + CLOSE_FAST_MS, NULL);
		now = clock_now();
	}
	w->waiter = NULL;
	task_unshield(t);
}

void websocket_close(struct task *t, struct websocket *w, unsigned code, const char *reason)
{
	if (!w)
		return;
	assert(!w->waiter);
	if (w->state == WEBSOCKET_OPEN) {
		w->state = WEBSOCKET_ENDING;
		w->closing_code = code != 0 ? code : 1000;
		if (reason)
			memcpy(w->closing_reason, reason,
			    utf8_cut(reason, strlen(reason), WEBSOCKET_REASON_MAX, UTF8_BYTES));
		websocket_flush(w);
	}
	/* If neither side sends a close frame, because the other one is dead, do not wait. */
	if (w->wsi && (w->closing_code != 0 || w->close_code != 0))
		wait_for_end(t, w);
	websocket_abort(w);
}

void websocket_abort(struct websocket *w)
{
	struct buf rest = BUF_INIT;

	if (!w)
		return;
	websocket_abandon(w);
	while (take_message(w, &rest))
		;
	buf_clear(&rest);
	list_each(&w->packets, it, tmp)
		free(list_entry(it, struct websocket_packet, link));
	buf_clear(&w->joining);
	free(w->close_reason);
	buf_clear(&w->key);
	free(w->headers);
	free(w->name);
	free(w);
}

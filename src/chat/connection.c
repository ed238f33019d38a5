#include "chat/connection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/backoff.h"
#include "net/http/http.h"

#define WATCH_MS       25000
#define ANSWER_MS      60000
#define CONNECT_MS     5000
#define RETRY_FIRST_MS 100
#define RETRY_LAST_MS  2000

void chat_connection_init(struct chat_connection *l, const char *socket, const char *chat, const char *user)
{
	uint64_t number;

	*l = (struct chat_connection){.socket = socket, .chat = chat, .user = user};
	clock_random(&number, sizeof(number));
	snprintf(l->terminal, sizeof(l->terminal), "%016" PRIx64, number);
}

void chat_connection_clear(struct chat_connection *l)
{
	free(l->next);
	l->next = NULL;
}

uint64_t chat_connection_number(struct chat_connection *l)
{
	return ++l->message_count;
}

uint64_t chat_connection_number_of(const struct chat_connection *l, const char *id)
{
	size_t len = strlen(l->terminal);

	if (!id || strncmp(id, l->terminal, len) != 0 || id[len] != '-')
		return 0;
	return strtoull(id + len + 1, NULL, 10);
}

/* Returns the answer, which the caller frees; NULL with err: ERROR_REFUSED and ERROR_OURS are final. */
static struct json_object *ask(struct task *t, const struct chat_connection *l, const char *path,
    const struct buf *body, struct error *err)
{
	static const struct http_header json = {"Content-Type", "application/json"};
	char *url = xasprintf("http://localhost%s", path);
	struct http_request req = {.method = body ? "POST" : "GET",
	    .url = url,
	    .label = "the gateway",
	    .unix_socket = l->socket,
	    .headers = &json,
	    .header_count = body ? 1 : 0,
	    .body = body ? body->data : NULL,
	    .body_len = body ? body->len : 0,
	    .connect_ms = CONNECT_MS,
	    .idle_ms = ANSWER_MS};
	struct http_response res = {0};
	struct json_object *o = NULL;

	if (http_perform(t, &req, &res, err) == 0) {
		o = json_parse_object(res.body.data, res.body.len, err);
		const char *why = json_get_str(o, "error");
		if (o && res.status != 200) {
			error_set(err, res.status < 500 ? ERROR_REFUSED : ERROR_NETWORK, "%s",
			    why ? why : "the gateway gave no reason");
			json_object_put(o);
			o = NULL;
		}
	}
	http_response_clear(&res);
	free(url);
	return o;
}

static void take_event(struct chat_connection *l, struct json_object *e)
{
	const struct chat_handler *h = &l->handler;
	const char *kind = json_get_str(e, "kind"), *text = json_get_str(e, "text"),
		   *terminal = json_get_str(e, "terminal");
	int64_t row = json_get_int(e, "row", 0);
	bool repeat = json_get_bool(e, "repeat", false);

	if (!kind || !text)
		return;
	if (strcmp(kind, "said") == 0) {
		if (h->user_message && !(terminal && strcmp(terminal, l->terminal) == 0))
			h->user_message(h->arg,
			    &(struct chat_user_message){.text = text, .user = json_get_str(e, "user")});
		return;
	}
	if (repeat && row <= l->row)
		return;
	l->row = row > l->row ? row : l->row;
	if (h->message)
		h->message(h->arg,
		    &(struct chat_message){.text = text,
			.reply_to = json_get_str(e, "reply_to"),
			.about = json_get_str(e, "about"),
			.repeat = repeat});
}

static void take_news(struct chat_connection *l, struct json_object *news)
{
	struct json_object *events = json_get_array(news, "events"),
			   *preview = json_get_object(news, "preview");
	const char *next = json_get_str(news, "next");

	for (size_t i = 0; events && i < json_object_array_length(events); i++)
		take_event(l, json_object_array_get_idx(events, i));
	if (l->handler.live)
		l->handler.live(l->handler.arg, json_get_bool(news, "typing", false),
		    json_get_str(preview, "text"), json_get_str(preview, "reply_to"));
	free(l->next);
	l->next = xstrdup(next);
}

static int watch_once(struct task *t, struct chat_connection *l, unsigned wait_ms, struct error *err)
{
	struct buf path = BUF_INIT;

	buf_addstr(&path, "/v1/console/events?chat=");
	http_url_encode(&path, l->chat, strlen(l->chat));
	buf_addf(&path, "&wait=%u", wait_ms);
	if (l->next)
		buf_addf(&path, "&after=%s", l->next);
	struct json_object *news = ask(t, l, path.data, NULL, err);
	buf_clear(&path);
	if (!news)
		return -1;
	take_news(l, news);
	json_object_put(news);
	return 0;
}

int chat_connection_confirm(struct task *t, struct chat_connection *l, struct error *err)
{
	return watch_once(t, l, 0, err);
}

static void tell_connection(struct chat_connection *l, bool connected, const char *why)
{
	bool news = connected ? l->lost : !l->lost;

	l->lost = !connected;
	if (news && l->handler.connection)
		l->handler.connection(l->handler.arg, connected, why);
}

void chat_connection_watch(struct task *t, struct chat_connection *l)
{
	struct backoff wait = {.base_ms = RETRY_FIRST_MS, .max_ms = RETRY_LAST_MS};
	struct error err = {0};

	while (task_check(t, NULL) == 0) {
		if (watch_once(t, l, WATCH_MS, &err) == 0) {
			tell_connection(l, true, NULL);
			backoff_reset(&wait);
			continue;
		}
		if (task_check(t, NULL) < 0)
			return;
		tell_connection(l, false, err.text);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			return;
	}
}

static void add_words(const struct chat_connection *l, uint64_t number, const char *text, struct buf *out)
{
	struct json_object *o = json_object_new_object();
	char *id = xasprintf("%s-%" PRIu64, l->terminal, number);

	json_set_str(o, "chat", l->chat);
	json_set_str(o, "text", text);
	json_set_str(o, "id", id);
	json_set_str(o, "user", l->user);
	json_set_str(o, "terminal", l->terminal);
	json_write(out, o);
	json_object_put(o);
	free(id);
}

int chat_connection_say(
    struct task *t, struct chat_connection *l, uint64_t number, const char *text, struct error *err)
{
	struct backoff wait = {.base_ms = RETRY_FIRST_MS, .max_ms = RETRY_LAST_MS};
	struct buf words = BUF_INIT;
	struct json_object *answer;

	add_words(l, number, text, &words);
	/* The gateway accepts an id only once, so a retry is safe. */
	while (!(answer = ask(t, l, "/v1/console/say", &words, err)) && err->kind == ERROR_NETWORK)
		if (task_sleep(t, backoff_next(&wait), err) < 0)
			break;
	int rc = answer ? 0 : -1;
	json_object_put(answer);
	buf_clear(&words);
	return rc;
}

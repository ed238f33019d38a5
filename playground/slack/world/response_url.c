#include "playground/slack/world/response_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/slack/world/app.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/socket/envelope.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/message.h"

#define USES_MAX 5
#define GOOD_MS  (30 * 60 * 1000)

struct slk_response_url *slk_response_url_new(
    struct slk_app *a, struct slk_conv *c, const struct slk_user *u, int64_t message, int64_t thread)
{
	struct slk_response_url *h = xcalloc(1, sizeof(*h));
	unsigned char r[16];

	clock_random(r, sizeof(r));
	for (size_t i = 0; i < sizeof(r); i++)
		snprintf(h->secret + 2 * i, 3, "%02x", r[i]);
	h->app = a;
	h->conv = c;
	str_copy(h->user, sizeof(h->user), u->id);
	h->message = message;
	h->thread = thread;
	h->until_ms = clock_now() + GOOD_MS;
	list_append(&a->world->hooks, &h->link);
	return h;
}

void slk_response_url_free(struct slk_response_url *h)
{
	slk_envelopes_forget_response_url(h->app, h);
	list_remove(&h->link);
	free(h);
}

/* Reads the answer's contents, which the caller clears. Returns false when there are none. */
static bool read_content(struct json_object *in, struct slk_content *content)
{
	const char *text = json_get_str(in, "text");

	*content = (struct slk_content){.blocks = json_get_array(in, "blocks")};
	content->text = xstrdup(text);
	return (text && text[0] != '\0') || content->blocks;
}

static const char *add_message(struct slk_response_url *h, struct json_object *in)
{
	const char *type = json_get_str(in, "response_type"), *thread = json_get_str(in, "thread_ts");
	struct slk_content content;
	struct slk_message *m;
	int64_t ts = h->thread;

	if (thread && !slk_read_ts(thread, &ts))
		return "invalid_thread_ts";
	if (!read_content(in, &content)) {
		slk_content_clear(&content);
		return "no_text";
	}
	m = slk_message_add(h->conv, h->app, NULL, ts);
	if (!type || strcmp(type, "in_channel") != 0)
		str_copy(m->ephemeral, sizeof(m->ephemeral), h->user);
	slk_content_set(&content, m);
	if (m->ephemeral[0] == '\0')
		slk_event_message(h->conv, m);
	slk_content_clear(&content);
	return NULL;
}

const char *slk_response_url_respond(struct slk_response_url *h, struct json_object *in)
{
	struct slk_message *m = h->message != 0 ? slk_message_find(h->conv, h->message) : NULL;
	struct slk_content content;

	if (json_get_bool(in, "delete_original", false)) {
		if (!m)
			return "message_not_found";
		slk_message_delete(h->conv, m);
		return NULL;
	}
	if (!json_get_bool(in, "replace_original", false))
		return add_message(h, in);
	if (!m)
		return "message_not_found";
	if (read_content(in, &content))
		slk_message_edit(h->conv, m, &content, h->app->user_id);
	slk_content_clear(&content);
	return NULL;
}

static void answer(struct exchange *ex, int status, const char *error)
{
	struct buf out = BUF_INIT;

	if (error) {
		exchange_problem(ex, "%s", error);
		buf_addf(&out, "{\"ok\":false,\"error\":\"%s\"}", error);
	} else {
		buf_addstr(&out, "ok");
	}
	exchange_answer(ex, status, error ? "application/json; charset=utf-8" : "text/html", NULL, &out);
	buf_clear(&out);
}

static struct slk_response_url *find(struct slk_world *w, const char *path)
{
	const char *secret = strrchr(path, '/');

	list_each(&w->hooks, it, tmp) {
		struct slk_response_url *h = list_entry(it, struct slk_response_url, link);

		if (secret && strcmp(h->secret, secret + 1) == 0)
			return h;
	}
	return NULL;
}

void slk_response_url_serve(struct slk_world *w, struct exchange *ex, const char *path)
{
	struct slk_response_url *h = find(w, path);
	struct json_object *in;
	const char *body, *error;
	size_t len;

	body = server_body(ex->req, &len);
	if (!h || h->until_ms <= clock_now() || h->uses >= USES_MAX) {
		answer(ex, 404, !h ? "no_service" : h->uses >= USES_MAX ? "used_url" : "expired_url");
		return;
	}
	in = json_parse_object(body, len, NULL);
	if (!in) {
		answer(ex, 400, "invalid_payload");
		return;
	}
	exchange_set_body(ex, body, len, true);
	h->uses++;
	error = slk_response_url_respond(h, in);
	answer(ex, error ? 400 : 200, error);
	json_object_put(in);
}

#include <stdlib.h>
#include <string.h>

#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/world/world_internal.h"

#define USES_MAX 5
#define GOOD_MS  (30 * 60 * 1000)

struct slk_response_url *slk_response_url_new(
    struct slk_app *a, struct slk_conv *c, const struct slk_user *u, int64_t message, int64_t thread)
{
	struct slk_response_url *h = xcalloc(1, sizeof(*h));

	clock_random_hex(h->secret, 16);
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
	list_remove(&h->link);
	free(h);
}

void slk_response_url_write(const struct slk_response_url *h, const char *what, struct json_object *o)
{
	char *url = xasprintf("%shooks/%s/" SLK_TEAM "/%s", h->app->world->base, what, h->secret);

	json_set_str(o, "response_url", url);
	free(url);
}

/* Reads the answer's contents; the caller frees content->text. Returns the error. */
static const char *read_content(struct json_object *in, struct slk_content *content)
{
	const char *text = json_get_str(in, "text"), *error = NULL;
	struct buf why = BUF_INIT;

	*content = (struct slk_content){
	    .blocks = json_get_array(in, "blocks"), .attachments = json_get_array(in, "attachments")};
	if (content->blocks)
		error = slk_blocks_judge(content->blocks, &why);
	else if (!content->attachments && (!text || text[0] == '\0'))
		error = "no_text";
	if (!error)
		content->text = xstrdup(text);
	buf_clear(&why);
	return error;
}

static const char *add_message(struct slk_response_url *h, struct json_object *in)
{
	const char *type = json_get_str(in, "response_type"), *thread = json_get_str(in, "thread_ts"), *error;
	struct slk_content content;
	struct slk_message *m;
	int64_t ts = h->thread;

	if (thread && !slk_read_ts(thread, &ts))
		return "invalid_thread_ts";
	error = read_content(in, &content);
	if (error)
		return error;
	m = slk_message_add(h->conv, h->app, NULL, ts);
	if (!type || strcmp(type, "in_channel") != 0)
		str_copy(m->ephemeral, sizeof(m->ephemeral), h->user);
	slk_content_set(&content, m);
	if (m->ephemeral[0] == '\0')
		slk_event_message(h->conv, m);
	slk_content_clear(&content);
	return NULL;
}

/* The message is replaced as a whole: what the response does not have goes. */
static const char *replace(struct slk_response_url *h, struct slk_message *m, struct json_object *in)
{
	struct json_object *nothing = json_object_new_array();
	struct slk_content content;
	const char *error = read_content(in, &content);

	if (!content.blocks)
		content.blocks = nothing;
	if (!content.attachments)
		content.attachments = nothing;
	if (!error && !content.text)
		content.text = xstrdup("");
	if (!error)
		slk_message_edit(h->conv, m, &content, h->app->user_id);
	slk_content_clear(&content);
	json_object_put(nothing);
	return error;
}

/* The message of the interaction, if it is still there: also one that only its reader sees. */
static struct slk_message *original(const struct slk_response_url *h)
{
	for (size_t i = h->conv->count; h->message != 0 && i-- > 0;)
		if (h->conv->messages[i]->ts == h->message)
			return h->conv->messages[i]->deleted ? NULL : h->conv->messages[i];
	return NULL;
}

static const char *respond(struct slk_response_url *h, struct json_object *in)
{
	bool remove = json_get_bool(in, "delete_original", false);
	struct slk_message *m = original(h);

	if (!remove && !json_get_bool(in, "replace_original", false))
		return add_message(h, in);
	if (!m || m->app != h->app)
		return "message_not_found";
	if (!remove)
		return replace(h, m, in);
	slk_message_delete(h->conv, m);
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

static struct slk_response_url *find(struct slk_world *w, const char *secret)
{
	list_each_entry(&w->hooks, struct slk_response_url, h, link)
		if (strcmp(h->secret, secret) == 0)
			return h;
	return NULL;
}

char *slk_response_url_answer(
    struct slk_app *a, const char *key, enum slk_outcome outcome, struct json_object *answer)
{
	struct slk_response_url *h = find(a->world, key);
	const char *error;

	if (!h || outcome != SLK_ACKNOWLEDGED || !answer)
		return NULL;
	error = respond(h, answer);
	return error ? xasprintf("the response payload was refused: %s", error) : NULL;
}

void slk_response_url_serve(struct slk_world *w, struct exchange *ex, const char *path)
{
	const char *secret = strrchr(path, '/');
	struct slk_response_url *h = find(w, secret ? secret + 1 : "");
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
	error = respond(h, in);
	answer(ex, error ? 400 : 200, error);
	json_object_put(in);
}

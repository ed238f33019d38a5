#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/socket/event.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/app.h"

static const char *const type_names[] = {
    [SLK_EVENTS_API] = "events_api",
    [SLK_SLASH_COMMANDS] = "slash_commands",
    [SLK_INTERACTIVE] = "interactive",
};

void slk_envelopes_unanswered(void *self, platform_unanswered_fn *add, void *arg)
{
	struct slk_world *w = self;

	for (size_t i = 0; i < ARRAY_LEN(w->unacknowledged); i++)
		add(arg, type_names[i], w->unacknowledged[i]);
}

static void new_envelope_id(char out[37])
{
	unsigned char r[16];

	clock_random(r, sizeof(r));
	snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-4%01x%02x-a%01x%02x-%02x%02x%02x%02x%02x%02x", r[0],
	    r[1], r[2], r[3], r[4], r[5], r[6] & 15u, r[7], r[8] & 15u, r[9], r[10], r[11], r[12], r[13],
	    r[14], r[15]);
}

static void drop(struct slk_envelope *e)
{
	slk_request_url_forget(e, false);
	world_timer_stop(&e->timer);
	list_remove(&e->link);
	json_object_put(e->payload);
	free(e->key);
	free(e);
}

static void write_envelope(const struct slk_envelope *e, struct buf *out)
{
	struct json_object *o =
	    json_newf("{envelope_id: %s, payload: %p, type: %s, accepts_response_payload: %i}", e->id,
		json_object_get(e->payload), type_names[e->type], e->answer != NULL);

	if (e->type == SLK_EVENTS_API) {
		json_set_int(o, "retry_attempt", e->attempt);
		json_set_str(o, "retry_reason", e->reason);
	}
	strict_judge_object(&e->app->world->pg->strict, "slack", "envelope", o);
	json_write(out, o);
	json_object_put(o);
}

static void attempt(struct slk_envelope *e);

static void on_retry(struct clock_timer *timer, void *arg)
{
	(void)timer;
	attempt(arg);
}

/* The attempt failed: schedules the next one, or gives up. */
static void fail(struct slk_envelope *e, const char *reason, bool again)
{
	world_timer_stop(&e->timer);
	slk_request_url_forget(e, true);
	e->socket = NULL;
	e->reason = reason;
	if (e->type == SLK_EVENTS_API && again && e->attempt < SLK_RETRIES) {
		world_timer_start(
		    &e->timer, (uint64_t)e->app->world->set.retry_ms[e->attempt++], on_retry, e);
		return;
	}
	if (e->answer)
		free(e->answer(e->app, e->key, SLK_TIMED_OUT, NULL));
	playground_changed(e->app->world->pg);
	drop(e);
}

static void on_silence(struct clock_timer *timer, void *arg)
{
	struct slk_envelope *e = arg;

	(void)timer;
	e->app->world->unacknowledged[e->type]++;
	fail(e, e->delivery ? "http_timeout" : "timeout", true);
}

/* Each attempt has a new envelope id; the event in it keeps its own. While the request URL is being verified,
 * it waits. */
static void attempt(struct slk_envelope *e)
{
	bool by_url = slk_request_url_serves(e->app);
	struct buf text = BUF_INIT;

	if (by_url && slk_request_url_waits(e->app->world))
		return;
	new_envelope_id(e->id);
	e->socket = by_url ? NULL : slk_socket_choose(e->app);
	e->sent_us = clock_wall_us();
	if (by_url)
		slk_request_url_post(e);
	if (!e->socket && !e->delivery) {
		fail(e, "connection_failed", true);
		return;
	}
	if (world_is_passing())
		clock_timer_start(&e->timer.timer, (uint64_t)e->app->world->set.ack_ms, on_silence, e);
	else
		world_timer_start(&e->timer, (uint64_t)e->app->world->set.ack_ms, on_silence, e);
	if (!e->socket)
		return;
	write_envelope(e, &text);
	slk_socket_post(e->socket, text.data, text.len, true);
	buf_clear(&text);
}

/* "interactive.view_closed" is the table's name of such an interaction; without more, "interactive" is
 * block_actions. */
static void judge_payload(struct strict *s, enum slk_envelope_type type, struct json_object *payload)
{
	struct json_object *event = json_get_object(payload, "event");
	const char *kind = json_get_str(payload, "type");
	bool other = type == SLK_INTERACTIVE && strcmp(kind, "block_actions") != 0;
	char name[80];

	snprintf(name, sizeof(name), "%s%s%s", type_names[type], other ? "." : "", other ? kind : "");
	strict_judge_object(s, "slack", name, payload);
	if (!event)
		return;
	slk_event_name(event, name, sizeof(name));
	strict_judge_object(s, "slack", name, event);
}

static struct slk_envelope *make(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload)
{
	struct slk_envelope *e = xcalloc(1, sizeof(*e));

	if (a->world->pg->strict.on)
		judge_payload(&a->world->pg->strict, type, payload);
	e->app = a;
	e->type = type;
	e->payload = payload;
	e->reason = "";
	list_append(&a->envelopes, &e->link);
	return e;
}

void slk_envelope_send(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload)
{
	attempt(make(a, type, payload));
}

bool slk_envelope_ask(struct slk_app *a, const struct slk_ask *ask)
{
	struct slk_envelope *e;

	if (!slk_request_url_serves(a) && !slk_socket_choose(a)) {
		json_object_put(ask->payload);
		return false;
	}
	e = make(a, ask->type, ask->payload);
	e->answer = ask->answer;
	e->key = xstrdup(ask->key);
	attempt(e);
	return true;
}

static struct slk_envelope *find(struct slk_app *a, const char *id)
{
	list_each_entry(&a->envelopes, struct slk_envelope, e, link)
		if (e->socket && strcmp(e->id, id) == 0)
			return e;
	return NULL;
}

/* An empty answer of clients that always send one is none. */
static char *take_answer(struct slk_envelope *e, struct json_object *answer)
{
	bool empty = !answer ||
	    (json_object_is_type(answer, json_type_object) && json_object_object_length(answer) == 0);
	char *problem;

	if (!e->answer)
		return empty ? NULL : xasprintf("the envelope %s does not accept a response payload", e->id);
	problem = e->answer(e->app, e->key, SLK_ACKNOWLEDGED, empty ? NULL : answer);
	playground_changed(e->app->world->pg);
	return problem;
}

char *slk_envelope_delivered(struct slk_envelope *e, const char *error, struct json_object *body, bool again)
{
	char *problem = NULL;

	if (error) {
		fail(e, error, again);
		return NULL;
	}
	/* The bodies of other answers are not read. */
	if (e->answer)
		problem = take_answer(e, body);
	drop(e);
	return problem;
}

char *slk_envelope_acknowledge(struct slk_socket *s, const char *text, size_t len, int64_t *sent_us)
{
	struct error err = {0};
	struct json_object *o = json_parse_object(text, len, &err);
	const char *id = json_get_str(o, "envelope_id");
	struct slk_envelope *e = id ? find(slk_socket_app(s), id) : NULL;
	char *problem = NULL;

	if (!o)
		problem = xasprintf("what is sent must be a JSON object: %s", err.text);
	else if (!id)
		problem = xasprintf("an acknowledgement has an envelope_id");
	else if (!e)
		problem = xasprintf("no envelope %.40s waits to be acknowledged", id);
	else if (e->socket != s)
		problem = xasprintf("the envelope %s went to another connection", id);
	else
		problem = take_answer(e, json_get(o, "payload"));
	if (e && e->socket == s) {
		*sent_us = e->sent_us;
		drop(e);
	}
	json_object_put(o);
	return problem;
}

void slk_envelopes_retry(struct slk_app *a)
{
	list_each_entry(&a->envelopes, struct slk_envelope, e, link)
		if (!e->socket && !e->delivery)
			attempt(e);
}

void slk_envelopes_lost(struct slk_app *a, const struct slk_socket *s)
{
	list_each_entry(&a->envelopes, struct slk_envelope, e, link)
		if (e->socket == s)
			fail(e, "timeout", true);
}

size_t slk_envelope_count(const struct slk_app *a)
{
	size_t n = 0;

	for (const struct list *it = a->envelopes.next; it != &a->envelopes; it = it->next)
		n++;
	return n;
}

void slk_envelopes_clear(struct slk_app *a)
{
	list_each_entry(&a->envelopes, struct slk_envelope, entry, link)
		drop(entry);
}

/* Returns NULL for what a state does not keep. An envelope that is on its way has failed when the state is
 * loaded: its connection ends with the playground. */
static struct json_object *save_envelope(const struct slk_envelope *e)
{
	int64_t now_ms = clock_wall(), wait_ms = (int64_t)(e->timer.due - clock_now());
	bool away = e->socket || e->delivery;
	int attempt = e->attempt;

	if (e->type != SLK_EVENTS_API || (away && attempt >= SLK_RETRIES))
		return NULL;
	if (away)
		wait_ms = e->app->world->set.retry_ms[attempt++];
	return json_newf("{payload: %p, attempt: %d, reason: %s, due_ms: %jd}", json_object_get(e->payload),
	    attempt, away ? "timeout" : e->reason, now_ms + wait_ms);
}

struct json_object *slk_envelopes_save(const struct slk_app *a)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&a->envelopes, struct slk_envelope, entry, link) {
		struct json_object *o = save_envelope(entry);

		if (o)
			json_object_array_add(array, o);
	}
	return array;
}

/* Returns the saved reason for a repetition as a literal. */
static const char *reason_of(const char *saved)
{
	static const char *const reasons[] = {
	    "connection_failed", "http_error", "http_timeout", "timeout", "too_many_redirects"};

	for (size_t i = 0; saved && i < ARRAY_LEN(reasons); i++)
		if (strcmp(reasons[i], saved) == 0)
			return reasons[i];
	return reasons[0];
}

void slk_envelopes_load(struct slk_app *a, struct json_object *saved)
{
	json_each(saved, o) {
		struct json_object *payload = json_get_object(o, "payload");
		int64_t wait_ms = json_get_int(o, "due_ms", 0) - clock_wall();
		int64_t attempt = json_get_int(o, "attempt", 1);
		struct slk_envelope *e;

		if (!payload)
			continue;
		e = make(a, SLK_EVENTS_API, json_object_get(payload));
		e->attempt = attempt < 0 || attempt > SLK_RETRIES ? SLK_RETRIES : (int)attempt;
		e->reason = reason_of(json_get_str(o, "reason"));
		world_timer_start(&e->timer, wait_ms > 0 ? (uint64_t)wait_ms : 0, on_retry, e);
	}
}

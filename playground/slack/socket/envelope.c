#include "playground/slack/socket/envelope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/playground.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/response_url.h"
#include "playground/slack/socket/socket.h"

static const char *const type_names[] = {
    [SLK_EVENTS_API] = "events_api",
    [SLK_SLASH_COMMANDS] = "slash_commands",
    [SLK_INTERACTIVE] = "interactive",
};

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
	clock_timer_stop(&e->timer);
	list_remove(&e->link);
	json_object_put(e->payload);
	free(e);
}

static void write_envelope(const struct slk_envelope *e, struct buf *out)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "envelope_id", e->id);
	json_set(o, "payload", json_object_get(e->payload));
	json_set_str(o, "type", type_names[e->type]);
	json_set_bool(o, "accepts_response_payload", e->type == SLK_SLASH_COMMANDS);
	if (e->type == SLK_EVENTS_API) {
		json_set_int(o, "retry_attempt", e->attempt);
		json_set_str(o, "retry_reason", e->reason);
	}
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
static void fail(struct slk_envelope *e, const char *reason)
{
	clock_timer_stop(&e->timer);
	e->socket = NULL;
	e->reason = reason;
	if (e->type != SLK_EVENTS_API || e->attempt >= SLK_RETRIES) {
		drop(e);
		return;
	}
	clock_timer_start(&e->timer, (uint64_t)e->app->world->set.retry_ms[e->attempt++], on_retry, e);
}

static void on_silence(struct clock_timer *timer, void *arg)
{
	(void)timer;
	fail(arg, "timeout");
}

/* Each attempt has a new envelope id; the event in it keeps its own. */
static void attempt(struct slk_envelope *e)
{
	struct buf text = BUF_INIT;

	new_envelope_id(e->id);
	e->socket = slk_socket_choose(e->app);
	if (!e->socket) {
		fail(e, "connection_failed");
		return;
	}
	write_envelope(e, &text);
	e->sent_us = clock_wall_us();
	clock_timer_start(&e->timer, (uint64_t)e->app->world->set.ack_ms, on_silence, e);
	slk_socket_post(e->socket, &text);
	buf_clear(&text);
}

/* "event.message.message_changed" is the table's name of such an event. */
static void judge_payload(struct strict *s, enum slk_envelope_type type, struct json_object *payload)
{
	struct json_object *event = json_get_object(payload, "event");
	const char *subtype = json_get_str(event, "subtype");
	char name[80];

	strict_judge_object(s, "slack", type_names[type], payload);
	snprintf(name, sizeof(name), "event.%s%s%s", json_get_str(event, "type"), subtype ? "." : "",
	    subtype ? subtype : "");
	if (event)
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

bool slk_envelope_ask(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload,
    struct slk_response_url *hook)
{
	struct slk_envelope *e;

	if (!slk_socket_choose(a)) {
		json_object_put(payload);
		return false;
	}
	e = make(a, type, payload);
	e->hook = hook;
	attempt(e);
	return true;
}

static struct slk_envelope *find(struct slk_app *a, const char *id)
{
	list_each(&a->envelopes, it, tmp) {
		struct slk_envelope *e = list_entry(it, struct slk_envelope, link);

		if (e->socket && strcmp(e->id, id) == 0)
			return e;
	}
	return NULL;
}

/* Only a slash command accepts an answer; an empty one from clients that always send one is ignored. */
static char *take_answer(struct slk_envelope *e, struct json_object *answer)
{
	const char *problem;

	if (!answer || json_object_object_length(answer) == 0)
		return NULL;
	if (e->type != SLK_SLASH_COMMANDS || !e->hook)
		return xasprintf("the envelope %s does not accept a response payload", e->id);
	problem = slk_response_url_respond(e->hook, answer);
	playground_changed(e->app->world->pg);
	return problem ? xasprintf("the response payload was refused: %s", problem) : NULL;
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
		problem = take_answer(e, json_get_object(o, "payload"));
	if (e && e->socket == s) {
		*sent_us = e->sent_us;
		drop(e);
	}
	json_object_put(o);
	return problem;
}

void slk_envelopes_retry(struct slk_app *a)
{
	list_each(&a->envelopes, it, tmp) {
		struct slk_envelope *e = list_entry(it, struct slk_envelope, link);

		if (!e->socket)
			attempt(e);
	}
}

void slk_envelopes_lost(struct slk_app *a, const struct slk_socket *s)
{
	list_each(&a->envelopes, it, tmp) {
		struct slk_envelope *e = list_entry(it, struct slk_envelope, link);

		if (e->socket == s)
			fail(e, "timeout");
	}
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
	list_each(&a->envelopes, it, tmp)
		drop(list_entry(it, struct slk_envelope, link));
}

/* One that is on its way, or was to be, fails: its connection ends with the playground. */
static struct json_object *save_envelope(const struct slk_envelope *e)
{
	int64_t now_ms = clock_wall(), wait_ms = (int64_t)(e->timer.due - clock_now());
	struct json_object *o;
	int attempt = e->attempt;

	if (e->type != SLK_EVENTS_API || (e->socket && attempt >= SLK_RETRIES))
		return NULL;
	if (e->socket)
		wait_ms = e->app->world->set.retry_ms[attempt++];
	o = json_object_new_object();
	json_set(o, "payload", json_object_get(e->payload));
	json_set_int(o, "attempt", attempt);
	json_set_str(o, "reason", e->socket ? "timeout" : e->reason);
	json_set_int(o, "due_ms", now_ms + wait_ms);
	return o;
}

struct json_object *slk_envelopes_save(const struct slk_app *a)
{
	struct json_object *array = json_object_new_array();

	for (const struct list *it = a->envelopes.next; it != &a->envelopes; it = it->next) {
		struct json_object *o = save_envelope(list_entry(it, struct slk_envelope, link));

		if (o)
			json_object_array_add(array, o);
	}
	return array;
}

void slk_envelopes_load(struct slk_app *a, struct json_object *saved)
{
	for (size_t i = 0; saved && i < json_object_array_length(saved); i++) {
		struct json_object *o = json_object_array_get_idx(saved, i),
				   *payload = json_get_object(o, "payload");
		int64_t wait_ms = json_get_int(o, "due_ms", 0) - clock_wall();
		const char *reason = json_get_str(o, "reason");
		struct slk_envelope *e;

		if (!payload)
			continue;
		e = make(a, SLK_EVENTS_API, json_object_get(payload));
		e->attempt = (int)json_get_int(o, "attempt", 1);
		e->reason = reason && strcmp(reason, "timeout") == 0 ? "timeout" : "connection_failed";
		clock_timer_start(&e->timer, wait_ms > 0 ? (uint64_t)wait_ms : 0, on_retry, e);
	}
}

void slk_envelopes_forget_response_url(struct slk_app *a, const struct slk_response_url *hook)
{
	list_each(&a->envelopes, it, tmp) {
		struct slk_envelope *e = list_entry(it, struct slk_envelope, link);

		if (e->hook == hook)
			e->hook = NULL;
	}
}

#include "channels/slack/slack_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/flat.h"
#include "base/json/json.h"
#include "base/json/tree.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/channel.h"
#include "channels/slack/event.h"
#include "channels/slack/socket.h"
#include "channels/slack/text.h"
#include "net/websocket/websocket.h"

/* Larger envelopes skip the flat parser. */
#define MESSAGE_BYTES (64 * 1024)

struct envelope {
	struct json_object *o;
	bool echo; /* only its id was read */
};

struct batch {
	struct envelope *envelopes;
	struct json_flat flat; /* of the one that is read */
	struct message **messages;
	size_t count;       /* of envelopes */
	const char *reason; /* of a disconnect, in one of them */
};

static bool is_text(const struct json_flat *f, size_t of, const char *key, const char *text)
{
	return *text != '\0' && json_flat_is(f, json_flat_get(f, of, key), text);
}

/* Is it the event of a message that this app sent, and not of a change of one? */
static bool is_echo(const struct json_flat *f, const struct slack_self *self)
{
	size_t payload = json_flat_get_kind(f, 0, "payload", JSON_FLAT_OBJECT);
	size_t event = payload ? json_flat_get_kind(f, payload, "event", JSON_FLAT_OBJECT) : 0;

	return event && is_text(f, event, "type", "message") && !json_flat_get(f, event, "subtype") &&
	    (is_text(f, event, "user", self->user) || is_text(f, event, "bot_id", self->bot) ||
		is_text(f, event, "app_id", self->app));
}

static struct json_object *read_envelope(
    struct slack *sk, struct batch *b, const struct buf *message, bool *echo)
{
	static const char *const id[] = {"envelope_id", NULL};
	struct json_object *o = NULL;

	if (message->len <= MESSAGE_BYTES && json_flat_read(&b->flat, message->data, message->len)) {
		*echo = is_echo(&b->flat, &sk->self);
		o = json_tree(&b->flat, *echo ? id : NULL);
	}
	if (json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return json_parse_foreign(message->data, message->len, NULL);
}

static void add_envelope(struct slack *sk, struct batch *b, const struct buf *message)
{
	struct envelope *e = &b->envelopes[b->count];

	e->echo = false;
	e->o = read_envelope(sk, b, message, &e->echo);
	if (e->o)
		b->count++;
	else
		log_warn(sk->self.channel, "a message of the socket is not JSON, and was skipped: bytes=%zu",
		    message->len);
}

static void want_name(const char *id, void *sk)
{
	slack_users_fetch(sk, id);
}

/* Remembers the author, for the stream of the answer, and requests unknown names. */
static void note_message(struct slack *sk, struct json_object *payload, const struct message *m)
{
	struct json_object *event = json_get_object(payload, "event");
	const char *text = json_get_str(event, "text"), *team = json_get_str(event, "user_team");
	char key[ADDRESS_TEXT_MAX], asker[80];

	if (!team)
		team = json_get_str(event, "team");
	if (m->kind != MESSAGE_PRESS && m->message_id && !m->sender_is_bot) {
		str_format(key, sizeof(key), "%s:%s", m->from.chat, m->message_id);
		snprintf(asker, sizeof(asker), "%.39s %.39s", m->sender_id, team ? team : sk->self.team);
		slack_recent_map_note(&sk->authors, key, asker);
	}
	if (!m->sender_name && !m->sender_is_bot)
		slack_users_fetch(sk, m->sender_id);
	slack_text_mentions(text ? text : "", want_name, sk);
}

struct message *slack_receive_read(struct slack *sk, const char *type, struct json_object *payload)
{
	const struct slack_event_context context = {
	    .self = &sk->self,
	    .people = &sk->people,
	    .threads = &sk->threads,
	    .thread_replies = sk->settings->thread_replies,
	    .command = sk->settings->command,
	    .stop_reaction = sk->ch->stop_reaction,
	    .menu = sk->ch->menu,
	};
	struct message *m = NULL;
	enum slack_event kind = type ? slack_event_read(type, payload, &context, &m) : SLACK_EVENT_BAD;

	if (kind == SLACK_EVENT_BAD)
		log_warn(sk->self.channel, "skipped a malformed event: type=\"%.40s\"", type ? type : "");
	if (kind != SLACK_EVENT_MESSAGE)
		return NULL;
	if (m->sent_ms == 0)
		m->sent_ms = clock_wall();
	note_message(sk, payload, m);
	if (strcmp(type, "slash_commands") == 0)
		slack_response_url_note(sk, payload);
	return m;
}

/* Makes messages of the envelopes. Returns their number. */
static size_t read_batch(struct slack *sk, struct batch *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct json_object *o = b->envelopes[i].o;
		const char *type = json_get_str(o, "type");
		struct message *m;

		if (b->envelopes[i].echo)
			continue;
		if (type && strcmp(type, "disconnect") == 0) {
			b->reason = json_get_str(o, "reason");
			continue;
		}
		m = slack_receive_read(sk, type, json_get_object(o, "payload"));
		if (m)
			b->messages[count++] = m;
	}
	return count;
}

/* Retries until it succeeds: never acknowledge an event that is not stored. Slack gives up after some
 * attempts. */
static int commit(struct task *t, struct slack *sk, struct batch *b, struct error *err)
{
	struct backoff wait = {.base_ms = sk->limits->retry_ms, .max_ms = sk->limits->retry_max_ms};

	for (;;) {
		size_t count = read_batch(sk, b);

		if (count == 0 || channel_received(t, sk->ch, b->messages, count, NULL, err) == 0)
			return 0;
		if (task_is_cancelled(t))
			return -1;
		log_error(
		    sk->self.channel, "messages cannot be stored, and are not acknowledged: %s", err->text);
		if (task_sleep(t, backoff_after(&wait, err), err) < 0)
			return -1;
	}
}

static void acknowledge(struct task *t, struct slack_socket *l, struct json_object *envelope)
{
	const char *id = json_get_str(envelope, "envelope_id");
	struct buf ack = BUF_INIT;
	struct error err = {0};

	if (!id)
		return;
	buf_addstr(&ack, "{\"envelope_id\":");
	json_quote(&ack, id, strlen(id));
	buf_addch(&ack, '}');
	if (websocket_send(t, l->ws, ack.data, ack.len, &err) < 0)
		log_debug(
		    l->sk->self.channel, "an event was not acknowledged, and comes again: %s", err.text);
	buf_clear(&ack);
}

int slack_receive(struct task *t, struct slack_socket *l, struct buf *message, struct error *err)
{
	struct slack *sk = l->sk;
	size_t most = sk->limits->batch;
	struct batch b = {
	    .envelopes = xcalloc(most, sizeof(*b.envelopes)),
	    .messages = xcalloc(most, sizeof(*b.messages)),
	};
	int rc;

	do
		add_envelope(sk, &b, message);
	while (b.count < most && websocket_receive(t, l->ws, message, 0, NULL) > 0);
	for (size_t i = 0; WRONG("slack-ack-before-commit") && i < b.count; i++)
		acknowledge(t, l, b.envelopes[i].o);
	rc = commit(t, sk, &b, err);
	for (size_t i = 0; rc == 0 && i < b.count; i++)
		acknowledge(t, l, b.envelopes[i].o);
	if (rc == 0 && b.reason)
		slack_socket_disconnect(l, b.reason);
	for (size_t i = 0; i < b.count; i++)
		json_object_put(b.envelopes[i].o);
	json_flat_clear(&b.flat);
	free(b.envelopes);
	free(b.messages);
	return rc;
}

#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/flat.h"
#include "base/json/json.h"
#include "base/json/tree.h"
#include "base/log.h"
#include "base/task.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/discord/cache.h"
#include "channels/discord/dispatch.h"
#include "channels/discord/gateway_payload.h"
#include "channels/discord/interaction.h"
#include "net/websocket/websocket.h"

/* The unreadable frame that the bot skips. After each one before it, the bot resumes, so that Discord sends
 * the frame again. */
#define UNREADABLE_MAX 3
/* A frame with a message has at most 6,000 characters of text; larger frames skip the flat parser. */
#define MESSAGE_BYTES (64 * 1024)
/* READY of a bot in many servers has megabytes, and the trees that it is read into ten times that. */
#define LARGE_BYTES (1 << 20)

struct connection {
	struct discord *d;
	struct discord_shard *s;
	struct websocket *w;
	struct discord_connection_end *end;
	bool ended;
	uint64_t interval_ms;       /* between heartbeats; 0: no HELLO yet */
	uint64_t beat_at, deadline; /* clock_now(); deadline: HELLO, then READY; 0: none */
	uint64_t guilds_at;         /* clock_now() until which the guilds of READY are waited for */
	bool unanswered;            /* the last heartbeat is not acknowledged */
	bool reading_paused;        /* so the acknowledgement may be unread */
	bool resuming;
	int64_t seen; /* seq of the last event that was received */
	bool has_seen;
	struct json_flat flat; /* of the frame */
};

static void finish(struct connection *c, enum discord_next next, uint64_t wait_ms, const char *meaning)
{
	if (c->ended)
		return;
	c->ended = true;
	c->end->next = next;
	c->end->wait_ms = wait_ms;
	c->end->meaning = meaning;
}

/* Ends a closed connection, by its close code if there is one. */
static void finish_closed(struct connection *c)
{
	unsigned code = websocket_close_code(c->w);
	const struct discord_close_code *how = discord_close_code_find(code);

	c->end->code = code;
	if (how->ours)
		log_error(c->d->self.channel,
		    "the gateway closed the connection because of a payload: %s code=%u reason=\"%s\"",
		    how->meaning, code, websocket_close_reason(c->w));
	finish(c, how->next, how->wait_ms, how->meaning);
}

static void send_frame(struct task *t, struct connection *c, struct buf *frame)
{
	struct error err;

	if (websocket_send(t, c->w, frame->data, frame->len, &err) < 0 && !task_is_cancelled(t))
		finish_closed(c);
	buf_clear(frame);
}

static void send_heartbeat(struct task *t, struct connection *c)
{
	struct buf frame = BUF_INIT;

	discord_gateway_payload_heartbeat(&frame, c->seen, c->has_seen);
	send_frame(t, c, &frame);
}

/* Sends the heartbeat that is due, or ends the connection when the last one is unanswered. */
static void beat(struct task *t, struct connection *c)
{
	if (c->unanswered && !c->reading_paused) {
		finish(c, DISCORD_RESUME, 0, "Discord did not answer a heartbeat");
		return;
	}
	c->reading_paused = false;
	c->unanswered = true;
	c->beat_at = clock_now() + c->interval_ms;
	send_heartbeat(t, c);
}

/* READY names the guilds, and each comes as an event of its own, but for those in an outage. */
static void connected(struct connection *c, bool resumed)
{
	struct discord *d = c->d;

	c->deadline = 0;
	c->end->ready = true;
	c->end->ready_ms = clock_now();
	c->s->resumes = c->s->unreadable = 0;
	c->s->online = c->s->guilds_arriving = true;
	c->guilds_at = clock_now() + d->limits->guilds_ms;
	if (resumed)
		discord_gateway_ready(c->s);
}

/* Stores the IDENTIFY before it is sent, so that a crash does not lose the count. */
static int identify(struct task *t, struct connection *c, struct error *err)
{
	struct discord *d = c->d;
	struct buf frame = BUF_INIT;
	unsigned bucket = (unsigned)c->s->turn;
	char *value, name[DISCORD_CURSOR_MAX];
	uint64_t ms;
	int rc;

	/* The turn may have passed to another unit, if it took long to connect. */
	if (discord_gateway_claim_turn(t, d, bucket, &ms, err) < 0)
		return -1;
	if (ms > 0) {
		finish(c, DISCORD_IDENTIFY, ms, "sessions of other shards begin first");
		return 0;
	}
	discord_identify_limit_note(&d->identifies, bucket, clock_wall());
	value = discord_identify_limit_text(&d->identifies);
	discord_identify_limit_cursor(d->ch->unit, name);
	struct journal_cursor cursor = {.account = d->self.account, .name = name, .value = value};
	rc = channel_received(t, d->ch, NULL, 0, &cursor, err);
	free(value);
	if (rc < 0)
		return -1;
	c->s->content = d->content;
	discord_gateway_payload_identify(
	    &frame, d->settings->token, d->content, c->s->id, (unsigned)d->shard_total);
	send_frame(t, c, &frame);
	d->bot.left -= d->bot.left > 0;
	d->identifies.last_ms[bucket] = clock_now();
	discord_gateway_end_turn(c->s);
	/* The interval begins now: the commit before the send may have taken long. */
	return discord_gateway_claim_turn(t, d, bucket, &ms, err);
}

static int on_hello(struct task *t, struct connection *c, struct json_object *data, struct error *err)
{
	struct discord *d = c->d;
	struct discord_gateway_session *session = &c->s->session;
	struct buf frame = BUF_INIT;
	int64_t ms = json_get_int(data, "heartbeat_interval", 0);

	if (c->interval_ms != 0)
		return 0;
	if (ms <= 0) {
		finish(c, DISCORD_RESUME, 0, "Discord sent no heartbeat interval");
		return 0;
	}
	c->interval_ms = (uint64_t)ms;
	c->beat_at = clock_now() + clock_random_below(c->interval_ms);
	c->deadline = clock_now() + d->limits->ready_ms;
	c->resuming = session->id;
	if (!c->resuming)
		return identify(t, c, err);
	c->seen = session->seq;
	c->has_seen = session->has_seq;
	c->s->resumes++;
	discord_gateway_payload_resume(&frame, d->settings->token, session);
	send_frame(t, c, &frame);
	return 0;
}

static void on_invalid_session(struct connection *c, struct json_object *frame)
{
	struct json_object *data = json_get(frame, "d");
	uint64_t base = c->d->limits->invalid_ms, wait_ms = base + clock_random_below(4 * base + 1);

	if (data && json_object_is_type(data, json_type_boolean) && json_object_get_boolean(data))
		finish(c, DISCORD_RESUME, wait_ms, "Discord asked to resume again");
	else
		finish(c, DISCORD_IDENTIFY, wait_ms, "the session is not valid any more");
}

/* Suspends until the journal has committed some events. Heartbeats continue. */
static int wait_for_room(struct task *t, struct connection *c, struct error *err)
{
	const struct discord_limits *limits = c->d->limits;
	struct discord_event_queue *q = &c->s->queue;
	int rc = 0;

	q->reader = t;
	while (rc >= 0 && !c->ended &&
	    (q->count >= limits->queue_events || (q->count > 0 && q->bytes >= limits->queue_bytes))) {
		c->reading_paused = true;
		rc = task_wait_until(t, c->beat_at, err);
		if (rc == 1)
			beat(t, c);
	}
	q->reader = NULL;
	return rc < 0 ? -1 : 0;
}

static int on_dispatch(
    struct task *t, struct connection *c, struct json_object *frame, size_t bytes, struct error *err)
{
	struct json_object *data = json_get_object(frame, "d");
	const char *type = json_get_str(frame, "t");
	int64_t seq = json_get_int(frame, "s", -1);
	bool wanted;

	if (!type || seq < 0)
		return 0;
	if (data && strcmp(type, "INTERACTION_CREATE") == 0)
		discord_interaction_arrived(c->d, data);
	if (wait_for_room(t, c, err) < 0)
		return -1;
	if (!c->has_seen || seq > c->seen)
		c->seen = seq;
	c->has_seen = true;
	if (!c->end->ready && (strcmp(type, "RESUMED") == 0 || strcmp(type, "READY") == 0))
		connected(c, strcmp(type, "RESUMED") == 0);
	else if (!c->end->ready)
		c->deadline = clock_now() + c->d->limits->ready_ms; /* a replay may be long */
	wanted = data && discord_dispatch_wants(type);
	discord_event_queue_add(
	    &c->s->queue, wanted ? type : "", wanted ? json_object_get(data) : NULL, seq, bytes);
	return 0;
}

/* A repeated frame may be readable; one that never is must not block those after it. */
static void on_unreadable(struct connection *c, size_t len)
{
	struct discord *d = c->d;

	if (++c->s->unreadable < UNREADABLE_MAX) {
		finish(c, DISCORD_RESUME, 0, "Discord sent invalid JSON");
		return;
	}
	c->s->unreadable = 0;
	log_error(d->self.channel,
	    "skipped an unreadable event, its content is lost: bytes=%zu after=%" PRId64, len, c->seen);
}

static uint64_t id_at(const struct json_flat *f, size_t item)
{
	char text[24];

	if (item == 0 || f->items[item].kind != JSON_FLAT_STRING || f->items[item].len >= sizeof(text))
		return 0;
	memcpy(text, f->text + f->items[item].start, f->items[item].len);
	text[f->items[item].len] = '\0';
	return discord_id_parse(text);
}

/* The bot's own messages arrive as events, too. In a known channel they tell nothing new. */
static bool is_echo(const struct connection *c)
{
	const struct json_flat *f = &c->flat;
	size_t type = json_flat_get(f, 0, "t"), data = json_flat_get_kind(f, 0, "d", JSON_FLAT_OBJECT);
	size_t author = data ? json_flat_get_kind(f, data, "author", JSON_FLAT_OBJECT) : 0;

	return author && json_flat_is(f, type, "MESSAGE_CREATE") &&
	    id_at(f, json_flat_get(f, author, "id")) == c->d->self.user &&
	    discord_cache_channel(&c->d->cache, id_at(f, json_flat_get(f, data, "channel_id")));
}

/* Of an echo reads only op, type and sequence number. */
static struct json_object *read_frame(struct connection *c, const struct buf *message)
{
	static const char *const place[] = {"op", "t", "s", NULL};
	struct json_object *frame = NULL;

	if (message->len <= MESSAGE_BYTES && json_flat_read(&c->flat, message->data, message->len))
		frame = json_tree(&c->flat, is_echo(c) ? place : NULL);
	if (json_object_is_type(frame, json_type_object))
		return frame;
	json_object_put(frame);
	return json_parse_object(message->data, message->len, NULL);
}

static int on_frame(struct task *t, struct connection *c, const struct buf *message, struct error *err)
{
	struct json_object *frame = read_frame(c, message);
	int rc = 0;

	if (!frame) {
		on_unreadable(c, message->len);
		return 0;
	}
	switch (json_get_int(frame, "op", -1)) {
	case DISCORD_OP_DISPATCH:
		rc = on_dispatch(t, c, frame, message->len, err);
		break;
	case DISCORD_OP_HEARTBEAT:
		send_heartbeat(t, c);
		break;
	case DISCORD_OP_RECONNECT:
		finish(c, DISCORD_RESUME, 0, "Discord asked to reconnect");
		break;
	case DISCORD_OP_INVALID_SESSION:
		on_invalid_session(c, frame);
		break;
	case DISCORD_OP_HELLO:
		rc = on_hello(t, c, json_get_object(frame, "d"), err);
		break;
	case DISCORD_OP_ACK:
		c->unanswered = c->reading_paused = false;
		break;
	default:
		break;
	}
	json_object_put(frame);
	return rc;
}

static void on_time(struct task *t, struct connection *c)
{
	if (c->deadline != 0 && clock_now() >= c->deadline)
		finish(c, DISCORD_RESUME, 0,
		    c->interval_ms == 0 ? "Discord sent no HELLO" : "Discord did not send READY");
	else if (c->interval_ms != 0 && clock_now() >= c->beat_at)
		beat(t, c);
	if (c->end->ready && c->s->guilds_arriving && clock_now() >= c->guilds_at)
		discord_gateway_ready(c->s);
}

static uint64_t wait_ms(const struct connection *c)
{
	uint64_t due = c->interval_ms != 0 ? c->beat_at : UINT64_MAX, now = clock_now();

	if (c->deadline != 0 && c->deadline < due)
		due = c->deadline;
	if (c->end->ready && c->s->guilds_arriving && c->guilds_at < due)
		due = c->guilds_at;
	return due > now ? due - now : 0;
}

int discord_gateway_connection_serve(struct task *t, struct discord_shard *s, struct websocket *w,
    struct discord_connection_end *end, struct error *err)
{
	struct discord *d = s->d;
	struct connection c = {
	    .d = d, .s = s, .w = w, .end = end, .deadline = clock_now() + d->limits->hello_ms};
	struct buf message = BUF_INIT;
	int rc = 0;

	*end = (struct discord_connection_end){.next = DISCORD_RESUME};
	while (rc == 0 && !c.ended) {
		int got = websocket_receive(t, w, &message, wait_ms(&c), err);

		if (got == 1)
			rc = on_frame(t, &c, &message, err);
		if (got == 1 && message.len > LARGE_BYTES) {
			d->trim = true;
			buf_clear(&message);
		}
		if (got < 0 && err->kind == ERROR_CANCELLED)
			rc = -1;
		else if (got < 0)
			finish_closed(&c);
		else if (rc == 0)
			on_time(t, &c);
	}
	buf_clear(&message);
	json_flat_clear(&c.flat);
	s->online = false;
	return rc;
}

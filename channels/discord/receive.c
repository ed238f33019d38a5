#include "channels/discord/receive.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/discord/dispatch.h"
#include "channels/discord/greeting.h"
#include "channels/discord/interaction.h"
#include "channels/discord/discord_internal.h"

/* How often a quiet shard stores its sequence number: a restart then replays events that are known
 * already. */
#define SAVE_MS 30000

int discord_receive_commit(struct task *t, struct discord_shard *s, struct message **messages, size_t count,
    int64_t seq, uint64_t mark, struct error *err)
{
	struct discord *d = s->d;
	/* What a RESUME says changes only when this is committed. */
	struct discord_gateway_session then = s->session;
	unsigned generation = s->queue.generation;
	char *value, name[DISCORD_CURSOR_MAX];
	int rc;

	if (seq >= 0)
		discord_gateway_session_commit(&then, seq);
	then.mark = mark > then.mark ? mark : then.mark;
	value = discord_gateway_session_text(&then);
	discord_shard_cursor(s->id, name);
	struct journal_cursor cursor = {.account = d->self.account, .name = name, .value = value};
	if (WRONG("discord-place-first") && count > 0)
		channel_received(t, d->ch, NULL, 0, &cursor, NULL);
	rc = channel_received(t, d->ch, messages, count, &cursor, err);
	free(value);
	if (rc < 0)
		return error_prefix(err, "messages cannot be stored, and stay with Discord");
	s->session.mark = then.mark > s->session.mark ? then.mark : s->session.mark;
	/* Another connection, maybe another session, with another seq. Repeated events are recognised. */
	if (generation == s->queue.generation) {
		if (seq >= 0)
			discord_gateway_session_commit(&s->session, seq);
		s->session.dirty = false;
		s->session.saved_ms = clock_now();
	}
	return 0;
}

static int save_dms(struct task *t, struct discord *d, struct error *err)
{
	char *value = discord_dms_text(&d->dms);
	struct journal_cursor cursor = {.account = d->self.account, .name = "dms", .value = value};
	int rc = channel_received(t, d->ch, NULL, 0, &cursor, err);

	free(value);
	if (rc == 0)
		d->dms.dirty = false;
	return rc;
}

/* The events of one commit. */
struct batch {
	struct message **messages;
	size_t count, items;
	int64_t seq;
	uint64_t mark;
	unsigned generation;
};

static void batch_clear(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++)
		message_free(b->messages[i]);
	free(b->messages);
	b->messages = NULL;
	b->count = 0;
}

/* Reads events into messages, up to one that must begin a batch. */
static int batch_fill(struct task *t, struct discord_shard *s, struct batch *b, struct error *err)
{
	struct discord *d = s->d;
	size_t most = d->limits->batch;

	b->messages = xcalloc(most, sizeof(*b->messages));
	b->generation = s->queue.generation;
	list_each(&s->queue.items, it, tmp) {
		struct discord_queued_event *item = list_entry(it, struct discord_queued_event, link);
		struct discord_event_out out = {.mark = 0};

		if (b->items == most || (b->items > 0 && discord_dispatch_is_first(item->type)))
			break;
		if (discord_dispatch(t, s, item, &out, err) < 0)
			return -1;
		/* The connection ended while the handler suspended: its events are gone, and come again. */
		if (b->generation != s->queue.generation) {
			message_free(out.message);
			return 0;
		}
		if (out.message)
			b->messages[b->count++] = out.message;
		b->mark = out.mark > b->mark ? out.mark : b->mark;
		b->seq = item->seq;
		b->items++;
	}
	return 0;
}

static void answer_interactions(struct discord_shard *s, size_t items)
{
	list_each(&s->queue.items, it, tmp) {
		struct discord_queued_event *item = list_entry(it, struct discord_queued_event, link);

		if (items-- == 0)
			break;
		if (strcmp(item->type, "INTERACTION_CREATE") == 0)
			discord_interaction_begin(s->d, item->data);
	}
}

static int batch_commit(struct task *t, struct discord_shard *shard, struct batch *b, struct error *err)
{
	struct discord_gateway_session *s = &shard->session;
	struct discord *d = shard->d;
	size_t count = b->count;

	/* Store this before the messages, because the session will not send them again afterwards. */
	if (d->dms.dirty && save_dms(t, d, err) < 0)
		return -1;
	if (count == 0 && !s->dirty && clock_now() < s->saved_ms + SAVE_MS) {
		discord_gateway_session_commit(s, b->seq);
		s->mark = b->mark > s->mark ? b->mark : s->mark;
		return 0;
	}
	b->count = 0;
	return discord_receive_commit(t, shard, b->messages, count, b->seq, b->mark, err);
}

/* Tries once to commit the waiting events. */
static int work(struct task *t, struct discord_shard *s, struct error *err)
{
	struct batch b = {.messages = NULL};
	int rc = batch_fill(t, s, &b, err);

	if (rc == 0 && b.items > 0 && b.generation == s->queue.generation) {
		rc = batch_commit(t, s, &b, err);
		/* Where the connection ended during the commit, its events are gone from the queue
		 * already. */
		if (rc == 0 && b.generation == s->queue.generation) {
			answer_interactions(s, b.items);
			discord_event_queue_drop(&s->queue, b.items);
		}
	}
	batch_clear(&b);
	return rc;
}

static int wait_for_more(struct task *t, struct discord_shard *s)
{
	uint64_t due = discord_greeting_due(s->d);

	if (s->pending_count > 0 && s->pending_until < due)
		due = s->pending_until;
	return task_wait_until(t, due, NULL);
}

static void receive_task(struct task *t, void *arg)
{
	struct discord_shard *s = arg;
	struct discord *d = s->d;
	struct backoff wait = {.base_ms = d->limits->retry_ms, .max_ms = d->limits->retry_max_ms};
	struct error err = {0};

	for (;;) {
		if (s->pending_count > 0 && clock_now() >= s->pending_until)
			discord_dispatch_give_up_guilds(s);
		if (list_is_empty(&s->queue.items) && clock_now() < discord_greeting_due(d)) {
			if (wait_for_more(t, s) < 0)
				break;
			continue;
		}
		if (work(t, s, &err) == 0 && discord_greeting_commit(t, d, &err) == 0) {
			backoff_reset(&wait);
			if (d->trim && list_is_empty(&s->queue.items)) {
				d->trim = false;
				malloc_trim(0);
			}
			if (s->stuck && s->online && !s->guilds_arriving)
				discord_gateway_ready(s);
			s->stuck = false;
			continue;
		}
		if (task_is_cancelled(t) || d->refused)
			break;
		s->stuck = true;
		discord_gateway_not_ready(s, "%s; trying again", err.text);
		if (task_sleep(t, backoff_after(&wait, &err), NULL) < 0)
			break;
	}
	s->queue.writer = NULL;
}

void discord_receive_start(struct discord_shard *s)
{
	s->queue.writer = task_start(&s->d->connections, "discord.receive", receive_task, s);
}

void discord_receive_save_session(struct task *t, struct discord_shard *s)
{
	struct error err;

	if (!s->session.id)
		return;
	if (discord_receive_commit(t, s, NULL, 0, -1, 0, &err) < 0)
		log_debug(s->d->self.channel,
		    "cannot store the session position, so a restart replays more: %s", err.text);
}

#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/message.h"
#include "channels/discord/cache.h"
#include "channels/discord/receive.h"
#include "channels/discord/api.h"

#define PAGE  100
#define TRIES 6
/* Messages of two channels may come in another order than their ids. */
#define MARGIN_MS 60000

/* Returns the id before the first message to fetch: none older than the configured time, none from before the
 * bot joined. Messages of that millisecond count. */
static uint64_t begin_of(const struct discord_shard *s, int64_t since_ms)
{
	int64_t gap_ms = discord_id_time(s->session.gap) - MARGIN_MS,
		oldest_ms = clock_wall() - s->d->settings->backfill_ms;

	oldest_ms = since_ms - 1 > oldest_ms ? since_ms - 1 : oldest_ms;
	return discord_id_at(gap_ms > oldest_ms ? gap_ms : oldest_ms);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = discord_id_get(*(struct json_object *const *)a, "id");
	uint64_t y = discord_id_get(*(struct json_object *const *)b, "id");

	return x < y ? -1 : x > y;
}

/* Commits one page, oldest first. *after becomes the id of its newest. */
static int commit_page(struct task *t, struct discord_shard *s, struct json_object *page, uint64_t channel,
    uint64_t *after, struct error *err)
{
	struct discord *d = s->d;
	size_t count = json_object_array_length(page), n = 0;
	struct message **messages = xcalloc(count + 1, sizeof(*messages));
	struct discord_event_context context = {.self = &d->self, .cache = &d->cache};

	json_object_array_sort(page, compare);
	context.channel = discord_cache_channel(&d->cache, channel);
	context.guild = context.channel ? discord_cache_guild(&d->cache, context.channel->guild) : NULL;
	for (size_t i = 0; i < count; i++) {
		struct json_object *o = json_object_array_get_idx(page, i);

		if (discord_event_message(o, &context, &messages[n]) == DISCORD_EVENT_MESSAGE)
			n++;
		*after = discord_id_get(o, "id") > *after ? discord_id_get(o, "id") : *after;
	}
	int rc = discord_receive_commit(t, s, messages, n, -1, 0, err);
	free(messages);
	return rc;
}

/* Returns the number of messages; -1 when a retry may help. */
static int fetch_page(
    struct task *t, struct discord_shard *s, uint64_t channel, uint64_t *after, struct error *err)
{
	struct discord *d = s->d;
	struct discord_outcome outcome;
	char text[24];
	int rc;

	snprintf(text, sizeof(text), "%" PRIu64, channel);
	char *path = xasprintf("/channels/%s/messages?after=%" PRIu64 "&limit=%d", text, *after, PAGE);
	struct json_object *page =
	    discord_api_get(t, d, "/channels/{}/messages", path, text, TRIES, &outcome, err);
	free(path);
	if (page && json_object_is_type(page, json_type_array)) {
		rc = (int)json_object_array_length(page);
		if (rc > 0 && commit_page(t, s, page, channel, after, err) < 0)
			rc = -1;
	} else if (!page && outcome.why.kind == ERROR_REFUSED && !d->refused) {
		/* A channel that the bot may not read has sent no events either. */
		log_debug(
		    d->self.channel, "backfill of a channel failed: %s channel=%s", outcome.why.text, text);
		rc = 0;
	} else {
		rc = -1;
	}
	json_object_put(page);
	return rc;
}

static int fetch_channel(
    struct task *t, struct discord_shard *s, uint64_t channel, uint64_t after, struct error *err)
{
	struct discord *d = s->d;
	size_t total = 0;
	unsigned generation = s->queue.generation;
	int n;

	do {
		n = fetch_page(t, s, channel, &after, err);
		if (n < 0)
			return -1;
		total += (size_t)n;
	} while (n == PAGE && total < d->limits->backfill_messages && generation == s->queue.generation);
	if (n == PAGE && generation == s->queue.generation)
		log_error(d->self.channel,
		    "backfill: a channel has more missed messages than the limit, and the rest is lost: "
		    "limit=%zu channel=%" PRIu64,
		    d->limits->backfill_messages, channel);
	if (total > 0)
		log_info(d->self.channel, "backfill done: messages=%zu channel=%" PRIu64, total, channel);
	return 0;
}

int discord_backfill_channels(
    struct task *t, struct discord_shard *s, struct json_object *list, int64_t since_ms, struct error *err)
{
	struct discord *d = s->d;
	size_t count = list ? json_object_array_length(list) : 0, asked = 0;
	uint64_t begin = begin_of(s, since_ms);

	for (size_t i = 0; i < count; i++) {
		struct json_object *c = json_object_array_get_idx(list, i);

		/* Skips channels without a message since then. */
		if (discord_id_get(c, "last_message_id") <= begin)
			continue;
		if (++asked > d->limits->backfill_channels) {
			log_error(d->self.channel,
			    "backfill: too many channels have new messages, and some may be lost: limit=%zu "
			    "first=%" PRIu64,
			    d->limits->backfill_channels, discord_id_get(c, "id"));
			break;
		}
		if (fetch_channel(t, s, discord_id_get(c, "id"), begin, err) < 0)
			return -1;
	}
	return 0;
}

int discord_backfill_dms(struct task *t, struct discord_shard *s, struct error *err)
{
	struct discord *d = s->d;

	for (size_t i = 0; i < d->dms.count; i++) {
		struct json_object *o;
		char text[24];

		if (!discord_cache_channel(&d->cache, d->dms.ids[i])) {
			snprintf(text, sizeof(text), "%" PRIu64, d->dms.ids[i]);
			o = json_object_new_object();
			json_set_str(o, "id", text);
			json_set_int(o, "type", DISCORD_DM);
			discord_cache_note_channel(&d->cache, o, 0);
			json_object_put(o);
		}
		if (fetch_channel(t, s, d->dms.ids[i], begin_of(s, 0), err) < 0)
			return -1;
	}
	return 0;
}

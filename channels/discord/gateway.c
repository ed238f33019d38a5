#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/discord/discord.h"
#include "channels/discord/gateway_payload.h"
#include "channels/discord/receive.h"
#include "channels/discord/api.h"

/* How long an answer of GET /gateway/bot may serve for the next session. */
#define FRESH_MS 5000
/* "Sharding required". */
#define MORE_SHARDS 4011
/* The status when the day's IDENTIFYs are used up. */
#define TOO_MANY                                                                                            \
	"identified too often in 24 hours: find out in the log why the session does not last, and restart " \
	"tomorrow"

static int ask_now(struct task *t, struct discord *d, struct error *err)
{
	struct json_object *reply = discord_api_get(t, d, "/gateway/bot", "/gateway/bot", NULL, 1, NULL, err);
	struct json_object *limit = json_get_object(reply, "session_start_limit");
	struct discord_gateway_bot *b = &d->bot;
	const char *url = json_get_str(reply, "url");

	if (!reply)
		return -1;
	free(b->url);
	b->url = url ? xstrdup(url) : NULL;
	b->shards = json_get_int(reply, "shards", 1);
	b->left = json_get_int(limit, "remaining", -1);
	b->asked_ms = clock_now();
	b->reset_at = b->asked_ms + (uint64_t)json_get_int(limit, "reset_after", 0);
	b->buckets = discord_identify_limit_buckets(json_get_int(limit, "max_concurrency", 1));
	d->identifies.total = json_get_int(limit, "total", 0);
	json_object_put(reply);
	if (!b->url && !d->settings->gateway_url)
		return error_set(err, ERROR_NETWORK, "%s returned no gateway URL", d->host);
	return 0;
}

/* Makes one request for all shards. fresh: a recent answer will do. */
static int ask(struct task *t, struct discord *d, bool fresh, struct error *err)
{
	int rc = task_semaphore_acquire(t, &d->gateway_bot_lock, 1, err);

	if (rc < 0)
		return -1;
	if (!fresh || d->bot.asked_ms == 0 || clock_now() >= d->bot.asked_ms + FRESH_MS)
		rc = ask_now(t, d, err);
	task_semaphore_release(&d->gateway_bot_lock, 1);
	return rc;
}

/* With a configured URL the answer is not needed. */
static int ask_where(struct task *t, struct discord *d, bool fresh, struct error *err)
{
	if (ask(t, d, fresh, err) == 0)
		return 0;
	return d->settings->gateway_url && !d->refused && task_check(t, NULL) == 0 ? 0 : -1;
}

int discord_gateway_take_turn(struct task *t, struct discord_shard *s, struct error *err)
{
	struct discord *d = s->d;
	unsigned bucket;
	uint64_t ms;

	if (d->bot.asked_ms == 0 && ask_where(t, d, true, err) < 0)
		return -1;
	bucket = d->bot.buckets > 0 ? s->id % d->bot.buckets : 0;
	/* Each of those before it takes five seconds. */
	if (d->turns[bucket].available == 0 && s->ready)
		discord_gateway_not_ready(s, "its session was lost, and begins after those of other shards");
	if (task_semaphore_acquire(t, &d->turns[bucket], 1, err) < 0)
		return -1;
	s->turn = (int)bucket;
	while ((ms = discord_identify_limit_wait(
		    &d->identifies, d->limits, bucket, d->shard_count, clock_wall(), clock_now())) > 0) {
		if (ms == UINT64_MAX) {
			discord_stopped(d, TOO_MANY);
			return error_set(err, ERROR_REFUSED, TOO_MANY);
		}
		if (task_sleep(t, ms, err) < 0)
			return -1;
	}
	do {
		if (discord_gateway_claim_turn(t, d, bucket, &ms, err) < 0 ||
		    (ms > 0 && task_sleep(t, ms, err) < 0))
			return -1;
	} while (ms > 0);
	return 0;
}

int discord_gateway_claim_turn(
    struct task *t, struct discord *d, unsigned bucket, uint64_t *ms, struct error *err)
{
	char name[DISCORD_CURSOR_MAX];
	const struct journal_cursor claim = {.account = d->self.account, .name = name, .value = d->unit_name};

	*ms = 0;
	if (d->ch->units == 1)
		return 0;
	str_format(name, sizeof(name), "identify %u", bucket);
	const struct journal *j = bus_journal(d->ch->bus);
	return j->ops->claim(t, j->self, &claim, d->limits->identify_gap_ms, ms, err);
}

void discord_gateway_end_turn(struct discord_shard *s)
{
	if (s->turn >= 0)
		task_semaphore_release(&s->d->turns[s->turn], 1);
	s->turn = -1;
}

/* Waits while Discord's own count is used up: one more IDENTIFY would cost the token. */
static int wait_start_limit(struct task *t, struct discord_shard *s, struct error *err)
{
	struct discord *d = s->d;

	while (d->bot.left >= 0 && d->bot.left <= (int64_t)d->limits->identifies_left) {
		uint64_t now = clock_now(), ms = d->bot.reset_at > now ? d->bot.reset_at - now : 60000;

		log_error(d->self.channel,
		    "Discord allows few more sessions today and resets the token after the last: waiting "
		    "left=%" PRId64 " ms=%" PRIu64,
		    d->bot.left, ms);
		discord_gateway_not_ready(
		    s, "too many sessions were started today: waiting %" PRIu64 " min", (ms + 59999) / 60000);
		if (task_sleep(t, ms, err) < 0 || ask_where(t, d, false, err) < 0)
			return -1;
	}
	return 0;
}

char *discord_gateway_url(struct task *t, struct discord_shard *s, struct error *err)
{
	struct discord *d = s->d;

	if (ask_where(t, d, !s->session.id, err) < 0 || (!s->session.id && wait_start_limit(t, s, err) < 0))
		return NULL;
	return discord_gateway_payload_url(d->settings->gateway_url ? d->settings->gateway_url : d->bot.url);
}

static void tell_ready(struct discord *d)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "connected as %s", d->self.username);
	if (!d->self.receives_all)
		buf_addstr(&text,
		    ", without the Message Content Intent: the bot sees only direct messages, mentions and "
		    "replies");
	if (d->refused_commands)
		buf_addf(&text, "; Discord refused the slash commands %s", d->refused_commands);
	channel_set_status(d->ch, CHANNEL_READY, "%s", text.data);
	buf_clear(&text);
}

void discord_gateway_update_status(struct discord *d)
{
	const struct discord_shard *bad = NULL;
	unsigned ready = 0;

	if (d->refused)
		return;
	for (size_t i = 0; i < d->shard_count; i++) {
		ready += d->shards[i].ready;
		if (!bad && d->shards[i].problem)
			bad = &d->shards[i];
	}
	d->ch->shards = d->shard_total > 1 ? (unsigned)d->shard_count : 0;
	d->ch->shards_ready = ready;
	if (ready == d->shard_count)
		tell_ready(d);
	else if (bad && d->shard_total == 1)
		channel_set_status(d->ch, CHANNEL_DEGRADED, "%s", bad->problem);
	else if (bad)
		channel_set_status(d->ch, CHANNEL_DEGRADED, "shard %u: %s", bad->id, bad->problem);
	else if (ready > 0)
		channel_set_status(d->ch, CHANNEL_DEGRADED, "the other shards are connecting");
}

void discord_gateway_ready(struct discord_shard *s)
{
	struct discord *d = s->d;

	if (d->shard_total > 1 && !s->ready)
		log_info(d->self.channel, "the shard %u of %zu is ready", s->id, d->shard_total);
	s->guilds_arriving = false;
	s->ready = true;
	free(s->problem);
	s->problem = NULL;
	discord_gateway_update_status(d);
	discord_commands_start(d);
}

void discord_gateway_not_ready(struct discord_shard *s, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	free(s->problem);
	s->problem = buf_take(&text);
	s->ready = false;
	discord_gateway_update_status(s->d);
}

/* Returns the number of shards: that of the setting, or Discord's. */
static int settle(struct task *t, struct discord *d, struct error *err)
{
	const int64_t units = d->ch->units;
	int64_t count = d->settings->shards;

	if (count == 0 && ask(t, d, false, err) < 0)
		return -1;
	if (count == 0)
		count = d->bot.shards;
	if (count > DISCORD_SHARDS_MAX)
		log_warn(d->self.channel,
		    "Discord recommends more shards than Myna makes: recommended=%" PRId64 " most=%d", count,
		    DISCORD_SHARDS_MAX);
	count = count > DISCORD_SHARDS_MAX ? DISCORD_SHARDS_MAX : count < 1 ? 1 : count;
	/* Each unit has as many, which makes the units of the guilds those of the shards. */
	count = (count < DISCORD_SHARDS_MAX - units ? count + units - 1 : count) / units * units;
	return discord_shards_load(t, d, (size_t)count, err);
}

/* former: a number of shards that was too low. */
static void begin(struct task *t, struct discord *d, size_t former)
{
	struct error err = {0};

	if (discord_account_step(t, d, settle, &err) < 0)
		return;
	if (d->shard_count <= former) {
		discord_stopped(d, discord_close_code_find(MORE_SHARDS)->meaning);
		return;
	}
	for (size_t i = 0; i < d->shard_count; i++) {
		discord_receive_start(&d->shards[i]);
		discord_shard_start(&d->shards[i]);
	}
	discord_gateway_update_status(d);
}

static void gateway_task(struct task *t, void *arg)
{
	struct discord *d = arg;
	struct error err = {0};

	if (discord_account_load(t, d, &err) == 0)
		begin(t, d, 0);
	d->gateway = NULL;
}

void discord_gateway_start(struct discord *d)
{
	d->gateway = task_start(&d->tasks, "discord.gateway", gateway_task, d);
}

static void reshard_task(struct task *t, void *arg)
{
	struct discord *d = arg;
	size_t former = d->shard_count;

	task_group_finish(t, &d->connections);
	begin(t, d, former);
	d->gateway = NULL;
}

bool discord_gateway_reshard(struct discord *d, const struct discord_connection_end *end)
{
	if (end->code != MORE_SHARDS || d->settings->shards != 0)
		return false;
	if (!d->gateway)
		d->gateway = task_start(&d->tasks, "discord.gateway", reshard_task, d);
	return true;
}

void discord_gateway_clear(struct discord *d)
{
	for (size_t i = 0; i < d->shard_count; i++) {
		struct discord_shard *s = &d->shards[i];

		discord_event_queue_reset(&s->queue);
		discord_gateway_session_clear(&s->session);
		free(s->pending_guilds);
		free(s->problem);
	}
	free(d->shards);
	d->shards = NULL;
	d->shard_count = 0;
}

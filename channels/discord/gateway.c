#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "bus/channel.h"
#include "channels/discord/discord.h"
#include "channels/discord/gateway_payload.h"
#include "channels/discord/receive.h"
#include "channels/discord/api.h"
#include "net/websocket/websocket.h"

/* A first try after a connection that worked comes within this: it finds another server ready. */
#define FIRST_RETRY_MS 1000
/* Connections that end sooner wait a little longer, so that they do not end in a busy loop. */
#define SHORT_LIFE_MS 5000
/* The status of a day with too many IDENTIFYs. */
#define TOO_MANY                                                                                            \
	"identified too often in 24 hours: find out in the log why the session does not last, and restart " \
	"tomorrow"

/* Suspends until the identify limit allows one more. */
static int wait_identify(struct task *t, struct discord *d, struct error *err)
{
	uint64_t ms = discord_identify_limit_wait(&d->identifies, d->limits, clock_wall(), clock_now());

	if (ms == UINT64_MAX) {
		discord_stopped(d, TOO_MANY);
		return error_set(err, ERROR_REFUSED, TOO_MANY);
	}
	return ms > 0 ? task_sleep(t, ms, err) : 0;
}

/* Discord's count. When it is used up, it is waited for: one more would cost the token. */
static int wait_start_limit(struct task *t, struct discord *d, struct json_object *limit, struct error *err)
{
	int64_t left = json_get_int(limit, "remaining", -1), reset_ms = json_get_int(limit, "reset_after", 0);

	if (!limit || left < 0 || left > (int64_t)d->limits->identifies_left)
		return 0;
	log_error(d->self.channel,
	    "Discord allows few more sessions today and resets the token after the last: waiting "
	    "left=%" PRId64 " ms=%" PRId64,
	    left, reset_ms);
	channel_set_status(d->ch, CHANNEL_DEGRADED,
	    "too many sessions were started today: waiting %" PRId64 " min", reset_ms / 60000);
	return task_sleep(t, reset_ms > 0 ? (uint64_t)reset_ms : 60000, err);
}

/* Shown with the status, too. */
static void note_shards(struct discord *d, int64_t shards)
{
	if (shards > 1 && d->shards != shards)
		log_warn(d->self.channel,
		    "Discord recommends %" PRId64
		    " connections (shards) for this bot, and Myna makes one: beyond 2,500 servers Discord "
		    "refuses it (4011). Remove the bot from servers that do not need it, or use several bots",
		    shards);
	d->shards = shards;
}

/* Where to begin a new session: malloc'd. */
static char *find_gateway(struct task *t, struct discord *d, struct error *err)
{
	struct json_object *reply = discord_api_get(t, d, "/gateway/bot", "/gateway/bot", NULL, 1, NULL, err);
	const char *url = d->settings->gateway_url ? d->settings->gateway_url : json_get_str(reply, "url");
	char *found = NULL;

	if (d->refused || task_check(t, NULL) < 0)
		goto done;
	if (!url && reply)
		error_set(err, ERROR_NETWORK, "%s returned no gateway URL", d->host);
	if (!url ||
	    (!d->session.id &&
		wait_start_limit(t, d, json_get_object(reply, "session_start_limit"), err) < 0))
		goto done;
	note_shards(d, json_get_int(reply, "shards", 1));
	found = discord_gateway_payload_url(url);
done:
	json_object_put(reply);
	return found;
}

static char *find_url(struct task *t, struct discord *d, struct error *err)
{
	if (!d->session.id && wait_identify(t, d, err) < 0)
		return NULL;
	if (d->session.id && d->session.url)
		return discord_gateway_payload_url(d->session.url);
	return find_gateway(t, d, err);
}

/* From the connection to its end. -1: it could not be made, or the task is cancelled. */
static int connect_once(struct task *t, struct discord *d, struct discord_end *end, struct error *err)
{
	struct websocket_options options = {
	    .label = "gateway", .message_max = d->limits->frame_max, .connect_ms = d->limits->connect_ms};
	char *url = find_url(t, d, err);
	struct websocket *w;
	int rc;

	if (!url)
		return -1;
	if (!discord_settings_gateway_allowed(url, err)) {
		free(url);
		discord_gateway_session_forget(&d->session);
		return error_prefix(err, "Discord's gateway");
	}
	options.url = url;
	w = websocket_open(t, &options, err);
	free(url);
	if (!w)
		return -1;
	d->unreached = 0;
	rc = discord_gateway_connection_serve(t, d, w, end, err);
	/* Any code but 1000 and 1001 keeps the session, also for another process. */
	websocket_close(t, w, DISCORD_CLOSE_KEEP, NULL);
	/* What was not committed comes again by the next connection, or is fetched. */
	discord_event_queue_reset(&d->queue);
	return rc;
}

static void forget_session(struct discord *d, const char *why)
{
	if (d->session.id)
		log_info(d->self.channel, "cannot resume the gateway session: %s", why);
	d->resumes = 0;
	discord_gateway_session_forget(&d->session);
}

/* Most features work without the privileged intent, so continue unless the setting demands it. */
static bool go_without_content(struct discord *d, const struct discord_end *end)
{
	if (end->code != 4014 || !d->content || d->settings->message_content != DISCORD_CONTENT_AUTO)
		return false;
	d->content = d->self.hears_all = false;
	log_warn(d->self.channel, "%s. Until then the bot sees only direct messages, mentions and replies",
	    end->meaning);
	return true;
}

/* How long until the next try. A session that can be resumed after a connection that worked is no failure, of
 * ours or Discord's: it goes on at once. Growing waits are for what could not be connected or identified. */
static uint64_t retry_ms(struct discord *d, const struct discord_end *end)
{
	uint64_t ms, first = d->limits->retry_ms < FIRST_RETRY_MS ? d->limits->retry_ms : FIRST_RETRY_MS;

	if (end->ready && end->next == DISCORD_RESUME) {
		backoff_reset(&d->retry);
		ms = clock_random_below(first);
		if (clock_now() < end->ready_ms + SHORT_LIFE_MS)
			ms += first;
		return ms > end->wait_ms ? ms : end->wait_ms;
	}
	if (end->ready && clock_now() >= end->ready_ms + d->limits->healthy_ms)
		backoff_reset(&d->retry);
	if (end->ready && d->retry.tries == 0) {
		d->retry.tries++;
		ms = clock_random_below(first);
	} else {
		ms = backoff_next(&d->retry);
	}
	return ms > end->wait_ms ? ms : end->wait_ms;
}

/* After a connection: -1 when there is to be none any more. */
static int after_end(struct task *t, struct discord *d, const struct discord_end *end, struct error *err)
{
	uint64_t ms;

	if (end->next == DISCORD_STOP && !go_without_content(d, end)) {
		discord_stopped(d, end->meaning);
		return error_set(err, ERROR_REFUSED, "%s", end->meaning);
	}
	if (end->next != DISCORD_RESUME)
		forget_session(d, end->meaning);
	else if (d->resumes >= d->limits->resumes)
		forget_session(d, "too many attempts failed");
	ms = retry_ms(d, end);
	log_info(d->self.channel, "the connection to the gateway ended: %s code=%u next=%s ms=%" PRIu64,
	    end->meaning, end->code, d->session.id ? "resume" : "identify", ms);
	/* One that comes back at once is no trouble. */
	if (d->retry.tries > 1)
		channel_set_status(d->ch, CHANNEL_DEGRADED, "%s; connecting again", end->meaning);
	return task_sleep(t, ms, err);
}

static int after_failure(struct task *t, struct discord *d, struct error *err)
{
	struct error why = *err;

	if (d->refused || task_check(t, NULL) < 0)
		return -1;
	/* The server that held the session may be gone for good: others may know of it. While nothing is
	 * reached at all, the session is kept. */
	if (++d->unreached >= d->limits->resumes) {
		free(d->session.url);
		d->session.url = NULL;
	}
	channel_set_status(d->ch, CHANNEL_DEGRADED, "%s; trying again", why.text);
	return task_sleep(t,
	    why.kind == ERROR_LIMITED && why.retry_ms > 0 ? why.retry_ms : backoff_after(&d->retry, &why),
	    err);
}

static void gateway_task(struct task *t, void *arg)
{
	struct discord *d = arg;
	struct discord_end end;
	struct error err = {0};
	int rc = discord_account_load(t, d, &err);

	if (rc == 0)
		discord_receive_start(d);
	while (rc == 0 && !d->refused) {
		error_clear(&err);
		if (connect_once(t, d, &end, &err) == 0)
			rc = after_end(t, d, &end, &err);
		else
			rc = after_failure(t, d, &err);
	}
	d->gateway = NULL;
}

void discord_gateway_start(struct discord *d)
{
	d->gateway = task_start(&d->tasks, "discord.gateway", gateway_task, d);
}

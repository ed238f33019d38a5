#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "channels/discord/discord.h"
#include "channels/discord/gateway_payload.h"
#include "net/websocket/websocket.h"

/* Maximum delay of the first try after a working connection: another server is ready. */
#define FIRST_RETRY_MS 1000
/* Connections that end sooner wait a little longer, so that they do not end in a busy loop. */
#define SHORT_LIFE_MS 5000

static char *find_url(struct task *t, struct discord_shard *s, struct error *err)
{
	if (s->session.id && s->session.url)
		return discord_gateway_payload_url(s->session.url);
	if (!s->session.id && discord_gateway_take_turn(t, s, err) < 0)
		return NULL;
	return discord_gateway_url(t, s, err);
}

/* Serves one connection to its end. Returns -1 when it cannot connect, or when cancelled. */
static int connect_once(
    struct task *t, struct discord_shard *s, struct discord_connection_end *end, struct error *err)
{
	struct discord *d = s->d;
	struct websocket_options options = {
	    .label = "gateway", .message_max = d->limits->frame_max, .connect_ms = d->limits->connect_ms};
	char *url = find_url(t, s, err);
	struct websocket *w;
	int rc;

	if (!url)
		return -1;
	if (!discord_settings_gateway_allowed(url, err)) {
		free(url);
		discord_gateway_session_forget(&s->session);
		return error_prefix(err, "Discord's gateway");
	}
	options.url = url;
	w = websocket_open(t, &options, err);
	free(url);
	if (!w)
		return -1;
	s->unreached = 0;
	rc = discord_gateway_connection_serve(t, s, w, end, err);
	/* Any code but 1000 and 1001 keeps the session, also for another process. */
	websocket_close(t, w, DISCORD_CLOSE_KEEP, NULL);
	/* What was not committed comes again by the next connection, or is fetched. */
	discord_event_queue_reset(&s->queue);
	return rc;
}

static void forget_session(struct discord_shard *s, const char *why)
{
	if (s->session.id)
		log_info(s->d->self.channel, "cannot resume the gateway session: %s shard=%u", why, s->id);
	s->resumes = 0;
	discord_gateway_session_forget(&s->session);
}

/* Most features work without the privileged intent, so continue unless the setting demands it. */
static bool go_without_content(struct discord_shard *s, const struct discord_connection_end *end)
{
	struct discord *d = s->d;

	if (end->code != 4014 || !s->content || d->settings->message_content != DISCORD_CONTENT_AUTO)
		return false;
	if (d->content)
		log_warn(d->self.channel,
		    "%s. Until then the bot sees only direct messages, mentions and replies", end->meaning);
	d->content = d->self.receives_all = false;
	return true;
}

/* Returns the delay until the next try. A session that can be resumed after a working connection is no
 * failure: the shard reconnects at once. Waits grow only after a failed connect or IDENTIFY. */
static uint64_t retry_ms(struct discord_shard *s, const struct discord_connection_end *end)
{
	struct discord *d = s->d;
	uint64_t ms, first = d->limits->retry_ms < FIRST_RETRY_MS ? d->limits->retry_ms : FIRST_RETRY_MS;

	if (end->ready && end->next == DISCORD_RESUME) {
		backoff_reset(&s->retry);
		ms = clock_random_below(first);
		if (clock_now() < end->ready_ms + SHORT_LIFE_MS)
			ms += first;
		return ms > end->wait_ms ? ms : end->wait_ms;
	}
	if (end->ready && clock_now() >= end->ready_ms + d->limits->healthy_ms)
		backoff_reset(&s->retry);
	if (end->ready && s->retry.tries == 0) {
		s->retry.tries++;
		ms = clock_random_below(first);
	} else {
		ms = backoff_next(&s->retry);
	}
	return ms > end->wait_ms ? ms : end->wait_ms;
}

/* Handles the end of a connection. Returns -1 when no other may follow. */
static int after_end(
    struct task *t, struct discord_shard *s, const struct discord_connection_end *end, struct error *err)
{
	struct discord *d = s->d;
	uint64_t ms;

	if (end->next == DISCORD_STOP && !go_without_content(s, end)) {
		if (discord_gateway_reshard(d, end)) {
			discord_gateway_not_ready(s, "Discord wants more connections (shards)");
			return -1;
		}
		discord_stopped(d, end->meaning);
		return error_set(err, ERROR_REFUSED, "%s", end->meaning);
	}
	if (end->next != DISCORD_RESUME)
		forget_session(s, end->meaning);
	else if (s->resumes >= d->limits->resumes)
		forget_session(s, "too many attempts failed");
	ms = retry_ms(s, end);
	log_info(d->self.channel,
	    "the connection to the gateway ended: %s code=%u next=%s ms=%" PRIu64 " shard=%u", end->meaning,
	    end->code, s->session.id ? "resume" : "identify", ms, s->id);
	/* A connection that comes back at once is no problem to report. */
	if (s->retry.tries > 1)
		discord_gateway_not_ready(s, "%s; connecting again", end->meaning);
	return task_sleep(t, ms, err);
}

static int after_failure(struct task *t, struct discord_shard *s, struct error *err)
{
	struct discord *d = s->d;
	struct error why = *err;

	if (d->refused || task_check(t, NULL) < 0)
		return -1;
	/* The server that held the session may be gone for good: others may know of it. While nothing is
	 * reached at all, the session is kept. */
	if (++s->unreached >= d->limits->resumes) {
		free(s->session.url);
		s->session.url = NULL;
	}
	discord_gateway_not_ready(s, "%s; trying again", why.text);
	return task_sleep(t,
	    why.kind == ERROR_LIMITED && why.retry_ms > 0 ? why.retry_ms : backoff_after(&s->retry, &why),
	    err);
}

static void shard_task(struct task *t, void *arg)
{
	struct discord_shard *s = arg;
	struct discord_connection_end end;
	struct error err = {0};
	int rc = 0;

	while (rc == 0 && !s->d->refused) {
		error_clear(&err);
		rc = connect_once(t, s, &end, &err);
		discord_gateway_end_turn(s);
		rc = rc == 0 ? after_end(t, s, &end, &err) : after_failure(t, s, &err);
	}
	s->task = NULL;
}

void discord_shard_start(struct discord_shard *s)
{
	s->task = task_start(&s->d->connections, "discord.shard", shard_task, s);
}

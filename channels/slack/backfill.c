#include "channels/slack/slack_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/backfill_fetch.h"

/* Where people wait for an answer most comes first. */
static const char *const types[] = {"im", "mpim", "private_channel", "public_channel"};

#define PAGE 200
/* Headers give Slack's clock without fractions of a second: when in doubt, fetch. */
#define DATE_MS 1000
/* Longer than Slack takes from a message to its event. */
#define LAG_MS 10000

/* The conversations that are asked. */
struct places {
	char **ids;
	size_t count;
	bool more; /* than the limit */
};

static void places_clear(struct places *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->ids[i]);
	free(p->ids);
}

static void add_chats(struct slack *sk, struct places *p, struct json_object *channels)
{
	for (size_t i = 0; channels && i < json_object_array_length(channels); i++) {
		const char *id = json_get_str(json_object_array_get_idx(channels, i), "id");

		if (!id)
			continue;
		if (p->count == sk->limits->backfill_chats) {
			p->more = true;
			return;
		}
		p->ids[p->count++] = xstrdup(id);
	}
}

/* As slack_backfill_call. */
static int list_type(struct task *t, struct slack *sk, const char *type, struct places *p, struct error *err)
{
	struct json_object *params = json_object_new_object();
	bool next = true;
	int rc = 0;

	json_set_str(params, "types", type);
	json_set_bool(params, "exclude_archived", true);
	json_set_int(params, "limit", PAGE);
	while (rc == 0 && next && !p->more) {
		struct slack_answer a;

		rc = slack_backfill_call(t, sk, "users.conversations", params, false, &a, err);
		add_chats(sk, p, json_get_array(a.reply, "channels"));
		next = slack_backfill_next_page(&a, params);
		slack_api_clear(&a);
	}
	json_object_put(params);
	return rc;
}

/* Commits messages in order of time, in batches. Retries until it succeeds. */
static int commit(struct task *t, struct slack *sk, const struct slack_backfill_chat *m, struct error *err)
{
	struct backoff wait = {.base_ms = sk->limits->retry_ms, .max_ms = sk->limits->retry_max_ms};
	struct message **messages = xcalloc(sk->limits->batch, sizeof(*messages));
	size_t at = 0, n, count;
	int rc = 0;

	while (rc == 0 && at < m->count) {
		count = 0;
		for (n = 0; n < sk->limits->batch && at + n < m->count; n++) {
			struct message *message = slack_receive_read(sk, "events_api", m->items[at + n]);

			if (message)
				messages[count++] = message;
		}
		if (count == 0 || channel_received(t, sk->ch, messages, count, NULL, err) == 0) {
			at += n;
			continue;
		}
		log_error(sk->self.channel, "cannot store missed messages: %s", err->text);
		rc = task_sleep(t, backoff_after(&wait, err), err);
	}
	free(messages);
	return rc;
}

static int backfill_one_chat(struct task *t, struct slack *sk, const char *id, bool brief, int64_t since_ms,
    size_t *fetched, struct error *err)
{
	struct slack_backfill_chat m = {
	    .chat = id, .since_ms = since_ms - sk->ahead_ms + DATE_MS, .brief = brief};
	int rc = slack_backfill_fetch(t, sk, &m, err);

	/* A brief fetch is not repeated. */
	if ((rc == 0 || (rc == 1 && brief)) && commit(t, sk, &m, err) < 0)
		rc = -1;
	if (rc == 0 && m.more && !brief)
		log_error(sk->self.channel,
		    "backfill: a conversation has more missed messages than the limit, and the rest is lost: "
		    "limit=%zu chat=%s",
		    sk->limits->backfill_messages, id);
	*fetched += rc == 0 ? m.count : 0;
	slack_backfill_fetch_clear(&m);
	return rc;
}

/* Not before what people allow. */
static int64_t limit_since(const struct slack *sk, int64_t since_ms)
{
	int64_t oldest_ms = clock_wall() - sk->settings->backfill_ms;

	return since_ms > oldest_ms ? since_ms : oldest_ms;
}

/* Where people wrote last comes first. */
static void add_recent_chats(struct slack *sk, struct places *p)
{
	int64_t oldest_ms = clock_wall() - sk->ahead_ms - sk->limits->recent_ms;

	for (size_t i = 1; i <= SLACK_RECENT_MAX && p->count < sk->limits->recent_chats; i++) {
		size_t at = (sk->askers.next + SLACK_RECENT_MAX - i) % SLACK_RECENT_MAX, n = 0;
		const char *key = sk->askers.rows[at].key, *ts = key ? strchr(key, ':') : NULL;
		char *chat;

		if (!ts || slack_event_ts_ms(ts + 1) < oldest_ms)
			continue;
		chat = xstrndup(key, (size_t)(ts - key));
		while (n < p->count && strcmp(p->ids[n], chat) != 0)
			n++;
		if (n == p->count)
			p->ids[p->count++] = chat;
		else
			free(chat);
	}
}

/* 0: done; 1: what is left comes by redelivery, and err says why; -1: ended. A full backfill has precedence.
 */
static int fetch_recent(struct task *t, struct slack *sk, struct error *err)
{
	struct places p = {.ids = xcalloc(sk->limits->recent_chats, sizeof(*p.ids))};
	int64_t since_ms = limit_since(sk, sk->sync.recent_ms - LAG_MS);
	size_t fetched = 0, i = 0;
	int rc = 0;

	sk->sync.recent_ms = 0;
	add_recent_chats(sk, &p);
	while (rc == 0 && i < p.count && !sk->sync.wanted)
		rc = backfill_one_chat(t, sk, p.ids[i++], true, since_ms, &fetched, err);
	if (rc == 1)
		log_info(
		    sk->self.channel, "the rest of the recent messages is left to redelivery: %s", err->text);
	if (rc >= 0)
		log_info(sk->self.channel, "looked for recent messages: conversations=%zu messages=%zu", i,
		    fetched);
	places_clear(&p);
	return rc;
}

/* 0: done; 1: some of it is still to be fetched, and err says why; -1: ended. */
static int fetch_all(struct task *t, struct slack *sk, struct error *err)
{
	struct places p = {.ids = xcalloc(sk->limits->backfill_chats, sizeof(*p.ids))};
	int64_t since_ms = limit_since(sk, sk->sync.since_ms - SLACK_REDELIVERY_MS);
	size_t fetched = 0;
	int rc = 0, worst = 0;

	sk->sync.lacks[0] = '\0';
	for (size_t i = 0; rc >= 0 && i < ARRAY_LEN(types) && !p.more; i++) {
		rc = list_type(t, sk, types[i], &p, err);
		worst |= rc;
	}
	for (size_t i = 0; rc >= 0 && i < p.count; i++) {
		rc = backfill_one_chat(t, sk, p.ids[i], false, since_ms, &fetched, err);
		worst |= rc;
	}
	if (p.more)
		log_error(sk->self.channel,
		    "backfill: the app is in too many conversations, and skips some: limit=%zu",
		    sk->limits->backfill_chats);
	if (rc >= 0)
		log_info(sk->self.channel, "backfill done: conversations=%zu messages=%zu", p.count, fetched);
	places_clear(&p);
	return worst;
}

static void fetch_task(struct task *t, void *arg)
{
	struct slack *sk = arg;
	struct backoff wait = {.base_ms = sk->limits->retry_max_ms, .max_ms = 10 * sk->limits->retry_max_ms};
	struct error err = {0};

	while ((sk->sync.wanted || sk->sync.recent_ms != 0) && !sk->refused) {
		bool all = sk->sync.wanted;

		sk->sync.wanted = false;
		int rc = all ? fetch_all(t, sk, &err) : fetch_recent(t, sk, &err);

		if (rc < 0 || sk->refused)
			break;
		if (!all)
			continue;
		if (rc == 0 && !sk->sync.wanted) {
			slack_sync_state_backfilled(sk);
		} else if (rc == 1) {
			log_warn(sk->self.channel, "backfill is incomplete, trying again: %s", err.text);
			sk->sync.wanted = true;
			if (task_sleep(t, backoff_next(&wait), NULL) < 0)
				break;
		}
	}
	sk->sync.fetcher = NULL;
}

void slack_backfill_start(struct slack *sk)
{
	if (!sk->sync.fetcher && !sk->stopping && !sk->refused)
		sk->sync.fetcher = task_start(&sk->tasks, "slack.backfill", fetch_task, sk);
}

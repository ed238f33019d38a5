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

/* The conversations that are asked. */
struct places {
	char **ids;
	size_t count;
	bool more; /* than the limit */
};

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

		rc = slack_backfill_call(t, sk, "users.conversations", params, &a, err);
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
		rc = task_sleep(t, backoff_next(&wait), err);
	}
	free(messages);
	return rc;
}

static int backfill_one_chat(
    struct task *t, struct slack *sk, const char *id, int64_t since_ms, size_t *fetched, struct error *err)
{
	struct slack_backfill_chat m = {.chat = id, .since_ms = since_ms - sk->ahead_ms + DATE_MS};
	int rc = slack_backfill_fetch(t, sk, &m, err);

	if (rc == 0)
		rc = commit(t, sk, &m, err);
	if (rc == 0 && m.more)
		log_error(sk->self.channel,
		    "backfill: a conversation has more missed messages than the limit, and the rest is lost: "
		    "limit=%zu chat=%s",
		    sk->limits->backfill_messages, id);
	*fetched += rc == 0 ? m.count : 0;
	slack_backfill_fetch_clear(&m);
	return rc;
}

/* 0: done; 1: some of it is still to be fetched, and err says why; -1: ended. */
static int fetch_all(struct task *t, struct slack *sk, struct error *err)
{
	struct places p = {.ids = xcalloc(sk->limits->backfill_chats, sizeof(*p.ids))};
	int64_t since_ms = sk->heard.since_ms - SLACK_REDELIVERY_MS,
		oldest_ms = clock_wall() - sk->settings->backfill_ms;
	size_t fetched = 0;
	int rc = 0, worst = 0;

	sk->heard.lacks[0] = '\0';
	for (size_t i = 0; rc >= 0 && i < ARRAY_LEN(types) && !p.more; i++) {
		rc = list_type(t, sk, types[i], &p, err);
		worst |= rc;
	}
	for (size_t i = 0; rc >= 0 && i < p.count; i++) {
		rc = backfill_one_chat(
		    t, sk, p.ids[i], since_ms > oldest_ms ? since_ms : oldest_ms, &fetched, err);
		worst |= rc;
	}
	if (p.more)
		log_error(sk->self.channel,
		    "backfill: the app is in too many conversations, and skips some: limit=%zu",
		    sk->limits->backfill_chats);
	if (rc >= 0)
		log_info(sk->self.channel, "backfill done: conversations=%zu messages=%zu", p.count, fetched);
	for (size_t i = 0; i < p.count; i++)
		free(p.ids[i]);
	free(p.ids);
	return worst;
}

static void fetch_task(struct task *t, void *arg)
{
	struct slack *sk = arg;
	struct backoff wait = {.base_ms = sk->limits->retry_max_ms, .max_ms = 10 * sk->limits->retry_max_ms};
	struct error err = {0};

	while (sk->heard.wanted && !sk->refused) {
		sk->heard.wanted = false;
		int rc = fetch_all(t, sk, &err);

		if (rc < 0 || sk->refused)
			break;
		if (rc == 0 && !sk->heard.wanted) {
			slack_sync_state_backfilled(sk);
		} else if (rc == 1) {
			log_warn(sk->self.channel, "backfill is incomplete, trying again: %s", err.text);
			sk->heard.wanted = true;
			if (task_sleep(t, backoff_next(&wait), NULL) < 0)
				break;
		}
	}
	sk->heard.fetcher = NULL;
}

void slack_backfill_start(struct slack *sk)
{
	if (!sk->heard.fetcher && !sk->stopping && !sk->refused)
		sk->heard.fetcher = task_start(&sk->tasks, "slack.backfill", fetch_task, sk);
}

#include "channels/slack/backfill_fetch.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/socket.h"
#include "channels/slack/params.h"
#include "channels/slack/slack_internal.h"

#define PAGE  200
#define TRIES 4
/* By which Slack's clock may be ahead of ours. */
#define SKEW_MS (5 * 60 * 1000)
/* An app that is limited although it keeps to its tier has one call a minute (docs.slack.dev, "Rate limits"):
 * what cannot be redelivered needs it more. */
#define LIMITED_MS (60 * 60 * 1000)

/* Said once: a person has to put it right. */
static void note_scope(struct slack *sk, const struct slack_answer *a)
{
	const char *scope = json_get_str(a->reply, "needed");

	if (sk->sync.lacks[0] == '\0')
		snprintf(sk->sync.lacks, sizeof(sk->sync.lacks), "%.31s", scope ? scope : "channels:history");
	if (sk->sync.complained)
		return;
	sk->sync.complained = true;
	log_error(
	    sk->self.channel, "cannot backfill messages missed while Myna was down: %s", a->outcome.why.text);
	if (sk->ch->status == CHANNEL_READY)
		slack_socket_ready(sk);
}

int slack_backfill_call(struct task *t, struct slack *sk, const char *method, struct json_object *params,
    bool brief, struct slack_answer *a, struct error *err)
{
	struct backoff wait = {.base_ms = sk->limits->retry_ms, .max_ms = sk->limits->retry_max_ms};

	for (unsigned tries = 1;;) {
		struct slack_call call = {.method = method, .total_ms = sk->limits->call_ms};
		enum slack_outcome_class class;

		*a = (struct slack_answer){.sent = false};
		if (brief && !rate_limit_try(&sk->methods, method)) {
			error_set(err, ERROR_LIMITED, "%s is at its limit", method);
			return 1;
		}
		if (!brief && rate_limit_wait(t, &sk->methods, method, RATE_LIMIT_NOTIFICATION, err) < 0)
			return -1;
		call.params = json_object_get(params);
		if (slack_api_call(t, sk, &call, a, err) == 0)
			return 0;
		class = a->outcome.class;
		if (class == SLACK_NO_SCOPE)
			note_scope(sk, a);
		slack_api_clear(a);
		if (sk->refused || task_check(t, err) < 0)
			return -1;
		if (class == SLACK_RATE_LIMITED)
			sk->sync.limited_until = clock_now() + LIMITED_MS;
		/* The rate_limiter waits for the end of a penalty. */
		if (class == SLACK_RATE_LIMITED && !brief)
			continue;
		if (class != SLACK_SERVER_ERROR && class != SLACK_RATE_LIMITED) {
			log_debug(sk->self.channel, "backfill of this conversation failed: %s", err->text);
			return 0;
		}
		if (brief || tries++ == TRIES)
			return 1;
		if (task_sleep(t, backoff_next(&wait), err) < 0)
			return -1;
	}
}

bool slack_backfill_next_page(const struct slack_answer *a, struct json_object *params)
{
	const char *next = json_get_str(json_get_object(a->reply, "response_metadata"), "next_cursor");

	if (!next || *next == '\0')
		return false;
	json_set_str(params, "cursor", next);
	return true;
}

static const char *ts_of(struct json_object *item)
{
	return json_get_str(json_get_object(item, "event"), "ts");
}

/* What a live event would have brought. */
static void add_item(struct slack_backfill_chat *m, struct json_object *message)
{
	struct json_object *payload = json_object_new_object();

	json_set_str(message, "type", "message");
	json_set_str(message, "channel", m->chat);
	json_set(payload, "event", json_object_get(message));
	if (m->count % PAGE == 0)
		m->items = xrealloc(m->items, (m->count + PAGE) * sizeof(*m->items));
	m->items[m->count++] = payload;
}

static void add_thread(struct slack *sk, struct slack_backfill_chat *m, const char *ts)
{
	for (size_t i = 0; i < m->thread_count; i++)
		if (strcmp(m->threads[i], ts) == 0)
			return;
	if (m->thread_count == sk->limits->backfill_threads) {
		m->more = true;
		return;
	}
	if (!m->threads)
		m->threads = xcalloc(sk->limits->backfill_threads, sizeof(*m->threads));
	m->threads[m->thread_count++] = xstrdup(ts);
}

/* The earliest time of the page, or at if that is earlier. */
static int64_t read_page(struct slack *sk, struct slack_backfill_chat *m, struct json_object *messages,
    const char *root, int64_t at)
{
	for (size_t i = 0; messages && i < json_object_array_length(messages); i++) {
		struct json_object *o = json_object_array_get_idx(messages, i);
		const char *ts = json_get_str(o, "ts");
		int64_t ms = slack_event_ts_ms(ts);

		if (ms == 0 || (root && strcmp(ts, root) == 0))
			continue;
		at = ms < at ? ms : at;
		if (!root && slack_event_ts_ms(json_get_str(o, "latest_reply")) >= m->since_ms)
			add_thread(sk, m, ts);
		if (ms >= m->since_ms)
			add_item(m, o);
	}
	return at;
}

/* The newest first, as far back as roots are looked for. *at becomes how far that was; 0: we may not read
 * there. */
static int fetch_history(
    struct task *t, struct slack *sk, struct slack_backfill_chat *m, int64_t *at, struct error *err)
{
	struct json_object *params = json_object_new_object();
	int64_t begin = m->since_ms - sk->limits->roots_ms;
	size_t pages = 0, most = m->brief ? 1 : sk->limits->backfill_pages;
	bool next = true, may = true;
	int rc = 0;

	json_set_str(params, "channel", m->chat);
	json_set_int(params, "limit", PAGE);
	slack_params_time(params, "oldest", begin);
	slack_params_time(params, "latest", clock_wall() - sk->ahead_ms + SKEW_MS);
	*at = INT64_MAX;
	while (rc == 0 && next && m->count < sk->limits->backfill_messages && pages++ < most) {
		struct slack_answer a;

		rc = slack_backfill_call(t, sk, "conversations.history", params, m->brief, &a, err);
		*at = read_page(sk, m, json_get_array(a.reply, "messages"), NULL, *at);
		may = a.reply;
		next = slack_backfill_next_page(&a, params);
		slack_api_clear(&a);
	}
	if (next && *at >= m->since_ms)
		m->more = true;
	if (!next)
		*at = may ? begin : 0;
	json_object_put(params);
	return rc;
}

/* Threads in which the bot wrote and whose roots are older than the search. */
static void add_old_threads(struct slack *sk, struct slack_backfill_chat *m, int64_t at)
{
	size_t len = strlen(m->chat);

	for (size_t i = 0; i < SLACK_RECENT_MAX && sk->threads.rows[i].key; i++) {
		const char *key = sk->threads.rows[i].key;

		if (strncmp(key, m->chat, len) == 0 && key[len] == ':' &&
		    slack_event_ts_ms(key + len + 1) < at)
			add_thread(sk, m, key + len + 1);
	}
}

static int fetch_thread(
    struct task *t, struct slack *sk, struct slack_backfill_chat *m, const char *root, struct error *err)
{
	struct json_object *params = json_object_new_object();
	bool next = true;
	int rc = 0;

	json_set_str(params, "channel", m->chat);
	json_set_str(params, "ts", root);
	json_set_int(params, "limit", PAGE);
	slack_params_time(params, "oldest", m->since_ms);
	while (rc == 0 && next && m->count < 2 * sk->limits->backfill_messages) {
		struct slack_answer a;

		rc = slack_backfill_call(t, sk, "conversations.replies", params, m->brief, &a, err);
		read_page(sk, m, json_get_array(a.reply, "messages"), root, 0);
		next = slack_backfill_next_page(&a, params);
		slack_api_clear(&a);
	}
	m->more |= rc == 0 && next;
	json_object_put(params);
	return rc;
}

static int compare(const void *a, const void *b)
{
	return strcmp(ts_of(*(struct json_object *const *)a), ts_of(*(struct json_object *const *)b));
}

/* The newest that are allowed stay. */
static void drop_oldest(struct slack_backfill_chat *m, size_t most)
{
	size_t drop = m->count > most ? m->count - most : 0;

	for (size_t i = 0; i < drop; i++)
		json_object_put(m->items[i]);
	if (drop > 0) {
		memmove(m->items, m->items + drop, most * sizeof(*m->items));
		m->count = most;
		m->more = true;
	}
}

int slack_backfill_fetch(struct task *t, struct slack *sk, struct slack_backfill_chat *m, struct error *err)
{
	int64_t at;
	int rc = fetch_history(t, sk, m, &at, err);

	if (rc != 0)
		return rc;
	if (!m->brief)
		add_old_threads(sk, m, at);
	for (size_t i = 0; rc == 0 && i < m->thread_count; i++)
		rc = fetch_thread(t, sk, m, m->threads[i], err);
	if (m->count > 0)
		qsort(m->items, m->count, sizeof(*m->items), compare);
	drop_oldest(m, sk->limits->backfill_messages);
	return rc;
}

void slack_backfill_fetch_clear(struct slack_backfill_chat *m)
{
	for (size_t i = 0; i < m->count; i++)
		json_object_put(m->items[i]);
	for (size_t i = 0; i < m->thread_count; i++)
		free(m->threads[i]);
	free(m->items);
	free(m->threads);
}

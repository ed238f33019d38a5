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
#include "channels/slack/event.h"
#include "channels/slack/params.h"
#include "channels/slack/socket.h"

/* Slack sends an unacknowledged event again at once, after one minute and after five more (docs.slack.dev,
 * Events API, "Retries"). */
#define REDELIVERY_MS (6 * 60 * 1000)

/* First the kinds of conversation where people most expect an answer. */
static const char *const types[] = {"im", "mpim", "private_channel", "public_channel"};

/* Headers give Slack's clock in whole seconds: a message that may be too old counts as too old. */
#define DATE_MS 1000
/* Longer than Slack takes from a message to its event. */
#define LAG_MS 10000
#define PAGE   200
#define TRIES  4
/* Possible error of the known clock difference to Slack. */
#define SKEW_MS (5 * 60 * 1000)
/* An app that is limited although it keeps to its tier has one call a minute (docs.slack.dev, "Rate limits"):
 * what cannot be redelivered needs it more. */
#define LIMITED_MS (60 * 60 * 1000)

/* The messages of one conversation since a time: its history, and threads with newer replies. */
struct chat_backfill {
	const char *chat;
	int64_t since_ms; /* by Slack's clock */
	bool brief;       /* one page of its history and its threads, calls as call_retried's brief */
	/* The result, oldest first: payloads as in the Events API. */
	struct json_object **items;
	size_t count;
	bool more; /* the limit was reached; the oldest messages are missing */
	/* Roots of threads with newer replies. */
	char **threads;
	size_t thread_count;
};

/* Logs a missing scope once: a person has to grant it. */
static void note_scope(struct slack *sk, const struct slack_answer *a)
{
	const char *scope = json_get_str(a->reply, "needed");

	if (sk->sync.missing_scope[0] == '\0')
		snprintf(sk->sync.missing_scope, sizeof(sk->sync.missing_scope), "%.31s",
		    scope ? scope : "channels:history");
	if (sk->sync.missing_scope_logged)
		return;
	sk->sync.missing_scope_logged = true;
	log_error(
	    sk->self.channel, "cannot backfill messages missed while Myna was down: %s", a->outcome.why.text);
	if (sk->ch->status == CHANNEL_READY)
		slack_socket_ready(sk);
}

/* Calls a method within its rate limit, and again after errors that pass. Suspends. Returns 0; 1 with err set
 * when a retry may help; -1 when cancelled or when the channel has stopped. Without permission a is empty.
 * brief: it neither waits for the rate limit nor tries again, and returns 1. Does not take params. */
static int call_retried(struct task *t, struct slack *sk, const char *method, struct json_object *params,
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

/* Is there another page? Sets its cursor in params. */
static bool next_page(const struct slack_answer *a, struct json_object *params)
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

/* Adds the payload that a live event of this message has. */
static void add_item(struct chat_backfill *m, struct json_object *message)
{
	struct json_object *payload = json_object_new_object();

	json_set_str(message, "type", "message");
	json_set_str(message, "channel", m->chat);
	json_set(payload, "event", json_object_get(message));
	if (m->count % PAGE == 0)
		m->items = xrealloc(m->items, (m->count + PAGE) * sizeof(*m->items));
	m->items[m->count++] = payload;
}

static void add_thread(struct slack *sk, struct chat_backfill *m, const char *ts)
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

/* Adds the messages of a page, and the threads that it names. Returns the earliest time of the page, or at if
 * that is earlier. */
static int64_t read_page(
    struct slack *sk, struct chat_backfill *m, struct json_object *messages, const char *root, int64_t at)
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

/* Fetches the newest first, as far back as roots are searched. Sets *at to where that ended; 0: the bot may
 * not read there. */
static int fetch_history(
    struct task *t, struct slack *sk, struct chat_backfill *m, int64_t *at, struct error *err)
{
	struct json_object *params = json_object_new_object();
	int64_t begin = m->since_ms - sk->limits->roots_ms;
	size_t pages = 0, most = m->brief ? 1 : sk->limits->backfill_pages;
	bool next = true, may = true;
	int rc = 0;

	json_set_str(params, "channel", m->chat);
	json_set_int(params, "limit", PAGE);
	slack_params_time(params, "oldest", begin);
	slack_params_time(params, "latest", clock_wall() - sk->clock_skew_ms + SKEW_MS);
	*at = INT64_MAX;
	while (rc == 0 && next && m->count < sk->limits->backfill_messages && pages++ < most) {
		struct slack_answer a;

		rc = call_retried(t, sk, "conversations.history", params, m->brief, &a, err);
		*at = read_page(sk, m, json_get_array(a.reply, "messages"), NULL, *at);
		may = a.reply;
		next = next_page(&a, params);
		slack_api_clear(&a);
	}
	if (next && *at >= m->since_ms)
		m->more = true;
	if (!next)
		*at = may ? begin : 0;
	json_object_put(params);
	return rc;
}

/* Adds the threads in which the bot wrote and whose roots are older than the search. */
static void add_old_threads(struct slack *sk, struct chat_backfill *m, int64_t at)
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
    struct task *t, struct slack *sk, struct chat_backfill *m, const char *root, struct error *err)
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

		rc = call_retried(t, sk, "conversations.replies", params, m->brief, &a, err);
		read_page(sk, m, json_get_array(a.reply, "messages"), root, 0);
		next = next_page(&a, params);
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

/* Keeps the newest, up to the limit. */
static void drop_oldest(struct chat_backfill *m, size_t most)
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

/* As call_retried. A conversation that the bot may not read yields nothing. The result is what came before a
 * failure. */
static int fetch_chat(struct task *t, struct slack *sk, struct chat_backfill *m, struct error *err)
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

static void fetched_clear(struct chat_backfill *m)
{
	for (size_t i = 0; i < m->count; i++)
		json_object_put(m->items[i]);
	for (size_t i = 0; i < m->thread_count; i++)
		free(m->threads[i]);
	free(m->items);
	free(m->threads);
}

/* The conversations to fetch from. */
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

/* As call_retried. */
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

		rc = call_retried(t, sk, "users.conversations", params, false, &a, err);
		add_chats(sk, p, json_get_array(a.reply, "channels"));
		next = next_page(&a, params);
		slack_api_clear(&a);
	}
	json_object_put(params);
	return rc;
}

/* Commits messages in order of time, in batches. Retries until it succeeds. */
static int commit(struct task *t, struct slack *sk, const struct chat_backfill *m, struct error *err)
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
	struct chat_backfill m = {
	    .chat = id, .since_ms = since_ms - sk->clock_skew_ms + DATE_MS, .brief = brief};
	int rc = fetch_chat(t, sk, &m, err);

	/* A brief fetch is not repeated. */
	if ((rc == 0 || (rc == 1 && brief)) && commit(t, sk, &m, err) < 0)
		rc = -1;
	if (rc == 0 && m.more && !brief)
		log_error(sk->self.channel,
		    "backfill: a conversation has more missed messages than the limit, and the rest is lost: "
		    "limit=%zu chat=%s",
		    sk->limits->backfill_messages, id);
	*fetched += rc == 0 ? m.count : 0;
	fetched_clear(&m);
	return rc;
}

/* Returns the start of the backfill, not before the configured time. */
static int64_t limit_since(const struct slack *sk, int64_t since_ms)
{
	int64_t oldest_ms = clock_wall() - sk->settings->backfill_ms;

	return since_ms > oldest_ms ? since_ms : oldest_ms;
}

/* Adds the conversations where people wrote recently, the latest first. */
static void add_recent_chats(struct slack *sk, struct places *p)
{
	int64_t oldest_ms = clock_wall() - sk->clock_skew_ms - sk->limits->recent_ms;

	for (size_t i = 1; i <= SLACK_RECENT_MAX && p->count < sk->limits->recent_chats; i++) {
		size_t at = (sk->authors.next + SLACK_RECENT_MAX - i) % SLACK_RECENT_MAX, n = 0;
		const char *key = sk->authors.rows[at].key, *ts = key ? strchr(key, ':') : NULL;
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

/* Returns 0 when done; 1 with err when the rest comes by redelivery; -1 when ended. A full backfill has
 * precedence. */
static int fetch_recent(struct task *t, struct slack *sk, struct error *err)
{
	struct places p = {.ids = xcalloc(sk->limits->recent_chats, sizeof(*p.ids))};
	int64_t since_ms = limit_since(sk, sk->sync.recent_ms - LAG_MS);
	size_t fetched = 0, i = 0;
	int rc = 0;

	sk->sync.recent_ms = 0;
	add_recent_chats(sk, &p);
	while (rc == 0 && i < p.count && !sk->sync.backfill_pending)
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

/* Returns 0 when done; 1 with err when some of it is still to be fetched; -1 when ended. */
static int fetch_all(struct task *t, struct slack *sk, struct error *err)
{
	struct places p = {.ids = xcalloc(sk->limits->backfill_chats, sizeof(*p.ids))};
	int64_t since_ms = limit_since(sk, sk->sync.since_ms - REDELIVERY_MS);
	size_t fetched = 0;
	int rc = 0, worst = 0;

	sk->sync.missing_scope[0] = '\0';
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

	while ((sk->sync.backfill_pending || sk->sync.recent_ms != 0) && !sk->refused) {
		bool all = sk->sync.backfill_pending;

		sk->sync.backfill_pending = false;
		int rc = all ? fetch_all(t, sk, &err) : fetch_recent(t, sk, &err);

		if (rc < 0 || sk->refused)
			break;
		if (!all)
			continue;
		if (rc == 0 && !sk->sync.backfill_pending) {
			slack_sync_state_backfilled(sk);
		} else if (rc == 1) {
			log_warn(sk->self.channel, "backfill is incomplete, trying again: %s", err.text);
			sk->sync.backfill_pending = true;
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

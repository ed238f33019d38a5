#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/shared/preview.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/params.h"
#include "channels/slack/stream.h"

/* Least times between two frames of one answer; the budgets of conversation and method may make it longer. */
#define STREAM_EVERY_MS 1000
#define EDIT_EVERY_MS   3000
/* Delay until the next try when a rate limiter has nothing left over. */
#define BUSY_MS 500
/* Of a long answer its beginning is shown, so that markup and mark fit into a message too. */
#define FRAME_UNITS 3000
/* How often a frame whose response was lost is looked for, and how far back. */
#define FIND_TRIES    3
#define FIND_EVERY_MS 500
#define FIND_BACK_MS  60000

static bool has_room(struct slack *sk, const char *chat, const char *method)
{
	return rate_limit_try(&sk->methods, method) && rate_limit_try(&sk->rate_limiter, chat);
}

/* Returns the ms until the next frame after one that failed; -1: no more frames. */
static int call_failed(struct preview *p, const struct slack_outcome *o, struct error *err)
{
	if (err)
		*err = o->why;
	if (o->class == SLACK_RATE_LIMITED)
		return preview_frame_paused(o->retry_ms);
	return o->class == SLACK_SERVER_ERROR ? preview_frame_failed(p, EDIT_EVERY_MS) : -1;
}

static struct json_object *message_params(const struct preview *p)
{
	struct json_object *params = json_object_new_object();
	char *text = preview_beginning(p, FRAME_UNITS, UTF8_UTF16);

	json_set_str(params, "channel", p->where.chat);
	slack_params_text(params, text, PREVIEW_MARK);
	if (p->message_id) {
		json_set_str(params, "ts", p->message_id);
		json_set(params, "blocks", json_object_new_array());
	} else {
		json_set_bool(params, "unfurl_links", false);
		json_set_bool(params, "unfurl_media", false);
		slack_params_preview(params, p);
		if (p->where.thread[0] != '\0')
			json_set_str(params, "thread_ts", p->where.thread);
	}
	free(text);
	return params;
}

static void find_in(struct preview *p, struct json_object *messages)
{
	for (size_t i = 0; messages && !p->message_id && i < json_object_array_length(messages); i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		const char *ts = json_get_str(m, "ts");
		if (slack_params_is_preview(m, p) && slack_event_is_ts(ts))
			p->message_id = xstrdup(ts);
	}
}

/* Streams carry no metadata. Ours is one of our messages after the question that can still be stopped, which
 * Slack refuses for any other message. */
static void find_stream(struct task *t, struct slack *sk, struct preview *p, struct json_object *messages)
{
	for (size_t i = 0; messages && !p->message_id && i < json_object_array_length(messages); i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		const char *ts = json_get_str(m, "ts");

		if (slack_event_is_ts(ts) && strcmp(ts, p->reply_to) > 0 && !json_get_object(m, "metadata") &&
		    slack_event_is_own(m, &sk->self) && slack_stream_stop(t, sk, p->where.chat, ts) == 0)
			p->message_id = xstrdup(ts);
	}
}

/* Returns whether to look again. */
static bool look_once(struct task *t, struct slack *sk, struct preview *p, int64_t since_ms)
{
	const char *thread = p->where.thread[0] != '\0' ? p->where.thread : NULL;
	struct slack_call call = {
	    .method = thread ? "conversations.replies" : "conversations.history",
	    .params = slack_params_history(p->where.chat, thread, since_ms),
	    .total_ms = sk->limits->call_ms,
	};
	struct slack_answer a;
	struct error err = {0};

	bool again = slack_api_call(t, sk, &call, &a, &err) == 0 || a.outcome.class == SLACK_SERVER_ERROR;
	find_in(p, json_get_array(a.reply, "messages"));
	if (thread && p->reply_to)
		find_stream(t, sk, p, json_get_array(a.reply, "messages"));
	slack_api_clear(&a);
	return again && !p->message_id;
}

/* Looks for a first frame that may have come without telling its id: it would stay beside the answer. */
static void find_message(struct task *t, struct slack *sk, struct preview *p)
{
	int64_t since_ms = clock_wall() - sk->clock_skew_ms - FIND_BACK_MS;

	for (int tries = 0; tries < FIND_TRIES && task_sleep(t, FIND_EVERY_MS, NULL) == 0; tries++)
		if (!look_once(t, sk, p, since_ms))
			break;
}

void slack_find_preview(struct task *t, struct channel *ch, struct preview *p)
{
	/* It came after the message that it answers, whose id is a time in seconds. */
	int64_t since_ms = p->reply_to ? strtoll(p->reply_to, NULL, 10) * 1000 : clock_wall() - FIND_BACK_MS;

	look_once(t, ch->state, p, since_ms);
}

static int show_message(struct task *t, struct slack *sk, struct preview *p, struct error *err)
{
	struct slack_call call = {
	    .method = p->message_id ? "chat.update" : "chat.postMessage",
	    .params = message_params(p),
	    .total_ms = sk->limits->call_ms,
	    .id_only = true,
	    .once = true,
	    .chat = p->where.chat,
	};
	struct slack_answer a;
	size_t len = p->text.len;
	const char *ts;
	int wait_ms = EDIT_EVERY_MS;

	if (slack_api_call(t, sk, &call, &a, err) == 0) {
		preview_frame_shown(p, len);
		ts = json_get_str(a.reply, "ts");
		if (!p->message_id && slack_event_is_ts(ts))
			p->message_id = xstrdup(ts);
	} else if (a.outcome.class == SLACK_STREAMING) {
		/* Of a try that a crash cut off. */
		slack_stream_stop(t, sk, p->where.chat, p->message_id);
		wait_ms = preview_frame_failed(p, EDIT_EVERY_MS);
	} else {
		wait_ms = call_failed(p, &a.outcome, err);
		/* A message that may have come must not come again. */
		if (!p->message_id && a.sent && a.outcome.class == SLACK_SERVER_ERROR) {
			find_message(t, sk, p);
			wait_ms = p->message_id ? EDIT_EVERY_MS : -1;
		}
	}
	slack_api_clear(&a);
	return wait_ms;
}

/* A person stopped the stream, which means stop the turn. Slack does not say who; the person who asked
 * may. */
static void stop_turn(struct task *t, struct slack *sk, const struct preview *p)
{
	struct message *m = message_new();
	struct error err = {0};
	char key[ADDRESS_TEXT_MAX];
	const char *asker;

	snprintf(key, sizeof(key), "%s:%s", p->where.chat, p->reply_to ? p->reply_to : "");
	asker = slack_recent_map_get(&sk->authors, key);
	if (!asker) {
		message_free(m);
		return;
	}
	m->account = xstrdup(sk->self.account);
	m->event_id = xasprintf("stopped:%s:%s", p->where.chat, p->message_id);
	m->from = p->where;
	m->chat_kind = p->where.chat[0] == 'D' ? CHAT_PRIVATE : CHAT_GROUP;
	m->sender_id = xstrndup(asker, strcspn(asker, " "));
	m->addressed = true;
	m->sent_ms = clock_wall();
	free(m->text);
	m->text = xstrdup("/stop");
	if (channel_received(t, sk->ch, &m, 1, NULL, &err) < 0)
		log_warn(sk->self.channel, "a stop cannot be stored: %s", err.text);
}

static int start_stream(struct task *t, struct slack *sk, struct preview *p, struct error *err)
{
	struct slack_outcome o;
	bool sent;

	if (slack_stream_start(t, sk, p, &o, &sent) == 0)
		return p->message_id ? STREAM_EVERY_MS : -1;
	if (o.class == SLACK_RATE_LIMITED || o.class == SLACK_BAD_TOKEN)
		return call_failed(p, &o, err);
	if (o.class == SLACK_SERVER_ERROR && sent) {
		call_failed(p, &o, err);
		find_message(t, sk, p);
		return p->message_id ? EDIT_EVERY_MS : -1;
	}
	if (strcmp(o.word, "unknown_method") == 0 || strcmp(o.word, "feature_not_enabled") == 0)
		sk->no_streams = true;
	log_info(sk->self.channel, "an answer is shown by edits instead of a stream: %s", o.why.text);
	return show_message(t, sk, p, err);
}

static int go_on(
    struct task *t, struct slack *sk, struct slack_stream *s, struct preview *p, struct error *err)
{
	struct slack_outcome o;

	/* Streamed text cannot be changed, and an old stream may end at any time. */
	if (p->shown_len < s->len || clock_now() - s->since_ms > sk->limits->stream_ms) {
		slack_stream_stop(t, sk, p->where.chat, p->message_id);
		return STREAM_EVERY_MS;
	}
	if (slack_stream_append(t, sk, s, p, &o) == 0)
		return STREAM_EVERY_MS;
	if (o.class == SLACK_STREAM_STOPPED) {
		stop_turn(t, sk, p);
		return call_failed(p, &o, err);
	}
	return o.class == SLACK_RATE_LIMITED ? call_failed(p, &o, err) : EDIT_EVERY_MS;
}

int slack_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err)
{
	struct slack *sk = ch->state;
	struct slack_stream *s = slack_stream_find(sk, p->where.chat, p->message_id);
	bool begins = slack_stream_possible(sk, p);
	const char *method = s ? "chat.appendStream" :
	    begins             ? "chat.startStream" :
	    p->message_id      ? "chat.update" :
				 "chat.postMessage";
	int early_ms = preview_too_early(p, (uint64_t)sk->settings->preview_after_ms);

	if (!sk->settings->previews || sk->refused || !strchr("CDG", p->where.chat[0]))
		return error_set(err, ERROR_REFUSED, "previews are off");
	if (early_ms > 0)
		return early_ms;
	if (p->shown_len == p->text.len || strcmp(p->text.data + (s ? p->shown_len : 0), "<") == 0)
		return EDIT_EVERY_MS;
	if (!has_room(sk, p->where.chat, method))
		return BUSY_MS;
	if (s)
		return go_on(t, sk, s, p, err);
	return begins ? start_stream(t, sk, p, err) : show_message(t, sk, p, err);
}

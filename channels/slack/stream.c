#include "channels/slack/stream.h"

#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "channels/shared/preview.h"
#include "channels/slack/account.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/slack_internal.h"

/* Of one call; Slack takes 12,000 characters. */
#define CHUNK_UNITS 8000
/* Invisible; after "<" it prevents a mention or a special word. */
#define WORD_JOINER "\xe2\x81\xa0"

struct slack_stream *slack_stream_find(struct slack *sk, const char *chat, const char *ts)
{
	for (size_t i = 0; ts && i < SLACK_STREAMS_MAX; i++)
		if (strcmp(sk->streams[i].ts, ts) == 0 && strcmp(sk->streams[i].chat, chat) == 0)
			return &sk->streams[i];
	return NULL;
}

bool slack_stream_is_open(struct slack *sk, const char *chat, const char *ts)
{
	return slack_stream_find(sk, chat, ts);
}

/* Reserves a free one; NULL when all are in use. */
static struct slack_stream *reserve(struct slack *sk)
{
	for (size_t i = 0; i < SLACK_STREAMS_MAX; i++) {
		struct slack_stream *s = &sk->streams[i];

		if (s->starting)
			continue;
		/* Of a turn that ended without an answer: Slack has ended it, too. */
		if (s->ts[0] == '\0' || clock_now() - s->since_ms > 4 * sk->limits->stream_ms) {
			*s = (struct slack_stream){.starting = true};
			return s;
		}
	}
	return NULL;
}

/* Sets the text of the next chunk. Returns how many bytes of text it covers: a "<" at the end waits for what
 * follows. */
static size_t add_chunk(struct json_object *params, const char *text, size_t len)
{
	struct json_object *chunks = json_object_new_array(), *chunk = json_object_new_object();
	struct buf out = BUF_INIT;

	len = utf8_cut(text, len, CHUNK_UNITS, UTF8_UTF16);
	if (len > 1 && text[len - 1] == '<')
		len--;
	for (size_t i = 0; i < len; i++) {
		buf_addch(&out, text[i]);
		if (text[i] == '<' && i + 1 < len && strchr("@!#", text[i + 1]))
			buf_addstr(&out, WORD_JOINER);
	}
	json_set_str(chunk, "type", "markdown_text");
	json_set_str(chunk, "text", out.data);
	json_object_array_add(chunks, chunk);
	json_set(params, "chunks", chunks);
	buf_clear(&out);
	return len;
}

/* Returns author and team, "U1 T1", of the message that the preview answers; NULL: unknown. */
static const char *asker_of(const struct slack *sk, const struct preview *p)
{
	char key[ADDRESS_TEXT_MAX];

	snprintf(key, sizeof(key), "%s:%s", p->where.chat, p->reply_to ? p->reply_to : "");
	return slack_recent_map_get(&sk->authors, key);
}

bool slack_stream_possible(const struct slack *sk, const struct preview *p)
{
	return !p->message_id && p->where.thread[0] != '\0' && !sk->no_streams &&
	    (p->where.chat[0] == 'D' || asker_of(sk, p));
}

/* Outside of direct messages a stream needs a recipient. */
static void add_recipient(struct slack *sk, struct json_object *params, const struct preview *p)
{
	char user[40] = "";
	const char *asker = asker_of(sk, p);
	size_t len;

	if (!asker)
		return;
	len = strcspn(asker, " ");
	snprintf(user, sizeof(user), "%.*s", (int)len, asker);
	json_set_str(params, "recipient_user_id", user);
	json_set_str(params, "recipient_team_id", asker + len + (asker[len] == ' '));
}

static int call_stream(struct task *t, struct slack *sk, const char *method, struct json_object *params,
    const char *chat, struct slack_answer *a)
{
	struct slack_call call = {
	    .method = method, .params = params, .total_ms = sk->limits->call_ms, .once = true, .chat = chat};

	return slack_api_call(t, sk, &call, a, NULL);
}

int slack_stream_start(
    struct task *t, struct slack *sk, struct preview *p, struct slack_outcome *o, bool *sent)
{
	struct slack_stream *s = reserve(sk);
	struct json_object *params = json_object_new_object();
	struct slack_answer a;
	const char *ts;
	size_t len;
	int rc;

	json_set_str(params, "channel", p->where.chat);
	json_set_str(params, "thread_ts", p->where.thread);
	add_recipient(sk, params, p);
	len = add_chunk(params, p->text.data, p->text.len);
	slack_account_note_thread(sk, p->where.chat, p->where.thread);
	rc = call_stream(t, sk, "chat.startStream", params, p->where.chat, &a);
	*o = a.outcome;
	*sent = a.sent;
	ts = json_get_str(a.reply, "ts");
	if (s)
		s->starting = false;
	if (rc == 0 && slack_event_is_ts(ts)) {
		p->message_id = xstrdup(ts);
		if (s) {
			*s = (struct slack_stream){.since_ms = clock_now(), .len = len};
			str_copy(s->chat, sizeof(s->chat), p->where.chat);
			str_copy(s->ts, sizeof(s->ts), ts);
		}
		preview_frame_shown(p, len);
	}
	slack_api_clear(&a);
	return rc;
}

int slack_stream_append(
    struct task *t, struct slack *sk, struct slack_stream *s, struct preview *p, struct slack_outcome *o)
{
	struct json_object *params = json_object_new_object();
	struct slack_answer a;
	size_t len;
	int rc;

	json_set_str(params, "channel", s->chat);
	json_set_str(params, "ts", s->ts);
	len = add_chunk(params, p->text.data + s->len, p->text.len - s->len);
	rc = call_stream(t, sk, "chat.appendStream", params, p->where.chat, &a);
	*o = a.outcome;
	slack_api_clear(&a);
	/* It is unknown whether the text was added; adding it twice would show until the answer. */
	if (rc == 0 || o->class == SLACK_SERVER_ERROR) {
		s->len += len;
		preview_frame_shown(p, s->len);
		return 0;
	}
	if (o->class != SLACK_RATE_LIMITED)
		s->ts[0] = '\0';
	return -1;
}

int slack_stream_stop(struct task *t, struct slack *sk, const char *chat, const char *ts)
{
	struct slack_stream *s = slack_stream_find(sk, chat, ts);
	struct json_object *params = json_object_new_object();
	struct slack_answer a;
	int rc;

	if (s)
		s->ts[0] = '\0';
	json_set_str(params, "channel", chat);
	json_set_str(params, "ts", ts);
	rate_limit_charge(&sk->rate_limiter, chat);
	rc = call_stream(t, sk, "chat.stopStream", params, chat, &a);
	if (rc < 0)
		log_debug(sk->self.channel, "a stream was not stopped: %s", a.outcome.why.text);
	slack_api_clear(&a);
	return rc;
}

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/params.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/file_share.h"

#define PAGE 200
/* Maximum pages to search in a conversation. */
#define PAGES_MAX 10
/* Possible error of the known clock difference to Slack. */
#define SKEW_MS 300000

struct search {
	const struct outbound *delivery;
	char chat[32]; /* a person's id does not do here */
	char *cursor;  /* of the next page; NULL: the first */
	char *ts;      /* ts of the message found */
	bool piece;    /* an earlier piece of it is there */
	bool thread;   /* the thread is looked through, not the conversation */
};

/* What was sent just before a crash may still be on its way into the conversation. */
static int wait_settled(struct task *t, struct slack *sk, const struct outbound *delivery, struct error *err)
{
	int64_t age = clock_wall() - delivery->updated_ms, wait = (int64_t)sk->limits->settle_ms;

	if (age >= wait)
		return 0;
	return task_sleep(t, (uint64_t)(age < 0 ? wait : wait - age), err);
}

static int find_chat(struct task *t, struct slack *sk, struct search *s, struct error *err)
{
	struct slack_call call = {.method = "conversations.open", .total_ms = sk->limits->call_ms};
	struct slack_answer a;
	const char *chat = s->delivery->to.chat, *id = chat;
	int rc = 0;

	if (chat[0] != 'U' && chat[0] != 'W')
		return str_copy(s->chat, sizeof(s->chat), chat);
	call.params = json_object_new_object();
	json_set_str(call.params, "users", chat);
	rc = slack_api_call(t, sk, &call, &a, err);
	if (rc == 0)
		id = json_get_str(json_get_object(a.reply, "channel"), "id");
	if (rc == 0 && (!id || str_copy(s->chat, sizeof(s->chat), id) < 0))
		rc = error_set(err, ERROR_REFUSED, "conversations.open gave no conversation");
	slack_api_clear(&a);
	return rc;
}

/* Returns a time by Slack's clock before which the delivery was not created; 0: unknown, when our clock was
 * set back. Only the present difference of the clocks is known: where ours was behind, the message is older
 * than it looks. */
static int64_t created_ms(const struct slack *sk, const struct outbound *delivery)
{
	int64_t clock_skew_ms = sk->clock_skew_ms > 0 ? sk->clock_skew_ms : 0;

	if (delivery->created_ms > clock_wall())
		return 0;
	return delivery->created_ms - clock_skew_ms - SKEW_MS;
}

static struct json_object *page_params(const struct slack *sk, const struct search *s)
{
	const struct outbound *delivery = s->delivery;
	struct json_object *params =
	    slack_params_history(s->chat, s->thread ? delivery->to.thread : NULL, created_ms(sk, delivery));

	json_set_int(params, "limit", PAGE);
	if (s->cursor)
		json_set_str(params, "cursor", s->cursor);
	return params;
}

/* An upload carries no metadata, but it is ours, and the same file. */
static bool is_upload(const struct slack *sk, struct json_object *m, const struct outbound *delivery)
{
	struct json_object *files = json_get_array(m, "files");
	struct json_object *f = files ? json_object_array_get_idx(files, 0) : NULL;
	const char *user = json_get_str(m, "user"), *name = json_get_str(f, "name"),
		   *own = delivery->file->name;

	return user && strcmp(user, sk->self.user) == 0 && name && own && strcmp(name, own) == 0 &&
	    json_get_int(f, "size", -1) == delivery->file->size &&
	    slack_event_ts_ms(json_get_str(m, "ts")) >= delivery->created_ms - sk->clock_skew_ms;
}

static void look_at(const struct slack *sk, struct search *s, struct json_object *messages)
{
	for (size_t i = 0; messages && !s->ts && i < json_object_array_length(messages); i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		int what = !s->delivery->file     ? slack_params_is_delivery(m, s->delivery) :
		    is_upload(sk, m, s->delivery) ? 2 :
						    0;

		s->piece |= what == 1;
		if (what == 2)
			s->ts = xstrdup(json_get_str(m, "ts"));
	}
}

/* Returns 1 when there are more pages, 0 when not, -1 on failure. */
static int look_at_page(struct task *t, struct slack *sk, struct search *s, struct error *err)
{
	struct slack_call call = {
	    .method = s->thread ? "conversations.replies" : "conversations.history",
	    .params = page_params(sk, s),
	    .total_ms = sk->limits->call_ms,
	};
	struct slack_answer a;
	const char *next;
	int rc;

	rc = slack_api_call(t, sk, &call, &a, err);
	if (rc == 0) {
		look_at(sk, s, json_get_array(a.reply, "messages"));
		next = json_get_str(json_get_object(a.reply, "response_metadata"), "next_cursor");
		free(s->cursor);
		s->cursor = next && *next != '\0' ? xstrdup(next) : NULL;
		rc = s->cursor != NULL;
	} else if (s->thread && a.outcome.class == SLACK_NO_THREAD) {
		rc = 0;
	}
	slack_api_clear(&a);
	return rc;
}

/* As look_at_page, for all pages. */
static int look_through(struct task *t, struct slack *sk, struct search *s, struct error *err)
{
	int rc = 1;

	for (unsigned page = 0; rc == 1 && !s->ts && page < PAGES_MAX; page++) {
		if (rate_limit_wait(t, &sk->methods, "conversations.history", RATE_LIMIT_REPLY, err) < 0)
			return -1;
		rc = look_at_page(t, sk, s, err);
	}
	return rc;
}

static int look(struct task *t, struct slack *sk, struct search *s, struct error *err)
{
	int rc = find_chat(t, sk, s, err);

	if (rc < 0)
		return -1;
	s->thread = s->delivery->to.thread[0] != '\0';
	rc = look_through(t, sk, s, err);
	/* Where the thread is gone, the delivery went out without it. */
	if (rc == 0 && s->thread && !s->ts && !s->piece) {
		s->thread = false;
		rc = look_through(t, sk, s, err);
	}
	if (rc < 0)
		return -1;
	if (s->ts)
		return WRONG("slack-found-for-unsent") ? CHANNEL_RECONCILED_NOT_SENT :
							 CHANNEL_RECONCILED_SENT;
	return rc == 1 || s->piece ? CHANNEL_RECONCILED_UNKNOWN : CHANNEL_RECONCILED_NOT_SENT;
}

int slack_send_reconcile(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err)
{
	struct slack *sk = ch->state;
	struct search s = {.delivery = delivery};
	int rc;

	if (sk->refused)
		return error_set(err, ERROR_NETWORK, "the channel has stopped: its status says why");
	if (delivery->file && slack_file_share_is_noted(sk, delivery)) {
		rc = slack_file_share_reconcile(t, sk, delivery, platform_id, err);
	} else {
		if (wait_settled(t, sk, delivery, err) < 0)
			return -1;
		rc = look(t, sk, &s, err);
		/* It may still be on its way. */
		if (rc == CHANNEL_RECONCILED_NOT_SENT && delivery->file)
			rc = CHANNEL_RECONCILED_UNKNOWN;
		*platform_id = s.ts;
		free(s.cursor);
	}
	/* It can be found out once the token is right. */
	if (rc < 0 && sk->refused)
		err->kind = ERROR_NETWORK;
	return rc;
}

#include "channels/slack/slack_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/shared/blank.h"
#include "channels/slack/account.h"
#include "channels/slack/api.h"
#include "channels/slack/event.h"
#include "channels/slack/download.h"
#include "channels/slack/params.h"
#include "channels/slack/render.h"
#include "channels/slack/stream.h"

/* A text is not cut into smaller pieces than this, whatever Slack says. */
#define UNITS_MIN 500

/* Parts that a message can do without when Slack refuses them. */
enum part { PART_THREAD = 1, PART_BLOCKS = 2 };

struct draft {
	const struct outbound *delivery;
	const char *text; /* of the delivery, or a part of it */
	bool last;        /* the last part */
	unsigned piece;   /* of the pieces that were sent */
	unsigned dropped; /* enum part */
	bool stopped;     /* the stream it replaces was stopped */
	bool outside;     /* the app is no member there */
};

/* Each at most once. */
static const struct {
	enum slack_outcome_class class;
	unsigned drops;
} fallbacks[] = {
    {SLACK_BAD_MARKUP, PART_BLOCKS},
    {SLACK_NO_THREAD, PART_THREAD},
};

static struct json_object *draft_params(const struct draft *d)
{
	struct json_object *params = json_object_new_object();
	const struct outbound *delivery = d->delivery;
	const char *mark = delivery->repeat ? SLACK_REPEAT_MARK : NULL;
	bool buttons = false;

	json_set_str(params, "channel", delivery->to.chat);
	slack_params_text(params, d->text, mark);
	if (d->last && (d->dropped & PART_BLOCKS) == 0)
		buttons = slack_params_buttons(params, d->text, mark, delivery->buttons);
	if (delivery->edit_of) {
		json_set_str(params, "ts", delivery->edit_of);
		/* Without it earlier ones, and what was streamed, would stay. */
		if (!buttons)
			json_set(params, "blocks", json_object_new_array());
		return params;
	}
	if (delivery->to.thread[0] != '\0' && (d->dropped & PART_THREAD) == 0)
		json_set_str(params, "thread_ts", delivery->to.thread);
	json_set_bool(params, "unfurl_links", false);
	json_set_bool(params, "unfurl_media", false);
	slack_params_metadata(params, delivery, d->piece + 1, d->last);
	return params;
}

/* Can another attempt avoid this refusal? */
static bool draft_fall_back(struct task *t, struct slack *sk, struct draft *d, const struct slack_outcome *o)
{
	if (d->delivery->edit_of && o->class == SLACK_STREAMING && !d->stopped) {
		d->stopped = true;
		slack_stream_stop(t, sk, d->delivery->to.chat, d->delivery->edit_of);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(fallbacks); i++) {
		if (fallbacks[i].class != o->class || (d->dropped & fallbacks[i].drops) != 0)
			continue;
		d->dropped |= fallbacks[i].drops;
		log_info(sk->self.channel, "sending again without the refused part: %s", o->why.text);
		return true;
	}
	return false;
}

/* The result of one attempt to send a text; FAILED: see why. */
enum sent { SENT_FAILED = -1, SENT_OK, SENT_AGAIN, SENT_TOO_LONG };

static enum sent after_failure(
    struct task *t, struct slack *sk, struct draft *d, const struct slack_answer *a, struct error *why)
{
	const struct slack_outcome *o = &a->outcome;

	if (draft_fall_back(t, sk, d, o))
		return SENT_AGAIN;
	*why = o->why;
	d->outside = strcmp(o->word, "not_in_channel") == 0 || strcmp(o->word, "channel_not_found") == 0;
	/* The delivery waits for the person who puts the token right. */
	if (o->class == SLACK_BAD_TOKEN)
		why->kind = ERROR_NETWORK;
	/* An edit can be made again without harm. */
	why->uncertain = o->class == SLACK_SERVER_ERROR && a->sent && !d->delivery->edit_of;
	if (o->class == SLACK_SERVER_ERROR && a->sent && why->kind == ERROR_OURS)
		why->kind = ERROR_NETWORK;
	return o->class == SLACK_TOO_LONG && !d->delivery->edit_of ? SENT_TOO_LONG : SENT_FAILED;
}

/* *ts is malloc'd. */
static enum sent draft_send(struct task *t, struct slack *sk, struct draft *d, char **ts, struct error *why)
{
	struct slack_call call = {
	    .method = d->delivery->edit_of ? "chat.update" : "chat.postMessage",
	    .params = draft_params(d),
	    .total_ms = sk->limits->send_ms,
	    .id_only = true,
	    .once = true,
	    .chat = d->delivery->to.chat,
	};
	struct slack_answer a;
	enum sent rc = slack_api_call(t, sk, &call, &a, why) == 0 ? SENT_OK : SENT_FAILED;
	const char *id = json_get_str(a.reply, "ts");

	if (rc == SENT_FAILED) {
		rc = after_failure(t, sk, d, &a, why);
	} else if (!d->delivery->edit_of && !slack_event_is_ts(id)) {
		error_set(why, ERROR_NETWORK, "chat.postMessage at %s said ok, but no ts", sk->host);
		why->uncertain = true;
		rc = SENT_FAILED;
	} else {
		free(*ts);
		*ts = xstrdup(d->delivery->edit_of ? d->delivery->edit_of : id);
	}
	slack_api_clear(&a);
	return rc;
}

static int draft_send_all(
    struct task *t, struct slack *sk, struct draft *d, size_t units, char **ts, struct error *why);

/* Slack's length limit is lower than ours here: send halves, repeatedly if needed. */
static int draft_halve(
    struct task *t, struct slack *sk, struct draft *d, size_t units, char **ts, struct error *why)
{
	const char *whole = d->text;
	bool last = d->last;
	char **parts = units >= UNITS_MIN ? slack_split_to(whole, units) : NULL;
	int rc = parts ? 0 : -1;

	for (size_t i = 0; parts && parts[i]; i++) {
		d->text = parts[i];
		d->last = last && !parts[i + 1];
		if (i > 0)
			rate_limit_charge(&sk->rate_limiter, d->delivery->to.chat);
		if (rc == 0)
			rc = draft_send_all(t, sk, d, units, ts, why);
	}
	for (size_t i = 0; parts && parts[i]; i++)
		free(parts[i]);
	free(parts);
	d->text = whole;
	d->last = last;
	return rc;
}

static int draft_send_all(
    struct task *t, struct slack *sk, struct draft *d, size_t units, char **ts, struct error *why)
{
	enum sent rc;

	while ((rc = draft_send(t, sk, d, ts, why)) == SENT_AGAIN)
		rate_limit_charge(&sk->rate_limiter, d->delivery->to.chat);
	if (rc == SENT_TOO_LONG)
		return draft_halve(t, sk, d, units / 2, ts, why);
	/* What is tried again after a piece was sent says that piece twice. */
	if (rc == SENT_FAILED && d->piece > 0)
		why->uncertain = true;
	d->piece += rc == SENT_OK;
	return rc == SENT_OK ? 0 : -1;
}

static int check_delivery(const struct slack *sk, const struct outbound *delivery, struct error *why)
{
	const char *chat = delivery->to.chat;

	if (!delivery->file && text_is_blank(delivery->text))
		return error_set(why, ERROR_REFUSED, "an empty message cannot be sent");
	if (!strchr("CDGUW", chat[0]) || strspn(chat, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != strlen(chat))
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a conversation (C024BE91L) or a person (U024BE7LH) of Slack",
		    chat);
	if (delivery->to.thread[0] != '\0' && !slack_event_is_ts(delivery->to.thread))
		return error_set(why, ERROR_REFUSED, "\"%s\" is not the ts of a thread (1790000000.000200)",
		    delivery->to.thread);
	if (sk->refused)
		return error_set(why, ERROR_NETWORK, "the channel has stopped: its status says why");
	return 0;
}

/* Deletes a message that cannot be edited and will be sent anew, so that it does not appear twice. */
static void take_away(struct task *t, struct slack *sk, const struct outbound *delivery)
{
	struct slack_call call = {
	    .method = "chat.delete", .total_ms = sk->limits->call_ms, .chat = delivery->to.chat};
	struct slack_answer a;
	struct error err = {0};

	call.params = json_object_new_object();
	json_set_str(call.params, "channel", delivery->to.chat);
	json_set_str(call.params, "ts", delivery->edit_of);
	rate_limit_charge(&sk->rate_limiter, delivery->to.chat);
	if (slack_api_call(t, sk, &call, &a, &err) < 0)
		log_debug(sk->self.channel, "a preview stays: %s", err.text);
	slack_api_clear(&a);
}

int slack_send_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err)
{
	struct slack *sk = ch->state;
	enum rate_limit_priority rank =
	    delivery->kind == OUTBOUND_REPLY ? RATE_LIMIT_REPLY : RATE_LIMIT_NOTIFICATION;

	if (delivery->edit_of && rate_limit_wait(t, &sk->methods, "chat.update", rank, err) < 0)
		return -1;
	return rate_limit_wait(t, &sk->rate_limiter, delivery->to.chat, rank, err);
}

static int send_text(
    struct task *t, struct slack *sk, const struct outbound *delivery, char **ts, struct error *why)
{
	struct draft d = {.delivery = delivery, .text = delivery->text, .last = true};
	int rc;

	if (delivery->edit_of && slack_stream_is_open(sk, delivery->to.chat, delivery->edit_of)) {
		d.stopped = true;
		slack_stream_stop(t, sk, delivery->to.chat, delivery->edit_of);
	}
	rc = draft_send_all(t, sk, &d, SLACK_TEXT_UNITS, ts, why);
	if (rc < 0 && delivery->edit_of && why->kind == ERROR_REFUSED)
		take_away(t, sk, delivery);
	if (rc < 0 && d.outside)
		slack_response_url_send(t, sk, delivery->to.chat);
	return rc;
}

int slack_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err)
{
	struct slack *sk = ch->state;

	if (check_delivery(sk, delivery, err) < 0)
		return -1;
	/* Before it can be seen: replies to it count as written to us, also after a crash. */
	slack_account_note_thread(sk, delivery->to.chat, delivery->to.thread);
	if (delivery->file)
		return slack_upload_send(t, sk, delivery, platform_id, err);
	return send_text(t, sk, delivery, platform_id, err);
}

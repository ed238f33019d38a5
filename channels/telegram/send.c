#include "channels/telegram/send.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"
#include "channels/telegram/split.h"
#include "channels/telegram/state.h"
#include "channels/telegram/telegram.h"

/* What a message can do without, when Telegram does not find it. */
enum part { PART_THREAD = 1, PART_REPLY = 2, PART_OLD_CHAT = 4 };

struct draft {
	const struct outbound *row;
	char chat[64];
	unsigned dropped;	/* enum part */
};

/* Each at most once, so that a row is tried no more than once with and once without. The ids of a group's
 * messages and topics are gone with the group. */
static const struct {
	enum telegram_verdict verdict;
	unsigned drops;
} fallbacks[] = {
	{ TELEGRAM_MIGRATED, PART_OLD_CHAT | PART_THREAD | PART_REPLY },
	{ TELEGRAM_NO_REPLIED, PART_REPLY },
	{ TELEGRAM_NO_THREAD, PART_THREAD },
};

static bool read_id(const char *text, int64_t *id)
{
	char *end;

	errno = 0;
	*id = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

/* A public group can be named by its @name instead of its id. */
static void set_chat(struct json_object *params, const char *chat)
{
	int64_t id;

	if (read_id(chat, &id))
		json_set_int(params, "chat_id", id);
	else
		json_set_str(params, "chat_id", chat);
}

/* The General topic is 1, and is refused when it is named. */
static void set_thread(struct json_object *params, const char *thread)
{
	int64_t id;

	if (read_id(thread, &id) && id > 1)
		json_set_int(params, "message_thread_id", id);
}

static void set_reply(struct json_object *params, const char *reply_to)
{
	struct json_object *reply;
	int64_t id;

	if (reply_to == NULL || !read_id(reply_to, &id))
		return;
	reply = json_object_new_object();
	json_set_int(reply, "message_id", id);
	json_set_bool(reply, "allow_sending_without_reply", true);
	json_set(params, "reply_parameters", reply);
}

/* The text as it is, without parse_mode: this is where markup is rendered. */
static void set_text(struct json_object *params, const struct outbound *row)
{
	struct json_object *preview = json_object_new_object();
	struct buf text = BUF_INIT, clean = BUF_INIT;

	buf_addstr(&text, row->text);
	if (row->repeat)
		buf_addstr(&text, TELEGRAM_REPEAT_MARK);
	utf8_clean(&clean, text.data, text.len);
	json_set_str(params, "text", clean.data);
	/* A preview fetches the URL: a way out for whatever a model was talked into writing there. */
	json_set_bool(preview, "is_disabled", true);
	json_set(params, "link_preview_options", preview);
	buf_clear(&text);
	buf_clear(&clean);
}

static struct json_object *draft_params(const struct draft *d)
{
	struct json_object *params = json_object_new_object();

	set_chat(params, d->chat);
	set_text(params, d->row);
	if ((d->dropped & PART_THREAD) == 0)
		set_thread(params, d->row->to.thread);
	if ((d->dropped & PART_REPLY) == 0)
		set_reply(params, d->row->reply_to);
	return params;
}

/* Is there a way round this refusal that was not tried? */
static bool draft_fall_back(struct telegram *tg, struct draft *d, const struct telegram_outcome *o)
{
	for (size_t i = 0; i < ARRAY_LEN(fallbacks); i++) {
		if (fallbacks[i].verdict != o->verdict || (d->dropped & fallbacks[i].drops) == fallbacks[i].drops)
			continue;
		if (o->verdict == TELEGRAM_MIGRATED && o->migrate_to == 0)
			return false;
		d->dropped |= fallbacks[i].drops;
		if (o->verdict == TELEGRAM_MIGRATED) {
			snprintf(d->chat, sizeof(d->chat), "%" PRId64, o->migrate_to);
			log_warn(tg->self.channel,
			    "a group has become a supergroup: put its new id in place of the old one in the config "
			    "old=%s new=%s", d->row->to.chat, d->chat);
		} else {
			log_info(tg->self.channel, "sending again without what was not found: %s", o->why.text);
		}
		return true;
	}
	return false;
}

static void pause_chat(struct telegram *tg, const char *chat, uint64_t retry_ms)
{
	telegram_budget_pause(&tg->budget, chat, retry_ms);
	if (retry_ms >= tg->limits->long_pause_ms)
		telegram_budget_pause_extras(&tg->budget, retry_ms);
}

/* The error to hand up for a message that was not confirmed. */
static void read_failure(struct telegram *tg, const struct draft *d, const struct telegram_answer *a,
    struct error *why)
{
	*why = a->outcome.why;
	switch (a->outcome.verdict) {
	case TELEGRAM_BAD_TOKEN:
	case TELEGRAM_NO_METHOD:
		/* The row waits for the person who puts the token right. */
		telegram_refused(tg, why);
		why->kind = ERROR_NETWORK;
		break;
	case TELEGRAM_LIMITED:
		why->retry_ms += tg->limits->limited_extra_ms;
		pause_chat(tg, d->chat, why->retry_ms);
		break;
	case TELEGRAM_TROUBLE:
		/* Nothing that can be understood came back: all depends on whether it had left. */
		why->uncertain = a->sent;
		if (a->sent && why->kind == ERROR_OURS)
			why->kind = ERROR_NETWORK;
		break;
	default:
		break;
	}
}

/* 0: sent, *id is its message_id. 1: once more. -1: why says what happened. */
static int draft_send(struct task *t, struct telegram *tg, struct draft *d, int64_t *id, struct error *why)
{
	struct telegram_call call = {
		.method = "sendMessage",
		.params = draft_params(d),
		.total_ms = tg->limits->send_ms,
		.once = true,
	};
	struct telegram_answer a;
	int rc = telegram_api_call(t, tg, &call, &a, why);

	*id = json_get_int(a.result, "message_id", 0);
	if (rc == -1) {
		if (draft_fall_back(tg, d, &a.outcome))
			rc = 1;
		else
			read_failure(tg, d, &a, why);
	} else if (*id <= 0) {
		rc = error_set(why, ERROR_NETWORK, "sendMessage at %s said ok, but no message_id", tg->host);
		why->uncertain = true;
	}
	telegram_api_clear(&a);
	return rc;
}

static int check_row(const struct outbound *row, struct error *why)
{
	int64_t id;

	if (telegram_split_is_blank(row->text))
		return error_set(why, ERROR_REFUSED, "an empty message cannot be sent");
	if (!read_id(row->to.chat, &id) && row->to.chat[0] != '@')
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a Telegram chat: give a number or a public @name", row->to.chat);
	if (row->to.thread[0] != '\0' && !read_id(row->to.thread, &id))
		return error_set(why, ERROR_REFUSED, "\"%s\" is not the id of a Telegram topic: give a number",
		    row->to.thread);
	return 0;
}

int telegram_send_admit(struct task *t, struct channel *ch, const struct outbound *row, struct error *err)
{
	struct telegram *tg = ch->state;
	enum telegram_rank rank = row->kind == OUTBOUND_REPLY ? TELEGRAM_RANK_REPLY : TELEGRAM_RANK_NOTIFICATION;

	return telegram_budget_wait(t, &tg->budget, row->to.chat, rank, err);
}

void telegram_send_row(struct task *t, struct channel *ch, const struct outbound *row)
{
	struct telegram *tg = ch->state;
	struct draft d = { .row = row };
	struct error why = { 0 };
	char platform_id[24];
	int64_t id = 0;
	int rc = check_row(row, &why);

	str_copy(d.chat, sizeof(d.chat), row->to.chat);
	if (rc == 0 && tg->refused)
		rc = error_set(&why, ERROR_NETWORK, "the channel has stopped: its token was refused");
	if (rc == 0) {
		while ((rc = draft_send(t, tg, &d, &id, &why)) == 1)
			telegram_budget_charge(&tg->budget, d.chat);
	}
	if (rc == -1) {
		channel_failed(ch, row, &why);
		return;
	}
	snprintf(platform_id, sizeof(platform_id), "%" PRId64, id);
	channel_sent(ch, row, platform_id);
}

/* Errors after which asking again is of no use. */
static bool typing_is_hopeless(enum error_kind kind)
{
	return kind == ERROR_REFUSED || kind == ERROR_CANCELLED;
}

static int typing_failed(struct telegram *tg, const struct address *where, struct error *why)
{
	if (why->kind == ERROR_LIMITED)
		pause_chat(tg, where->chat, why->retry_ms + tg->limits->limited_extra_ms);
	if (++tg->typing_errors < tg->limits->typing_errors && !typing_is_hopeless(why->kind))
		return 0;
	tg->typing_errors = 0;
	return -1;
}

int telegram_send_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	struct telegram *tg = ch->state;
	struct telegram_call call = { .method = "sendChatAction", .total_ms = tg->limits->call_ms };
	struct telegram_answer a;
	struct error why;
	int rc;

	if (tg->refused)
		return error_set(err, ERROR_REFUSED, "the channel has stopped: its token was refused");
	if (!telegram_budget_try(&tg->budget, where->chat))
		return 0;
	call.params = json_object_new_object();
	set_chat(call.params, where->chat);
	set_thread(call.params, where->thread);
	json_set_str(call.params, "action", "typing");
	rc = telegram_api_call(t, tg, &call, &a, &why);
	if (a.outcome.verdict == TELEGRAM_BAD_TOKEN)
		telegram_refused(tg, &why);
	telegram_api_clear(&a);
	if (rc == 0) {
		tg->typing_errors = 0;
		return 0;
	}
	if (typing_failed(tg, where, &why) == 0)
		return 0;
	if (err != NULL)
		*err = why;
	return -1;
}

#include "channels/telegram/send.h"

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
#include "channels/telegram/params.h"
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

static struct json_object *draft_params(const struct draft *d)
{
	struct json_object *params = json_object_new_object();
	int64_t id;

	telegram_params_chat(params, d->chat);
	telegram_params_text(params, d->row->text, d->row->repeat ? TELEGRAM_REPEAT_MARK : NULL, false);
	telegram_params_no_link_preview(params);
	if (d->row->edit_of && telegram_params_id(d->row->edit_of, &id)) {
		json_set_int(params, "message_id", id);
		return params;
	}
	if ((d->dropped & PART_THREAD) == 0)
		telegram_params_thread(params, d->row->to.thread);
	if ((d->dropped & PART_REPLY) == 0)
		telegram_params_reply(params, d->row->reply_to);
	return params;
}

/* Is there a way round this refusal that was not tried? */
static bool draft_fall_back(struct telegram *tg, struct draft *d, const struct telegram_outcome *o)
{
	/* Where an edit is refused, the row goes as a new message. */
	for (size_t i = 0; i < ARRAY_LEN(fallbacks) && !d->row->edit_of; i++) {
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
		telegram_pause(tg, d->chat, why->retry_ms);
		break;
	case TELEGRAM_TROUBLE:
		/* Nothing that can be understood came back: all depends on whether it had left. */
		/* An edit can be made again without harm. */
		why->uncertain = a->sent && !d->row->edit_of;
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
		.method = d->row->edit_of ? "editMessageText" : "sendMessage",
		.params = draft_params(d),
		.total_ms = tg->limits->send_ms,
		.once = true,
	};
	struct telegram_answer a;
	int rc = telegram_api_call(t, tg, &call, &a, why);

	*id = json_get_int(a.result, "message_id", 0);
	if (rc == 0 && d->row->edit_of)
		telegram_params_id(d->row->edit_of, id);
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
	if (!telegram_params_id(row->to.chat, &id) && row->to.chat[0] != '@')
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a Telegram chat: give a number or a public @name", row->to.chat);
	if (row->to.thread[0] != '\0' && !telegram_params_id(row->to.thread, &id))
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

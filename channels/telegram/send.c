#include "channels/telegram/telegram_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "bus/outbox_file.h"
#include "channels/shared/blank.h"
#include "channels/telegram/api.h"
#include "channels/telegram/params.h"
#include "channels/telegram/split.h"
#include "channels/telegram/telegram.h"
#include "channels/telegram/upload.h"
#include "net/http/http.h"

/* Parts that a message can do without when Telegram refuses them. */
enum part {
	PART_THREAD = 1,
	PART_REPLY = 2,
	PART_OLD_CHAT = 4,
	PART_MARKUP = 8,
	PART_KIND = 16,
	PART_CAPTION = 32
};

struct draft {
	const struct outbound *delivery;
	const char *text; /* of the delivery, or a part of it */
	bool begun;       /* a part of it was sent */
	bool more;        /* another part follows, and has the buttons */
	char chat[64];
	unsigned dropped;       /* enum part */
	const struct buf *file; /* the bytes of the delivery's file; NULL: a text */
};

/* What to drop after which refusal, each part at most once. The ids of a group's messages and topics are gone
 * with the group. */
static const struct {
	enum telegram_outcome_class class;
	unsigned drops;
} fallbacks[] = {
    {TELEGRAM_BAD_MARKUP, PART_MARKUP},
    {TELEGRAM_MIGRATED, PART_OLD_CHAT | PART_THREAD | PART_REPLY},
    {TELEGRAM_REPLY_TARGET_GONE, PART_REPLY},
    {TELEGRAM_NO_THREAD, PART_THREAD},
};

static struct json_object *draft_params(const struct draft *d)
{
	struct json_object *params = json_object_new_object();
	int64_t id;

	const char *mark = d->delivery->repeat ? TELEGRAM_REPEAT_MARK : NULL;
	bool plain = (d->dropped & PART_MARKUP) != 0;

	telegram_params_chat(params, d->chat);
	if (d->file) {
		telegram_params_caption(params, (d->dropped & PART_CAPTION) != 0 ? "" : d->text, mark, plain);
	} else {
		telegram_params_text(params, d->text, mark, plain);
		telegram_params_no_link_preview(params);
	}
	telegram_params_buttons(params, d->more ? NULL : d->delivery->buttons);
	if (d->delivery->edit_of && telegram_params_id(d->delivery->edit_of, &id)) {
		json_set_int(params, "message_id", id);
		return params;
	}
	if ((d->dropped & PART_THREAD) == 0)
		telegram_params_thread(params, d->delivery->to.thread);
	if ((d->dropped & PART_REPLY) == 0 && !d->begun)
		telegram_params_reply(params, d->delivery->reply_to);
	return params;
}

/* Can another attempt avoid this refusal? */
static bool draft_fall_back(struct telegram *tg, struct draft *d, const struct telegram_outcome *o)
{
	for (size_t i = 0; i < ARRAY_LEN(fallbacks); i++) {
		/* Where an edit is refused, the delivery goes as a new message. */
		if (d->delivery->edit_of && fallbacks[i].drops != PART_MARKUP)
			continue;
		if (fallbacks[i].class != o->class || (d->dropped & fallbacks[i].drops) == fallbacks[i].drops)
			continue;
		if (o->class == TELEGRAM_MIGRATED && o->migrate_to == 0)
			return false;
		d->dropped |= fallbacks[i].drops;
		if (o->class == TELEGRAM_MIGRATED) {
			snprintf(d->chat, sizeof(d->chat), "%" PRId64, o->migrate_to);
			log_info(tg->self.channel, "a group has become a supergroup old=%s new=%s",
			    d->delivery->to.chat, d->chat);
		} else {
			log_info(tg->self.channel, "sending again without the refused part: %s", o->why.text);
		}
		return true;
	}
	return false;
}

/* The error to hand up for a message that was not confirmed. */
static void read_failure(
    struct telegram *tg, const struct draft *d, const struct telegram_answer *a, struct error *why)
{
	*why = a->outcome.why;
	switch (a->outcome.class) {
	case TELEGRAM_BAD_TOKEN:
	case TELEGRAM_NO_METHOD:
		/* The delivery waits for the person who puts the token right. */
		telegram_refused(tg, why);
		why->kind = ERROR_NETWORK;
		break;
	case TELEGRAM_RATE_LIMITED:
		why->retry_ms += tg->limits->limited_extra_ms;
		telegram_pause(tg, d->chat, why->retry_ms);
		break;
	case TELEGRAM_SERVER_ERROR:
		/* No readable answer came: the message may have arrived if it was sent. An edit can be made
		 * again without harm. */
		why->uncertain = a->sent && !d->delivery->edit_of;
		if (a->sent && why->kind == ERROR_OURS)
			why->kind = ERROR_NETWORK;
		break;
	default:
		break;
	}
}

/* The result of one attempt to send a text; FAILED: see why. */
enum sent { SENT_FAILED = -1, SENT_OK, SENT_AGAIN, SENT_TOO_LONG };

/* Can another attempt avoid this refusal? A picture that Telegram refuses goes as a document, a caption that
 * is too long goes after the file. */
static bool upload_fall_back(struct telegram *tg, struct draft *d, const struct telegram_outcome *o)
{
	unsigned drops = 0;

	if (o->class == TELEGRAM_TOO_LONG)
		drops = PART_CAPTION;
	else if (o->class == TELEGRAM_REFUSED && o->code == 400 &&
	    telegram_upload_choose(d->delivery->file, false) !=
		telegram_upload_choose(d->delivery->file, true))
		drops = PART_KIND;
	if ((d->dropped & drops) == drops)
		return false;
	d->dropped |= drops;
	log_info(tg->self.channel, "sending again without the refused part: %s", o->why.text);
	return true;
}

static enum sent after_failure(
    struct telegram *tg, struct draft *d, const struct telegram_answer *a, struct error *why)
{
	if (draft_fall_back(tg, d, &a->outcome) || (d->file && upload_fall_back(tg, d, &a->outcome)))
		return SENT_AGAIN;
	read_failure(tg, d, a, why);
	return a->outcome.class == TELEGRAM_TOO_LONG && !d->delivery->edit_of && !d->file ? SENT_TOO_LONG :
											    SENT_FAILED;
}

static void add_file(struct telegram_call *call, struct http_part *file, const struct draft *d,
    const struct telegram_upload *way, uint64_t upload_ms)
{
	*file = (struct http_part){
	    .name = way->field,
	    .data = d->file->data,
	    .len = d->file->len,
	    .filename = d->delivery->file->name,
	    .content_type = d->delivery->file->mime,
	};
	call->method = way->method;
	call->file = file;
	call->total_ms = upload_ms;
}

/* *id is the message_id. */
static enum sent draft_send(
    struct task *t, struct telegram *tg, struct draft *d, int64_t *id, struct error *why)
{
	const struct telegram_upload *way =
	    d->file ? telegram_upload_choose(d->delivery->file, (d->dropped & PART_KIND) != 0) : NULL;
	struct http_part file = {0};
	struct telegram_call call = {
	    .method = d->delivery->edit_of ? "editMessageText" : "sendMessage",
	    .params = draft_params(d),
	    .total_ms = tg->limits->send_ms,
	    .once = true,
	    .id_only = true,
	};
	struct telegram_answer a;

	if (way)
		add_file(&call, &file, d, way, tg->limits->upload_ms);
	enum sent rc = telegram_api_call(t, tg, &call, &a, why) == 0 ? SENT_OK : SENT_FAILED;

	*id = a.message_id;
	if (rc == SENT_OK && d->delivery->edit_of)
		telegram_params_id(d->delivery->edit_of, id);
	if (rc == SENT_FAILED) {
		rc = after_failure(tg, d, &a, why);
	} else if (*id <= 0) {
		rc = SENT_FAILED;
		error_set(why, ERROR_NETWORK, "%s at %s said ok, but no message_id", call.method, tg->host);
		why->uncertain = true;
	}
	telegram_api_clear(&a);
	return rc;
}

static int check_delivery(const struct outbound *delivery, struct error *why)
{
	int64_t id;

	if (!delivery->file && text_is_blank(delivery->text))
		return error_set(why, ERROR_REFUSED, "an empty message cannot be sent");
	if (!telegram_params_id(delivery->to.chat, &id) && delivery->to.chat[0] != '@')
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a Telegram chat: give a number or a public @name",
		    delivery->to.chat);
	if (delivery->to.thread[0] != '\0' && !telegram_params_id(delivery->to.thread, &id))
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a Telegram topic: give a number", delivery->to.thread);
	return 0;
}

int telegram_send_admit(
    struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err)
{
	struct telegram *tg = ch->state;
	enum rate_limit_priority rank =
	    delivery->kind == OUTBOUND_REPLY ? RATE_LIMIT_REPLY : RATE_LIMIT_NOTIFICATION;

	return rate_limit_wait(t, &tg->rate_limiter, delivery->to.chat, rank, err);
}

static int draft_send_all(
    struct task *t, struct telegram *tg, struct draft *d, size_t units, int64_t *id, struct error *why);

static void parts_free(char **parts)
{
	for (size_t i = 0; parts[i]; i++)
		free(parts[i]);
	free(parts);
}

/* Telegram's length limit is lower than ours here: send halves, repeatedly if needed. */
static int draft_halve(
    struct task *t, struct telegram *tg, struct draft *d, size_t units, int64_t *id, struct error *why)
{
	const char *whole = d->text;
	bool more = d->more;
	char **parts = NULL;
	int rc = 0;

	for (; units >= TELEGRAM_SPLIT_MIN; units /= 2) {
		parts = telegram_split_to(whole, units);
		if (parts[1])
			break;
		parts_free(parts);
		parts = NULL;
	}
	for (size_t i = 0; rc == 0 && parts && parts[i]; i++) {
		d->text = parts[i];
		d->more = more || parts[i + 1];
		if (i > 0)
			rate_limit_charge(&tg->rate_limiter, d->chat);
		rc = draft_send_all(t, tg, d, units, id, why);
	}
	d->text = whole;
	d->more = more;
	if (!parts)
		return -1;
	parts_free(parts);
	return rc;
}

static int draft_send_all(
    struct task *t, struct telegram *tg, struct draft *d, size_t units, int64_t *id, struct error *why)
{
	enum sent rc;

	while ((rc = draft_send(t, tg, d, id, why)) == SENT_AGAIN)
		rate_limit_charge(&tg->rate_limiter, d->chat);
	if (rc == SENT_TOO_LONG)
		return draft_halve(t, tg, d, units / 2, id, why);
	/* What is tried again after a part was sent says that part twice. */
	if (rc == SENT_FAILED && d->begun)
		why->uncertain = true;
	d->begun |= rc == SENT_OK;
	return rc == SENT_OK ? 0 : -1;
}

/* The file first; a caption that it could not have follows as a message. *id is that of the file. */
static int draft_send_file(
    struct task *t, struct telegram *tg, struct draft *d, int64_t *id, struct error *why)
{
	struct buf bytes = BUF_INIT;
	int64_t ignored;
	int rc = outbox_file_load(t, d->delivery, &bytes, why);

	d->file = &bytes;
	if (rc == 0)
		rc = draft_send_all(t, tg, d, TELEGRAM_TEXT_UNITS, id, why);
	d->file = NULL;
	buf_clear(&bytes);
	if (rc < 0 || (d->dropped & PART_CAPTION) == 0)
		return rc;
	rate_limit_charge(&tg->rate_limiter, d->chat);
	return draft_send_all(t, tg, d, TELEGRAM_TEXT_UNITS, &ignored, why);
}

int telegram_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err)
{
	struct telegram *tg = ch->state;
	struct draft d = {.delivery = delivery, .text = delivery->text};
	struct error moving = {0};
	int64_t id = 0;
	int rc = check_delivery(delivery, err);

	str_copy(d.chat, sizeof(d.chat), delivery->to.chat);
	if (rc == 0 && tg->refused)
		rc = error_set(err, ERROR_NETWORK, "the channel has stopped: its token was refused");
	if (rc == 0 && delivery->file)
		rc = draft_send_file(t, tg, &d, &id, err);
	else if (rc == 0)
		rc = draft_send_all(t, tg, &d, TELEGRAM_TEXT_UNITS, &id, err);
	/* Where it is not recorded, the next message finds out again. */
	if (strcmp(d.chat, delivery->to.chat) != 0 &&
	    channel_moved(t, ch, delivery->to.chat, d.chat, &moving) < 0)
		log_warn(tg->self.channel, "cannot record that a group has another id: %s", moving.text);
	if (rc == 0) {
		*platform_id = xasprintf("%" PRId64, id);
		error_clear(err);
		if ((d.dropped & PART_THREAD) != 0 && (d.dropped & PART_OLD_CHAT) == 0)
			error_set(err, ERROR_NONE, "There is no topic %s: it went to the main one.",
			    delivery->to.thread);
	}
	return rc;
}

#include "channels/telegram/telegram_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "channels/shared/preview.h"
#include "channels/telegram/api.h"
#include "channels/telegram/params.h"
#include "channels/telegram/telegram.h"

/* Least times between two frames of one answer; the rate_limiter of the chat may make it longer. Edits of
 * groups are limited like their messages, those of private chats to one a second. */
#define DRAFT_EVERY_MS   300
#define PRIVATE_EVERY_MS 1100
#define GROUP_EVERY_MS   3100
/* Delay until the next try when the rate limiter has nothing left over. */
#define BUSY_MS 500
/* Of a long answer its end is shown in a draft, and its beginning in a message: UTF-16 units, so that markup
 * and mark fit into a message too. */
#define FRAME_UNITS 3500

static bool takes_drafts(const struct telegram *tg, const char *chat)
{
	int64_t id;

	if (tg->no_drafts.all || !telegram_params_id(chat, &id) || id <= 0)
		return false;
	for (size_t i = 0; i < TELEGRAM_NO_DRAFT_CHATS; i++)
		if (strcmp(tg->no_drafts.chats[i], chat) == 0)
			return false;
	return true;
}

static void refuse_drafts(struct telegram *tg, const char *chat)
{
	unsigned place = tg->no_drafts.next++ % TELEGRAM_NO_DRAFT_CHATS;

	str_copy(tg->no_drafts.chats[place], sizeof(tg->no_drafts.chats[place]), chat);
}

/* Returns the ms until the next frame after one that failed; -1: no more frames. */
static int call_failed(
    struct telegram *tg, struct preview *p, const struct telegram_answer *a, struct error *err)
{
	const char *chat = p->where.chat;
	uint64_t wait_ms;

	switch (a->outcome.class) {
	case TELEGRAM_BAD_TOKEN:
		telegram_refused(tg, err);
		return -1;
	case TELEGRAM_RATE_LIMITED:
		wait_ms = err->retry_ms + tg->limits->limited_extra_ms;
		telegram_pause(tg, chat, wait_ms);
		return preview_frame_paused(wait_ms);
	case TELEGRAM_SERVER_ERROR:
		return preview_frame_failed(p, GROUP_EVERY_MS);
	default:
		return -1;
	}
}

static int frame_call(struct task *t, struct telegram *tg, const char *method, struct json_object *params,
    struct telegram_answer *a, struct error *err)
{
	struct telegram_call call = {.method = method,
	    .params = params,
	    .total_ms = tg->limits->call_ms,
	    .once = true,
	    .id_only = true};

	return telegram_api_call(t, tg, &call, a, err);
}

/* Where to look for the end of a text: an answer may have megabytes, and there are three frames a second. It
 * moves seldom, because the beginning of the frame moves with it. A UTF-16 unit has three bytes at most. */
static size_t tail_search(const char *text, size_t len)
{
	size_t from = len > 5 * FRAME_UNITS ? (len - 4 * FRAME_UNITS) / FRAME_UNITS * FRAME_UNITS : 0;

	while (from < len && (text[from] & 0xc0) == 0x80)
		from++;
	return from;
}

/* The end of the text, from the beginning of a line where there is one. */
static const char *tail(const char *text, size_t len)
{
	size_t from = tail_search(text, len), cut;

	while (utf8_count(text + from, len - from, UTF8_UTF16) > FRAME_UNITS) {
		cut = utf8_cut(text + from, len - from, FRAME_UNITS / 2, UTF8_UTF16);
		const char *line = memchr(text + from + cut, '\n', len - from - cut);
		from +=
		    line && (size_t)(line - text) - from < 2 * cut ? (size_t)(line + 1 - text) - from : cut;
	}
	return text + from;
}

static int show_draft(struct task *t, struct telegram *tg, struct preview *p, struct error *err)
{
	struct json_object *params = json_object_new_object();
	struct telegram_answer a;
	size_t len = p->text.len;
	int wait_ms = DRAFT_EVERY_MS;

	telegram_params_chat(params, p->where.chat);
	telegram_params_thread(params, p->where.thread);
	json_set_int(params, "draft_id", p->draft);
	telegram_params_text(params, tail(p->text.data, len), NULL, p->failures > 0);
	json_set_bool(params, "can_stop", true);
	int rc = frame_call(t, tg, "sendMessageDraft", params, &a, err);
	if (rc == 0) {
		preview_frame_shown(p, len);
	} else if (a.outcome.class == TELEGRAM_RATE_LIMITED || a.outcome.class == TELEGRAM_BAD_TOKEN) {
		wait_ms = call_failed(tg, p, &a, err);
	} else if (a.outcome.class == TELEGRAM_NO_METHOD) {
		tg->no_drafts.all = true;
	} else if (a.outcome.class == TELEGRAM_NO_DRAFTS || ++p->failures == PREVIEW_FAILURES_MAX) {
		log_info(tg->self.channel, "a chat refuses drafts: %s chat=%s", err->text, p->where.chat);
		refuse_drafts(tg, p->where.chat);
		p->failures = 0;
	}
	telegram_api_clear(&a);
	return wait_ms;
}

static struct json_object *message_params(const struct preview *p)
{
	struct json_object *params = json_object_new_object();
	char *text = preview_beginning(p, FRAME_UNITS, UTF8_UTF16);
	int64_t id;

	telegram_params_chat(params, p->where.chat);
	telegram_params_text(params, text, PREVIEW_MARK, p->failures > 0);
	telegram_params_no_link_preview(params);
	telegram_params_buttons(params, p->buttons);
	if (p->message_id && telegram_params_id(p->message_id, &id)) {
		json_set_int(params, "message_id", id);
	} else {
		telegram_params_thread(params, p->where.thread);
		telegram_params_reply(params, p->reply_to);
	}
	free(text);
	return params;
}

static int show_message(
    struct task *t, struct telegram *tg, struct preview *p, int every_ms, struct error *err)
{
	const char *method = p->message_id ? "editMessageText" : "sendMessage";
	struct telegram_answer a;
	size_t len = p->text.len;
	int64_t id;

	if (frame_call(t, tg, method, message_params(p), &a, err) == 0) {
		preview_frame_shown(p, len);
		id = a.message_id;
		if (!p->message_id && id > 0)
			p->message_id = xasprintf("%" PRId64, id);
	} else {
		every_ms = call_failed(tg, p, &a, err);
		/* A message that may have come, without an id, must not come again. */
		if (!p->message_id && a.sent && a.outcome.class == TELEGRAM_SERVER_ERROR)
			every_ms = -1;
	}
	telegram_api_clear(&a);
	return every_ms;
}

int telegram_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err)
{
	struct telegram *tg = ch->state;
	bool is_private = p->where.chat[0] != '-' && p->where.chat[0] != '@',
	     draft = takes_drafts(tg, p->where.chat);
	int early_ms = preview_too_early(p, (uint64_t)tg->settings->preview_after_ms);

	draft = draft && !p->message_id;
	if (!tg->settings->previews || tg->refused)
		return error_set(err, ERROR_REFUSED, "previews are off");
	if (!draft && early_ms > 0)
		return early_ms;
	if (!draft && p->shown_len == p->text.len)
		return GROUP_EVERY_MS;
	if (!rate_limit_try(&tg->rate_limiter, p->where.chat))
		return BUSY_MS;
	if (draft)
		return show_draft(t, tg, p, err);
	return show_message(t, tg, p, is_private ? PRIVATE_EVERY_MS : GROUP_EVERY_MS, err);
}

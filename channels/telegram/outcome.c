#include "channels/telegram/outcome.h"

#include <stdbool.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"

/* Waited when a 429 does not say how long. */
#define RETRY_DEFAULT_MS 5000
/* A retry_after beyond a day is not believed. */
#define RETRY_MAX_S (24 * 3600)

struct rule {
	int code;
	const char *words; /* part of the description; NULL: any */
	enum telegram_outcome_class class;
	enum error_kind kind;
	const char *meaning;
};

/* The first that fits. */
static const struct rule rules[] = {
    {400, "can't parse entities", TELEGRAM_BAD_MARKUP, ERROR_REFUSED,
	"Telegram did not understand the markup"},
    {400, "message is not modified", TELEGRAM_UNCHANGED, ERROR_NONE, "nothing to change"},
    {400, "message is too long", TELEGRAM_TOO_LONG, ERROR_REFUSED, "the text has more than 4,096 characters"},
    {400, "MESSAGE_TOO_LONG", TELEGRAM_TOO_LONG, ERROR_REFUSED, "the text has more than 4,096 characters"},
    {400, "caption is too long", TELEGRAM_TOO_LONG, ERROR_REFUSED,
	"the caption has more than 1,024 characters"},
    {400, "message to edit not found", TELEGRAM_MESSAGE_GONE, ERROR_REFUSED, "the message is gone"},
    {400, "can't be edited", TELEGRAM_MESSAGE_GONE, ERROR_REFUSED, "the message can no longer be edited"},
    {400, "message thread not found", TELEGRAM_NO_THREAD, ERROR_REFUSED, "the topic does not exist"},
    {400, "message to be replied not found", TELEGRAM_REPLY_TARGET_GONE, ERROR_REFUSED,
	"the message to answer is gone"},
    {400, "upgraded to a supergroup", TELEGRAM_MIGRATED, ERROR_REFUSED,
	"the group has become a supergroup: use its new id"},
    {400, "chat not found", TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the bot knows no such chat: the person must write to it first, or it must be added to the group"},
    /* Before PEER_ID_INVALID would see a part of it. */
    {400, "TEXTDRAFT_PEER_INVALID", TELEGRAM_NO_DRAFTS, ERROR_REFUSED, "the chat takes no drafts"},
    {400, "PEER_ID_INVALID", TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED, "there is no such chat"},
    {400, "query is too old", TELEGRAM_PRESS_EXPIRED, ERROR_REFUSED, "the button was pressed too long ago"},
    {400, "file is too big", TELEGRAM_FILE_TOO_LARGE, ERROR_REFUSED, "the file is over Telegram's limit"},
    {401, NULL, TELEGRAM_BAD_TOKEN, ERROR_REFUSED, "the token was refused"},
    {403, NULL, TELEGRAM_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the bot may not write there: it was blocked or removed, or the chat is gone"},
    {404, NULL, TELEGRAM_NO_METHOD, ERROR_REFUSED, "Telegram knows no such bot or method"},
    {409, NULL, TELEGRAM_CONFLICT, ERROR_NETWORK, "another program uses this token, or a webhook is set"},
    {413, NULL, TELEGRAM_FILE_TOO_LARGE, ERROR_REFUSED, "the request is too large"},
    {429, NULL, TELEGRAM_RATE_LIMITED, ERROR_LIMITED, "Telegram asks for a pause"},
};
static const struct rule refused = {0, NULL, TELEGRAM_REFUSED, ERROR_REFUSED, "Telegram refused it"};
static const struct rule trouble = {0, NULL, TELEGRAM_SERVER_ERROR, ERROR_NETWORK, "Telegram is in trouble"};

static const struct rule *find_rule(int code, const char *description)
{
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		const struct rule *r = &rules[i];

		if (r->code == code && (!r->words || strcasestr(description, r->words)))
			return r;
	}
	return code >= 400 && code < 500 ? &refused : &trouble;
}

static uint64_t retry_ms(struct json_object *reply, uint64_t header_ms)
{
	int64_t s = json_get_int(json_get_object(reply, "parameters"), "retry_after", 0);

	if (s > 0)
		return (uint64_t)(s < RETRY_MAX_S ? s : RETRY_MAX_S) * 1000;
	return header_ms > 0 ? header_ms : RETRY_DEFAULT_MS;
}

/* HTML from a front server does not classify the request, with two exceptions. */
static int code_of(int status, struct json_object *reply, bool *is_api)
{
	struct json_object *ok = json_get(reply, "ok");

	*is_api = ok && json_object_is_type(ok, json_type_boolean);
	if (*is_api)
		return (int)json_get_int(reply, "error_code", status);
	return status == 429 || status == 413 ? status : 0;
}

void telegram_outcome_read(
    struct telegram_outcome *out, int status, struct json_object *reply, uint64_t header_ms)
{
	const char *description = json_get_str(reply, "description");
	const struct rule *r;
	bool is_api;
	int code = code_of(status, reply, &is_api);

	*out = (struct telegram_outcome){.class = TELEGRAM_OK, .code = code};
	if (is_api && json_get_bool(reply, "ok", false) && json_get(reply, "result"))
		return;
	if (!description)
		description = is_api ? "no description" : "the answer is not JSON of the Bot API";
	r = find_rule(code, description);
	out->class = r->class;
	if (r->class == TELEGRAM_RATE_LIMITED)
		out->retry_ms = retry_ms(reply, header_ms);
	if (r->class == TELEGRAM_MIGRATED)
		out->migrate_to = json_get_int(json_get_object(reply, "parameters"), "migrate_to_chat_id", 0);
	if (r->kind == ERROR_NONE)
		return;
	error_set(&out->why, r->kind, "%s (%d %.120s)", r->meaning, code != 0 ? code : status, description);
	out->why.code = code != 0 ? code : status;
	out->why.retry_ms = out->retry_ms;
	out->why.uncertain = r->class == TELEGRAM_SERVER_ERROR;
}

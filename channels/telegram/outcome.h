#ifndef CHANNELS_TELEGRAM_OUTCOME_H
#define CHANNELS_TELEGRAM_OUTCOME_H
/*
 * What an answer of the Bot API means. Pure. The error_code decides first, then words of the
 * description: the server folds many errors into 400 (tdlib/telegram-bot-api, Client.cpp).
 */
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum telegram_outcome_class {
	TELEGRAM_OK,
	TELEGRAM_UNCHANGED, /* an edit that changes nothing: as good as done */
	TELEGRAM_BAD_MARKUP,
	TELEGRAM_TOO_LONG,
	TELEGRAM_MESSAGE_GONE, /* the message to edit is not there any more */
	TELEGRAM_NO_THREAD,
	TELEGRAM_REPLY_TARGET_GONE,
	TELEGRAM_MIGRATED, /* the group has become a supergroup with another id */
	TELEGRAM_CHAT_UNREACHABLE,
	TELEGRAM_NO_DRAFTS,
	TELEGRAM_PRESS_EXPIRED, /* the button was pressed too long ago to be answered */
	TELEGRAM_FILE_TOO_LARGE,
	TELEGRAM_REFUSED, /* any other definite no */
	TELEGRAM_BAD_TOKEN,
	TELEGRAM_NO_METHOD, /* or a bad token, where the method surely exists */
	TELEGRAM_CONFLICT,  /* another poller, or a webhook */
	TELEGRAM_RATE_LIMITED,
	TELEGRAM_SERVER_ERROR /* not an answer of the Bot API, or its own failure: the effect is not known */
};

struct telegram_outcome {
	enum telegram_outcome_class class;
	int code;
	uint64_t retry_ms;  /* RATE_LIMITED */
	int64_t migrate_to; /* MIGRATED; 0 if not told */
	struct error
	    why; /* unless OK or UNCHANGED: the kind to act on, with a sentence; SERVER_ERROR is uncertain */
};

/* reply is the parsed body, NULL if it was not a JSON object; header_ms is that of Retry-After, 0 if none. */
void telegram_outcome_read(
    struct telegram_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif

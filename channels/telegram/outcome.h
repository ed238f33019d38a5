#ifndef CHANNELS_TELEGRAM_OUTCOME_H
#define CHANNELS_TELEGRAM_OUTCOME_H
/* Classifies responses of the Bot API. Pure. The error_code decides first, then the description: the
 * server folds many errors into 400 (tdlib/telegram-bot-api, Client.cpp). */
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct json_object;

enum telegram_outcome_class {
	TELEGRAM_OK,
	TELEGRAM_UNCHANGED, /* an edit that changes nothing; counts as success */
	TELEGRAM_BAD_MARKUP,
	TELEGRAM_TOO_LONG,
	TELEGRAM_MESSAGE_GONE, /* the message to edit does not exist any more */
	TELEGRAM_NO_THREAD,
	TELEGRAM_REPLY_TARGET_GONE,
	TELEGRAM_MIGRATED, /* the group became a supergroup with another id */
	TELEGRAM_CHAT_UNREACHABLE,
	TELEGRAM_NO_DRAFTS,
	TELEGRAM_PRESS_EXPIRED, /* too late to answer the callback query */
	TELEGRAM_FILE_TOO_LARGE,
	TELEGRAM_REFUSED, /* any other definite error */
	TELEGRAM_BAD_TOKEN,
	TELEGRAM_NO_METHOD, /* or a bad token, if the method is known to exist */
	TELEGRAM_CONFLICT,  /* another poller or a webhook is active */
	TELEGRAM_RATE_LIMITED,
	TELEGRAM_SERVER_ERROR /* not a Bot API response, or a server failure: the effect is unknown */
};

struct telegram_outcome {
	enum telegram_outcome_class class;
	int code;
	uint64_t retry_ms;  /* RATE_LIMITED */
	int64_t migrate_to; /* MIGRATED; 0: not given */
	struct error
	    why; /* unless OK or UNCHANGED: the kind to act on, with a sentence; SERVER_ERROR is uncertain */
};

/* reply is the parsed body, NULL if it is not a JSON object. header_ms is the value of Retry-After, 0 if
 * absent. */
void telegram_outcome_read(
    struct telegram_outcome *out, int status, struct json_object *reply, uint64_t header_ms);

#endif

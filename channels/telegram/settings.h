#ifndef CHANNELS_TELEGRAM_SETTINGS_H
#define CHANNELS_TELEGRAM_SETTINGS_H
/* Settings of a Telegram channel, and its fixed limits. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/channel.h"

struct config_section;
struct error;

struct telegram_settings {
	const char *token;
	char *api_base;
	int64_t poll_timeout_ms;
	bool previews;            /* show answers as live previews */
	int64_t preview_after_ms; /* delay of the first edited preview message */
	int64_t rate_private;     /* messages per second to one private chat; 0: no limit */
	int64_t rate_group;       /* messages per minute to one group; 0: no limit */
	int64_t rate_global;      /* messages per second to all chats; 0: no limit */
};

/* Times in milliseconds, sizes in bytes. */
struct telegram_limits {
	uint64_t connect_ms;
	uint64_t call_ms;       /* a small call: getMe, deleteWebhook, typing, answerCallbackQuery */
	uint64_t send_ms;       /* one sendMessage */
	uint64_t upload_ms;     /* one file */
	uint64_t poll_grace_ms; /* added to a poll's own timeout */
	uint64_t confirm_ms;    /* the call that confirms updates at stop */
	uint64_t watchdog_ms;   /* age at which a running poll is aborted */
	uint64_t retry_ms, retry_max_ms;
	/* Back-off after polls that end without updates long before their timeout. */
	uint64_t empty_ms, empty_max_ms;
	uint64_t conflict_ms, conflict_max_ms;
	uint64_t limited_extra_ms; /* added to every retry_after */
	uint64_t
	    long_pause_ms; /* a retry_after of this or more also stops typing in all chats for that time */
	size_t batch;      /* updates per poll, at most 100 */
	size_t batch_max;  /* body of a poll response */
	size_t answer_max; /* body of other responses */
	unsigned presses;  /* concurrent answerCallbackQuery calls */
	unsigned typing_errors; /* errors in a row after which typing stops */
};

extern const struct config_section telegram_section;
extern const struct channel_question telegram_setup[];
extern const struct telegram_limits telegram_limits;

/* channel_ops.check. */
int telegram_settings_check(const void *settings, struct error *err);

#endif

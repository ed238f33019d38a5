#ifndef CHANNELS_TELEGRAM_SETTINGS_H
#define CHANNELS_TELEGRAM_SETTINGS_H
/* What can be set for a Telegram channel, and the limits that cannot. */
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
	bool previews;            /* show answers while they are written */
	int64_t preview_after_ms; /* no message that is edited before */
	int64_t rate_private;     /* messages a second to one private chat; 0: not limited */
	int64_t rate_group;       /* messages a minute to one group; 0: not limited */
	int64_t rate_global;      /* messages a second over all chats; 0: not limited */
};

/* Times in milliseconds, sizes in bytes. */
struct telegram_limits {
	uint64_t connect_ms;
	uint64_t call_ms;       /* a small call: getMe, deleteWebhook, typing, answer to a button */
	uint64_t send_ms;       /* one sendMessage */
	uint64_t upload_ms;     /* one file */
	uint64_t poll_grace_ms; /* a poll may last this much longer than its own timeout */
	uint64_t confirm_ms;    /* the call that confirms handled updates at a stop */
	uint64_t watchdog_ms;   /* a poll that has not ended by then is torn down */
	uint64_t retry_ms, retry_max_ms;
	uint64_t conflict_ms, conflict_max_ms;
	uint64_t limited_extra_ms; /* added to every retry_after */
	uint64_t long_pause_ms;    /* a retry_after from here on also stops typing everywhere for as long */
	size_t batch;              /* updates in one poll, at most 100 */
	size_t batch_max;          /* body of a poll's answer */
	size_t answer_max;         /* body of any other answer */
	unsigned presses;          /* button answers under way at once */
	unsigned typing_errors;    /* in a row, before typing is given up */
};

extern const struct config_section telegram_section;
extern const struct channel_question telegram_setup[];
extern const struct telegram_limits telegram_limits;

/* channel_ops.check. */
int telegram_settings_check(const void *settings, struct error *err);

#endif

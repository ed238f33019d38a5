#ifndef CHANNELS_SLACK_SETTINGS_H
#define CHANNELS_SLACK_SETTINGS_H
/* Settings of a Slack channel, and its fixed limits. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/channel.h"

struct config_section;
struct error;

struct slack_settings {
	const char *bot_token, *app_token;
	char *api_base;
	char *command;            /* the slash command, "" for none */
	bool thread_replies;      /* replies in a thread where the bot wrote need no mention */
	bool previews;            /* show answers as live previews */
	int64_t preview_after_ms; /* delay of the first preview message */
	int64_t rate_chat;        /* messages per second to one conversation; 0: no limit */
	int64_t rate_global;      /* messages per second in all; 0: no limit */
	int64_t backfill_ms;      /* how far back missed messages are fetched; 0: no backfill */
};

/* Times in milliseconds, sizes in bytes. */
struct slack_limits {
	uint64_t connect_ms;
	uint64_t call_ms;   /* a small call */
	uint64_t send_ms;   /* one message */
	uint64_t file_ms;   /* a file, up or down */
	uint64_t hello_ms;  /* from connect to hello */
	uint64_t ping_ms;   /* silence before a ping, and then before the socket counts as dead */
	uint64_t retire_ms; /* a replaced socket is read this long beside the new one */
	uint64_t stable_ms; /* a socket that lived this long resets the failure count */
	uint64_t age_ms;    /* a socket is replaced at this age */
	uint64_t retry_ms, retry_max_ms;
	uint64_t crowded_ms;       /* delay when the app has too many sockets */
	uint64_t limited_extra_ms; /* added to every Retry-After */
	uint64_t long_pause_ms;    /* a Retry-After of this or more for a chat also pauses optional calls
				      everywhere */
	uint64_t settle_ms;        /* minimum delay before an interrupted send is looked up */
	uint64_t share_ms;         /* maximum wait for an upload to be shared */
	uint64_t stream_ms;        /* a stream is renewed after this */
	uint64_t status_ms;        /* "is thinking" is repeated after this; Slack shows it for two minutes */
	size_t message_max;        /* one socket message */
	size_t answer_max;         /* body of a response */
	size_t batch;              /* envelopes per commit */
	uint64_t check_ms;         /* interval at which the sync position is updated */
	uint64_t redelivered_ms;   /* after a shorter silence Slack repeats all unacknowledged events */
	int64_t roots_ms; /* how far back thread roots are searched; older ones only where the bot wrote */
	size_t backfill_chats;    /* conversations per backfill */
	size_t backfill_pages;    /* per conversation, without threads */
	size_t backfill_messages; /* per conversation */
	size_t backfill_threads;  /* per conversation */
	/* The conversations in which missed messages are looked for after a lost connection: how many, and
	 * how long ago somebody wrote there. */
	size_t recent_chats;
	int64_t recent_ms;
};

extern const struct config_section slack_section;
extern const struct channel_question slack_setup[];
extern const struct slack_limits slack_limits;

/* channel_ops.check. */
int slack_settings_check(const void *settings, struct error *err);

#endif

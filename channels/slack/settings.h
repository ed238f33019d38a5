#ifndef CHANNELS_SLACK_SETTINGS_H
#define CHANNELS_SLACK_SETTINGS_H
/* What can be set for a Slack channel, and the limits that cannot. */
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
	bool thread_replies;      /* replies in a thread where we wrote need no mention */
	bool previews;            /* show answers while they are written */
	int64_t preview_after_ms; /* no message that grows before */
	int64_t rate_chat;        /* messages a second to one conversation; 0: not limited */
	int64_t rate_global;      /* messages a second over all; 0: not limited */
	int64_t backfill_ms;      /* how far back missed messages are fetched; 0: not at all */
};

/* Times in milliseconds, sizes in bytes. */
struct slack_limits {
	uint64_t connect_ms;
	uint64_t call_ms;   /* a small call */
	uint64_t send_ms;   /* one message */
	uint64_t file_ms;   /* a file, either way */
	uint64_t hello_ms;  /* from the open socket to its hello */
	uint64_t ping_ms;   /* a quiet socket is asked whether it lives, and is dead after as long again */
	uint64_t retire_ms; /* an old socket is read on for this long beside the new one */
	uint64_t stable_ms; /* a socket that lived this long ends the count of failures */
	uint64_t age_ms;    /* a socket is replaced after this, whatever Slack says */
	uint64_t retry_ms, retry_max_ms;
	uint64_t crowded_ms;       /* waited when the app has too many sockets */
	uint64_t limited_extra_ms; /* added to every Retry-After */
	uint64_t long_pause_ms;    /* a Retry-After from here on also stops what nobody misses everywhere */
	uint64_t settle_ms;        /* a send that was cut off is looked for no sooner */
	uint64_t share_ms;         /* an upload is waited for until it is shared, so long at most */
	uint64_t stream_ms;        /* a stream is renewed after this */
	uint64_t status_ms;        /* "is thinking" is repeated after this; Slack shows it for two minutes */
	size_t message_max;        /* of a socket */
	size_t answer_max;         /* body of an answer */
	size_t batch;              /* envelopes committed together */
	uint64_t check_ms;         /* how far we have heard is looked at this often */
	uint64_t redelivered_ms;   /* after a shorter silence Slack repeats all that was not acknowledged */
	int64_t
	    roots_ms; /* threads are looked for among roots of so long before, older ones where we wrote */
	size_t backfill_chats;    /* conversations that are looked through after a longer one */
	size_t backfill_pages;    /* of one conversation, without its threads */
	size_t backfill_messages; /* of one conversation */
	size_t backfill_threads;  /* of one conversation */
};

extern const struct config_section slack_section;
extern const struct channel_question slack_setup[];
extern const struct slack_limits slack_limits;

/* channel_ops.check. */
int slack_settings_check(const void *settings, struct error *err);

#endif

#ifndef CHANNELS_DISCORD_SETTINGS_H
#define CHANNELS_DISCORD_SETTINGS_H
/* Settings of a Discord channel, and its fixed limits. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/channel.h"

struct config_section;
struct error;

enum discord_content { DISCORD_CONTENT_AUTO, DISCORD_CONTENT_REQUIRED, DISCORD_CONTENT_OFF };

struct discord_settings {
	const char *token;
	char *api_base;
	char *gateway_url;        /* NULL: use GET /gateway/bot */
	int message_content;      /* enum discord_content */
	bool reply_pings;         /* a reply notifies its recipient */
	bool embeds;              /* show link embeds in messages */
	bool commands;            /* register slash commands */
	bool previews;            /* show answers as live previews */
	int64_t preview_after_ms; /* delay of the first edited preview message */
	int64_t rate_channel;     /* messages, edits and the like per 5 s in one channel; 0: no limit */
	int64_t rate_global;      /* requests per second in all */
	int64_t shards;           /* connections to the gateway; 0: as many as Discord recommends */
	int64_t units;            /* number of nodes that may share the bot */
	int64_t backfill_ms;      /* how far back missed messages are fetched; 0: no backfill */
};

/* Times in milliseconds, sizes in bytes. */
struct discord_limits {
	uint64_t connect_ms;
	uint64_t call_ms;         /* a small call */
	uint64_t send_ms;         /* one message */
	uint64_t upload_ms;       /* one message with a file: longest silence */
	uint64_t hello_ms;        /* from connect to HELLO */
	uint64_t guilds_ms;       /* maximum wait from READY for its guilds */
	uint64_t ready_ms;        /* from IDENTIFY or RESUME to READY, RESUMED or a replayed event */
	uint64_t identify_gap_ms; /* between IDENTIFYs: 5 s and a margin for the network */
	uint64_t invalid_ms;      /* delay after an invalid session, at most five times as long */
	uint64_t retry_ms, retry_max_ms;
	uint64_t healthy_ms;       /* a connection that lasted this long was a success */
	uint64_t limited_extra_ms; /* added to every retry_after */
	uint64_t long_pause_ms;    /* a retry_after of this or more also pauses optional calls everywhere */
	uint64_t typing_ms;        /* minimum interval: Discord shows typing for 10 s */
	uint64_t greet_ms;         /* delay of a greeting; addressing the bot cancels it */
	uint64_t thinking_ms;      /* an unanswered deferred interaction is deleted after this */
	uint64_t nonce_ms;         /* Discord recognises a repeated nonce for "a few minutes" */
	uint64_t pending_ms; /* time after READY at which the backfill of unavailable guilds is given up */
	size_t frame_max;    /* one gateway message */
	size_t answer_max;   /* body of a response */
	size_t queue_events, queue_bytes; /* uncommitted events; reading pauses above this */
	size_t batch;                     /* events per commit */
	unsigned identifies_hour;         /* more in an hour: 15 minutes between two */
	unsigned identifies_day;          /* more in 24 hours: stop. Discord resets the token at 1,000. */
	unsigned identifies_left;         /* stop when Discord says that only so many are left */
	unsigned resumes;                 /* failures in a row after which the session is dropped */
	size_t backfill_channels;         /* channels per backfill */
	size_t backfill_messages;         /* messages per channel */
	unsigned invalid_stop;            /* refused requests in 10 minutes after which all requests pause */
	unsigned invalid_max;             /* 401, 403, 429 in 10 minutes after which optional calls stop */
};

extern const struct config_section discord_section;
extern const struct channel_question discord_setup[];
extern const struct discord_limits discord_limits;

/* channel_ops.units. */
unsigned discord_settings_units(const void *settings);
/* channel_ops.check. */
int discord_settings_check(const void *settings, struct error *err);
/* Allows "wss://", and "ws://" with a loopback host. */
bool discord_settings_gateway_allowed(const char *url, struct error *err);

#endif

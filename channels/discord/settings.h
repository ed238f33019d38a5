#ifndef CHANNELS_DISCORD_SETTINGS_H
#define CHANNELS_DISCORD_SETTINGS_H
/* What can be set for a Discord channel, and the limits that cannot. */
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
	char *gateway_url;        /* NULL: what GET /gateway/bot says */
	int message_content;      /* enum discord_content */
	bool reply_pings;         /* a reply notifies the person whom it answers */
	bool embeds;              /* links in messages unfold */
	bool commands;            /* slash commands are registered */
	bool previews;            /* show answers while they are written */
	int64_t preview_after_ms; /* no message that is edited before */
	int64_t rate_channel;     /* messages, edits and so on in 5 s to one channel; 0: not limited */
	int64_t rate_global;      /* requests a second over all */
	int64_t backfill_ms;      /* how far back missed messages are fetched; 0: not at all */
};

/* Times in milliseconds, sizes in bytes. */
struct discord_limits {
	uint64_t connect_ms;
	uint64_t call_ms;         /* a small call */
	uint64_t send_ms;         /* one message */
	uint64_t upload_ms;       /* one message with a file: longest silence */
	uint64_t hello_ms;        /* from the connection to HELLO */
	uint64_t ready_ms;        /* from IDENTIFY or RESUME to READY, RESUMED or a replayed event */
	uint64_t identify_gap_ms; /* between two IDENTIFYs: 5 s, and what the way there may differ */
	uint64_t
	    invalid_ms; /* after an invalid session this is waited at least, and at most five times as long */
	uint64_t retry_ms, retry_max_ms;
	uint64_t healthy_ms;       /* a connection that lasted so long was a success */
	uint64_t limited_extra_ms; /* added to every retry_after */
	uint64_t long_pause_ms;    /* a retry_after from here on also stops what nobody misses everywhere */
	uint64_t typing_ms;        /* not shown again sooner: Discord shows it for 10 s */
	uint64_t greet_ms;         /* a new server is greeted after this, unless somebody there talks to us */
	uint64_t thinking_ms;      /* a deferred interaction that nothing answered is taken back */
	uint64_t nonce_ms;         /* Discord recognises a repeated nonce for "a few minutes" */
	uint64_t pending_ms; /* servers that are not there so long after READY: what was missed in them is
				given up */
	size_t frame_max;    /* one message of the gateway */
	size_t answer_max;   /* body of an answer */
	size_t queue_events, queue_bytes; /* events that wait for their commit; then no more is read */
	size_t batch;                     /* events in one commit */
	unsigned identifies_hour;         /* more than that in an hour: a quarter of an hour between two */
	unsigned identifies_day;  /* more than that in 24 hours: stop. Discord resets the token at 1,000. */
	unsigned identifies_left; /* of Discord's count: stop while so many are left */
	unsigned resumes;         /* that fail in a row before the session is given up */
	size_t backfill_channels; /* that are asked after one loss */
	size_t backfill_messages; /* of one channel */
	unsigned invalid_stop;    /* the same, before nothing is asked any more until some of them are ten
				     minutes old */
	unsigned
	    invalid_max; /* 401, 403, 429 in ten minutes, before what nobody misses is not asked any more */
};

extern const struct config_section discord_section;
extern const struct channel_question discord_setup[];
extern const struct discord_limits discord_limits;

/* channel_ops.check. */
int discord_settings_check(const void *settings, struct error *err);
/* "ws://" with a loopback host, or "wss://". */
bool discord_settings_gateway_allowed(const char *url, struct error *err);

#endif

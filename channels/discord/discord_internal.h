#ifndef CHANNELS_DISCORD_DISCORD_INTERNAL_H
#define CHANNELS_DISCORD_DISCORD_INTERNAL_H
/* State of a running Discord account. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "channels/discord/cache.h"
#include "channels/discord/dm.h"
#include "channels/discord/event.h"
#include "channels/discord/identify_limit.h"
#include "channels/discord/rate_limit.h"
#include "channels/discord/settings.h"
#include "channels/discord/shard.h"
#include "channels/shared/rate_limit.h"
#include "net/backoff.h"

struct address;
struct channel;
struct error;
struct json_object;
struct preview;
struct task;

/* react.c: channel_ops.react. A channel that refuses one is not asked again. */
#define DISCORD_REACTIONS 64

struct discord_reactions {
	struct {
		uint64_t message;
		char emoji[40];
	} ours[DISCORD_REACTIONS];           /* that we put, a ring */
	uint64_t refused[DISCORD_REACTIONS]; /* channels, a ring */
	unsigned next, next_refused;
};

int discord_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

/* typing.c: channel_ops.typing. Discord shows it for ten seconds. */
#define DISCORD_TYPINGS 64

struct discord_typings {
	struct {
		uint64_t channel, at_ms;
	} shown[DISCORD_TYPINGS]; /* a ring */
	unsigned next;
};

int discord_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);

struct discord {
	struct channel *ch;
	const struct discord_settings *settings;
	const struct discord_limits *limits;
	char *base;          /* api_base without a trailing slash */
	char *host;          /* of base, for logs and errors */
	char *authorization; /* "Bot TOKEN" */
	struct discord_self self;
	struct discord_rate_limiter rest_limiter;
	struct rate_limiter rate_limiter;
	struct task_group tasks;
	bool stopping;
	bool refused; /* the operator must change something: make no calls */

	/* The gateway. */
	struct task *gateway;          /* that starts the shards; NULL: ended */
	struct task_group connections; /* the tasks of the shards */
	struct discord_shard *shards;
	size_t shard_count; /* of this unit */
	size_t shard_total; /* of the bot */
	char unit_name[20]; /* this unit, among those that share a clock of IDENTIFYs */
	struct discord_gateway_bot bot;
	struct task_semaphore gateway_bot_lock; /* one request for it at a time */
	struct discord_identify_limit identifies;
	struct task_semaphore turns[DISCORD_BUCKETS]; /* who is about to IDENTIFY */
	struct backoff retry;                         /* before there are shards */
	bool content;                                 /* request the message content intent */
	bool empty_content_logged;                    /* the log already reports messages without content */
	bool trim; /* a large frame was read: give its memory back when it is handled */

	struct discord_cache cache;

	struct list greetings;    /* waiting */
	struct list interactions; /* unanswered */
	size_t interaction_count;
	struct discord_dms dms;
	struct discord_typings typings;
	struct discord_reactions reactions;
	bool commands_started;
	char *refused_commands; /* slash commands that Discord refused: "/a, /b"; NULL: none */
};

/* account.c: Loads the bot's identity, its intents and its stored state. */

/* Retries until all is loaded. Returns -1 when cancelled, or when Discord refused the token. */
int discord_account_load(struct task *t, struct discord *d, struct error *err);
/* Repeats a step until it succeeds. Returns -1 as above. */
typedef int discord_step(struct task *t, struct discord *d, struct error *err);
int discord_account_step(struct task *t, struct discord *d, discord_step *step, struct error *err);

/* backfill.c: Fetches by REST (Get Channel Messages, API v10) the messages since session.gap, in the order of
 * each channel, before events of the new session are handled there. The journal drops one that the gateway
 * sent as well, by its id. */

/* Backfills the channels or threads of a GUILD_CREATE, without messages from before since_ms (when the bot
 * joined; Unix time). Returns -1 when some are missing and a retry may help. */
int discord_backfill_channels(
    struct task *t, struct discord_shard *s, struct json_object *list, int64_t since_ms, struct error *err);
/* Backfills the known private chats. */
int discord_backfill_dms(struct task *t, struct discord_shard *s, struct error *err);

/* commands.c: Slash commands (Bulk Overwrite Global Application Commands, API v10). Sets them only when they
 * have changed, because Discord allows 200 creations a day. Nothing depends on them: commands typed as text
 * work, too. */

/* Starts the task that sets them; once. */
void discord_commands_start(struct discord *d);

/* preview.c: channel_ops.preview: shows the unfinished answer as a message, which it edits and the answer
 * replaces. */
int discord_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif

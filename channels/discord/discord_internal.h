#ifndef CHANNELS_DISCORD_DISCORD_INTERNAL_H
#define CHANNELS_DISCORD_DISCORD_INTERNAL_H
/* State of a running Discord account. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "channels/discord/cache.h"
#include "channels/discord/close_code.h"
#include "channels/discord/dm.h"
#include "channels/discord/event.h"
#include "channels/discord/event_queue.h"
#include "channels/discord/gateway_session.h"
#include "channels/discord/identify_limit.h"
#include "channels/discord/rate_limit.h"
#include "channels/discord/settings.h"
#include "channels/shared/rate_limit.h"
#include "net/backoff.h"

struct address;
struct channel;
struct error;
struct json_object;
struct preview;
struct task;
struct websocket;

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

/* A connection to the gateway. Discord gives each shard the guilds whose (id >> 22) % count is its number,
 * and the first one the direct messages, too. */
struct discord_shard {
	struct discord *d;
	unsigned id;
	struct task *task; /* that connects; NULL: ended */
	struct discord_gateway_session session;
	struct discord_event_queue queue; /* events that wait for their commit */
	struct backoff retry;
	unsigned resumes;    /* failed in a row */
	unsigned unreached;  /* failed connection attempts in a row */
	unsigned unreadable; /* unreadable frames since the last skipped one */
	int turn;            /* the bucket whose next IDENTIFY is ours; -1: none */
	bool content;        /* the last IDENTIFY requested the message content intent */

	uint64_t *pending_guilds; /* named by READY, not yet backfilled */
	size_t pending_count;
	uint64_t pending_until; /* clock_now() at which their backfill is given up */

	bool online;   /* READY or RESUMED came on the connection that is served now */
	bool arriving; /* after READY: its guilds are still to come */
	bool stuck;    /* events cannot be stored: the status says so */
	bool ready;    /* for the status: a short break is not told */
	char *trouble; /* why it is not ready; NULL: it connects for the first time */
};

/* Of one process. */
#define DISCORD_SHARDS_MAX 256

/* What GET /gateway/bot returned. */
struct discord_gateway_bot {
	char *url;
	int64_t shards;    /* that Discord recommends */
	int64_t left;      /* sessions that may begin until reset_at; -1: unknown */
	uint64_t reset_at; /* clock_now() */
	uint64_t asked_ms; /* clock_now(); 0: never */
	unsigned buckets;  /* of IDENTIFYs: shards of different ones do not wait for each other */
};

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
	size_t shard_count;
	struct discord_gateway_bot bot;
	struct task_semaphore asking; /* Discord for that */
	struct discord_identify_limit identifies;
	struct task_semaphore turns[DISCORD_BUCKETS]; /* who is about to IDENTIFY */
	struct backoff retry;                         /* before there are shards */
	bool content;                                 /* request the message content intent */
	bool empty_told; /* the log says already that messages come without content */
	bool trim;       /* a large frame was read: give its memory back when it is handled */

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

/* account.c: Who the bot is, what it may hear, and what the journal knows of it. */

/* Asks until all is known. -1: cancelled, or the token was refused. */
int discord_account_load(struct task *t, struct discord *d, struct error *err);
/* Takes a step until it succeeds. -1 as above. */
typedef int discord_step(struct task *t, struct discord *d, struct error *err);
int discord_account_step(struct task *t, struct discord *d, discord_step *step, struct error *err);

/* gateway.c: Discord's gateway (v10): the shards, how many there are, who identifies when, and how they are.
 */

/* Starts the task that settles who we are, and connects. */
void discord_gateway_start(struct discord *d);
/* Frees the shards. None of their tasks may still run. */
void discord_gateway_clear(struct discord *d);
/* Suspends until the shard may IDENTIFY, before it connects: one of its bucket at a time, as often as Discord
 * allows. It keeps the turn until discord_gateway_end_turn. */
int discord_gateway_take_turn(struct task *t, struct discord_shard *s, struct error *err);
void discord_gateway_end_turn(struct discord_shard *s);
/* Returns where to connect, malloc'd. */
char *discord_gateway_find(struct task *t, struct discord_shard *s, struct error *err);
/* The shard is ready: the guilds of READY are there, or were waited for long enough. */
void discord_gateway_ready(struct discord_shard *s);
/* It is not, and that is no short break. */
__attribute__((format(printf, 2, 3))) void discord_gateway_trouble(
    struct discord_shard *s, const char *fmt, ...);
/* Tells the state of the channel. */
void discord_gateway_tell(struct discord *d);

/* When a shard ended because there are too few: begins with as many as Discord recommends now, and returns
 * true. False: it did not, or the setting says how many. */
struct discord_end;
bool discord_gateway_reshard(struct discord *d, const struct discord_end *end);

/* shard.c: The connection of a shard, made again as long as the account runs. */
void discord_shard_start(struct discord_shard *s);

/* shard_state.c: What the journal knows of the sessions of all shards. */

/* Makes count shards, with the sessions that are stored, unless those are of another number of shards. */
int discord_shards_load(struct task *t, struct discord *d, size_t count, struct error *err);
/* The name of a shard's cursor. */
#define DISCORD_CURSOR_MAX 24
void discord_shard_cursor(unsigned id, char name[static DISCORD_CURSOR_MAX]);

/* gateway_connection.c: One connection to the gateway, from HELLO to its end: heartbeats, IDENTIFY or RESUME,
 * events into the queue. */

/* How it ended. */
struct discord_end {
	enum discord_next next;
	uint64_t wait_ms;  /* at least, before the next */
	unsigned code;     /* of the close, 0 if none */
	bool ready;        /* READY or RESUMED had come */
	uint64_t ready_ms; /* clock_now() then */
	const char *meaning;
};

/* Serves w until it ends; the caller closes it. -1: cancelled. */
int discord_gateway_connection_serve(
    struct task *t, struct discord_shard *s, struct websocket *w, struct discord_end *end, struct error *err);

/* backfill.c: What was said while we had no session: fetched by REST (Get Channel Messages, API v10) from
 * session.gap on, in the order of each channel, before what the new session tells of it. A message that came
 * by the gateway, too, is known by its id. */

/* The channels or threads of a GUILD_CREATE, nothing from before since_ms (when we joined; 1970). -1: not all
 * of it was fetched, and it may work later. */
int discord_backfill_channels(
    struct task *t, struct discord_shard *s, struct json_object *list, int64_t since_ms, struct error *err);
/* The private chats that are known. */
int discord_backfill_dms(struct task *t, struct discord_shard *s, struct error *err);

/* commands.c: Slash commands (Bulk Overwrite Global Application Commands, API v10). Set only when they have
 * changed: 200 may be created in a day. Nothing depends on them: what is typed as text works, too. */

/* Starts the task that sets them; once. */
void discord_commands_start(struct discord *d);

/* preview.c: channel_ops.preview: an answer while it is written, as a message that is edited, and that the
 * answer replaces. */
int discord_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif

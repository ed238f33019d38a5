#ifndef CHANNELS_DISCORD_DISCORD_INTERNAL_H
#define CHANNELS_DISCORD_DISCORD_INTERNAL_H
/* State of a running Discord account. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
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
	struct task *gateway; /* NULL: ended */
	struct discord_gateway_session session;
	struct discord_identify_limit identifies;
	struct discord_event_queue queue; /* events that wait for their commit */
	struct backoff retry;
	bool content;        /* request the message content intent */
	unsigned resumes;    /* failed in a row */
	unsigned unreached;  /* failed connection attempts in a row */
	unsigned unreadable; /* unreadable frames since the last skipped one */
	bool empty_told;     /* the log says already that messages come without content */

	struct discord_cache cache;
	uint64_t *pending_guilds; /* named by READY, not yet backfilled */
	size_t pending_count;
	uint64_t pending_until; /* clock_now() at which their backfill is given up */

	struct list greetings;    /* waiting */
	struct list interactions; /* unanswered */
	size_t interaction_count;
	struct discord_dms dms;
	struct discord_typings typings;
	struct discord_reactions reactions;
	bool commands_started;
	char *refused_commands; /* slash commands that Discord refused: "/a, /b"; NULL: none */

	bool online;    /* READY or RESUMED came on the connection that is served now */
	bool stuck;     /* events cannot be stored: the status says so */
	bool trim;      /* a large frame was read: give its memory back when it is handled */
	bool arriving;  /* after READY: its guilds are still to come */
	int64_t shards; /* that Discord recommends */
};

/* account.c: Who the bot is, what it may hear, and what the journal knows of it. */

/* Asks until all is known. -1: cancelled, or the token was refused. */
int discord_account_load(struct task *t, struct discord *d, struct error *err);

/* gateway.c: The connection to Discord's gateway (v10), made again as long as the account runs. */

/* Starts the task that settles who we are, and connects. */
void discord_gateway_start(struct discord *d);

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
    struct task *t, struct discord *d, struct websocket *w, struct discord_end *end, struct error *err);

/* Tells that the channel is ready: the guilds of READY are there, or were waited for long enough. Called
 * again, it tells what has changed. */
void discord_gateway_ready(struct discord *d);

/* backfill.c: What was said while we had no session: fetched by REST (Get Channel Messages, API v10) from
 * session.gap on, in the order of each channel, before what the new session tells of it. A message that came
 * by the gateway, too, is known by its id. */

/* The channels or threads of a GUILD_CREATE, nothing from before since_ms (when we joined; 1970). -1: not all
 * of it was fetched, and it may work later. */
int discord_backfill_channels(
    struct task *t, struct discord *d, struct json_object *list, int64_t since_ms, struct error *err);
/* The private chats that are known. */
int discord_backfill_dms(struct task *t, struct discord *d, struct error *err);

/* commands.c: Slash commands (Bulk Overwrite Global Application Commands, API v10). Set only when they have
 * changed: 200 may be created in a day. Nothing depends on them: what is typed as text works, too. */

/* Starts the task that sets them; once. */
void discord_commands_start(struct discord *d);

/* preview.c: channel_ops.preview: an answer while it is written, as a message that is edited, and that the
 * answer replaces. */
int discord_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif

#ifndef CHANNELS_DISCORD_SHARD_H
#define CHANNELS_DISCORD_SHARD_H
/* The connections of an account to Discord's gateway (v10). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channels/discord/close_code.h"
#include "channels/discord/event_queue.h"
#include "channels/discord/gateway_session.h"
#include "channels/discord/identify_limit.h"
#include "net/backoff.h"

struct discord;
struct discord_end;
struct error;
struct task;
struct websocket;

/* Of a bot. */
#define DISCORD_SHARDS_MAX 256
/* Units of a bot: each has every so many-th of its shards, and of the guilds, however many shards there are.
 */
#define DISCORD_UNITS_MAX 64

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

/* What GET /gateway/bot returned. */
struct discord_gateway_bot {
	char *url;
	int64_t shards;    /* that Discord recommends */
	int64_t left;      /* sessions that may begin until reset_at; -1: unknown */
	uint64_t reset_at; /* clock_now() */
	uint64_t asked_ms; /* clock_now(); 0: never */
	unsigned buckets;  /* of IDENTIFYs: shards of different ones do not wait for each other */
};

/* gateway.c: How many shards there are, which one identifies when, and how they are. */

/* Starts the task that settles who we are, and connects. */
void discord_gateway_start(struct discord *d);
/* Frees the shards. None of their tasks may still run. */
void discord_gateway_clear(struct discord *d);
/* Suspends until the shard may IDENTIFY, before it connects: one of its bucket at a time, as often as Discord
 * allows. It keeps the turn until discord_gateway_end_turn. */
int discord_gateway_take_turn(struct task *t, struct discord_shard *s, struct error *err);
void discord_gateway_end_turn(struct discord_shard *s);
/* The turn of a bucket, among all units of the bot, by a clock that they share: *ms is 0 when this unit has
 * it, which keeps it from the others for as long as Discord wants between two IDENTIFYs; else the time until
 * it may be free. It may be claimed again. */
int discord_gateway_claim_turn(
    struct task *t, struct discord *d, unsigned bucket, uint64_t *ms, struct error *err);
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
bool discord_gateway_reshard(struct discord *d, const struct discord_end *end);

/* shard.c: The connection of a shard, made again as long as the account runs. */
void discord_shard_start(struct discord_shard *s);

/* shard_state.c: What the journal knows of the sessions of all shards. */

/* Makes the unit's part of count shards, a multiple of the units, with the sessions that are stored, unless
 * those are of another number of shards. */
int discord_shards_load(struct task *t, struct discord *d, size_t count, struct error *err);
/* The name of a shard's cursor. */
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

#endif

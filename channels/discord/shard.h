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
struct discord_connection_end;
struct error;
struct task;
struct websocket;

/* Per bot. */
#define DISCORD_SHARDS_MAX 256
/* Maximum units of a bot. Of n units, each has every n-th shard with its guilds, for any number of shards. */
#define DISCORD_UNITS_MAX 64

/* A connection to the gateway. Discord gives each shard the guilds whose (id >> 22) % count is its number,
 * and the first one the direct messages, too. */
struct discord_shard {
	struct discord *d;
	unsigned id;
	struct task *task; /* connects; NULL: ended */
	struct discord_gateway_session session;
	struct discord_event_queue queue; /* events that wait for their commit */
	struct backoff retry;
	unsigned resumes;    /* failed in a row */
	unsigned unreached;  /* failed connection attempts in a row */
	unsigned unreadable; /* unreadable frames since READY, RESUMED or the last skipped one */
	int turn;            /* the bucket whose next IDENTIFY is ours; -1: none */
	bool content;        /* the last IDENTIFY requested the message content intent */

	uint64_t *pending_guilds; /* named by READY, not yet backfilled */
	size_t pending_count;
	uint64_t pending_until; /* clock_now() at which their backfill is given up */

	bool online;          /* the current connection has received READY or RESUMED */
	bool guilds_arriving; /* after READY: its guilds are still to come */
	bool stuck;           /* events cannot be stored: the status says so */
	bool ready;           /* for the status, which leaves out a short break */
	char *problem;        /* why it is not ready; NULL: it connects for the first time */
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

/* gateway.c: Chooses the number of shards, lets them IDENTIFY in turn, and reports their state. */

/* Starts the task that loads the account and connects. */
void discord_gateway_start(struct discord *d);
/* Frees the shards. None of their tasks may still run. */
void discord_gateway_clear(struct discord *d);
/* Suspends until the shard may IDENTIFY, before it connects: one of its bucket at a time, as often as Discord
 * allows. It keeps the turn until discord_gateway_end_turn. */
int discord_gateway_take_turn(struct task *t, struct discord_shard *s, struct error *err);
void discord_gateway_end_turn(struct discord_shard *s);
/* Claims the turn of a bucket among all units of the bot, by a clock that they share. Sets *ms to 0 when this
 * unit gets it, which keeps the others out for Discord's interval between two IDENTIFYs; else to the time
 * until it may be free. A unit may claim its turn again. */
int discord_gateway_claim_turn(
    struct task *t, struct discord *d, unsigned bucket, uint64_t *ms, struct error *err);
/* Returns where to connect, malloc'd. */
char *discord_gateway_url(struct task *t, struct discord_shard *s, struct error *err);
/* The shard is ready: the guilds of READY have arrived, or the wait for them is over. */
void discord_gateway_ready(struct discord_shard *s);
/* The shard is not ready, for the reason fmt, and this is no short break. */
__attribute__((format(printf, 2, 3))) void discord_gateway_not_ready(
    struct discord_shard *s, const char *fmt, ...);
/* Sets the channel's status from the state of its shards. */
void discord_gateway_update_status(struct discord *d);

/* If end says that the bot needs more shards, starts again with as many as Discord recommends and returns
 * true. Returns false otherwise, or when the setting fixes their number. */
bool discord_gateway_reshard(struct discord *d, const struct discord_connection_end *end);

/* shard.c: Keeps a shard connected as long as the account runs. */
void discord_shard_start(struct discord_shard *s);

/* shard_state.c: Loads the sessions of all shards from the journal. */

/* Creates this unit's part of count shards, a multiple of the units, with the stored sessions unless those
 * belong to another number of shards. */
int discord_shards_load(struct task *t, struct discord *d, size_t count, struct error *err);
/* The name of a shard's cursor. */
void discord_shard_cursor(unsigned id, char name[static DISCORD_CURSOR_MAX]);

/* gateway_connection.c: One connection to the gateway, from HELLO to its end: heartbeats, IDENTIFY or RESUME,
 * events into the queue. */

/* How a connection ended. */
struct discord_connection_end {
	enum discord_next next;
	uint64_t wait_ms;  /* at least, before the next */
	unsigned code;     /* of the close, 0 if none */
	bool ready;        /* it had received READY or RESUMED */
	uint64_t ready_ms; /* clock_now() then */
	const char *meaning;
};

/* Serves w until it ends; the caller closes it. -1: cancelled. */
int discord_gateway_connection_serve(struct task *t, struct discord_shard *s, struct websocket *w,
    struct discord_connection_end *end, struct error *err);

#endif

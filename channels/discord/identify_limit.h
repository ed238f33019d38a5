#ifndef CHANNELS_DISCORD_IDENTIFY_LIMIT_H
#define CHANNELS_DISCORD_IDENTIFY_LIMIT_H
/*
 * When a shard may IDENTIFY. After more than 1,000 in 24 hours Discord resets the token ("Session Start
 * Limit"), and only its owner can make a new one. So they are counted, and the daemon stops long before. Of
 * the shards of a bucket only one may do so in five seconds ("Max Concurrency"). Both are stored, so that
 * they hold over restarts, and when another node takes over. Pure.
 */
#include <stddef.h>
#include <stdint.h>

struct discord_limits;

#define DISCORD_IDENTIFY_HOURS 24
/* Maximum number of buckets for IDENTIFYs. */
#define DISCORD_BUCKETS 16

struct discord_identify_limit {
	unsigned hours[DISCORD_IDENTIFY_HOURS]; /* by hour of the wall clock, a ring */
	int64_t hour;                           /* the newest hour */
	int64_t wall_ms[DISCORD_BUCKETS];       /* of the last one in each bucket; 0: none */
	uint64_t last_ms[DISCORD_BUCKETS];      /* the same, of clock_now(), when it was sent */
	unsigned units;                         /* that share the daily limit; 0: one */
	int64_t total;                          /* Discord's daily limit; 0: unknown */
};

/* Returns the number of buckets for Discord's max_concurrency: shards that share one there share one here. */
unsigned discord_identify_limit_buckets(int64_t max_concurrency);
/* Counts one IDENTIFY at this wall clock time (ms). */
void discord_identify_limit_note(struct discord_identify_limit *i, unsigned bucket, int64_t wall_ms);
/* Return the count of the last 24 hours, and of this hour and the one before. */
unsigned discord_identify_limit_day(struct discord_identify_limit *i, int64_t wall_ms);
unsigned discord_identify_limit_hour(struct discord_identify_limit *i, int64_t wall_ms);
/* Returns the ms until the next IDENTIFY of the bucket is allowed; UINT64_MAX: none today. now_ms:
 * clock_now().
 */
uint64_t discord_identify_limit_wait(struct discord_identify_limit *i, const struct discord_limits *limits,
    unsigned bucket, size_t shards, int64_t wall_ms, uint64_t now_ms);
/* The name of the cursor that has the stored form: each unit counts its own. */
#define DISCORD_CURSOR_MAX 24
void discord_identify_limit_cursor(unsigned unit, char name[static DISCORD_CURSOR_MAX]);
/* Write and read the stored form; the caller frees the text. A machine with another clock may have written
 * it. */
char *discord_identify_limit_text(const struct discord_identify_limit *i);
void discord_identify_limit_read(
    struct discord_identify_limit *i, const char *text, int64_t wall_ms, uint64_t now_ms);

#endif

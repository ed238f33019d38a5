#ifndef CHANNELS_DISCORD_IDENTIFY_LIMIT_H
#define CHANNELS_DISCORD_IDENTIFY_LIMIT_H
/*
 * How often we have identified. More than 1,000 times in 24 hours makes Discord reset the token ("Session
 * Start Limit"), which only its owner can put right, so that the count outlives us, and we stop long before.
 * Pure.
 */
#include <stdbool.h>
#include <stdint.h>

struct discord_limits;

#define DISCORD_IDENTIFY_HOURS 24

struct discord_identify_limit {
	unsigned hours[DISCORD_IDENTIFY_HOURS]; /* by hour of the wall clock, a ring */
	int64_t hour;                           /* the newest */
	uint64_t last_ms;                       /* clock_now() of the last one in this process; 0: none */
};

/* Counts one at this wall clock (ms). */
void discord_identify_limit_note(struct discord_identify_limit *i, int64_t wall_ms);
/* How many in the last day, and in this hour and the one before. */
unsigned discord_identify_limit_day(struct discord_identify_limit *i, int64_t wall_ms);
unsigned discord_identify_limit_hour(struct discord_identify_limit *i, int64_t wall_ms);
/* ms until the next may be sent; UINT64_MAX: none at all today. now_ms: clock_now(). */
uint64_t discord_identify_limit_wait(
    struct discord_identify_limit *i, const struct discord_limits *limits, int64_t wall_ms, uint64_t now_ms);
/* As the journal has it, malloc'd; and back. */
char *discord_identify_limit_text(const struct discord_identify_limit *i);
void discord_identify_limit_read(struct discord_identify_limit *i, const char *text);

#endif

#ifndef CHANNELS_DISCORD_IDENTIFY_LIMIT_H
#define CHANNELS_DISCORD_IDENTIFY_LIMIT_H
/*
 * Counts IDENTIFYs. After more than 1,000 in 24 hours Discord resets the token ("Session Start Limit"), and
 * only its owner can make a new one. So the count is stored over restarts and the daemon stops long before.
 * Pure.
 */
#include <stdbool.h>
#include <stdint.h>

struct discord_limits;

#define DISCORD_IDENTIFY_HOURS 24

struct discord_identify_limit {
	unsigned hours[DISCORD_IDENTIFY_HOURS]; /* by hour of the wall clock, a ring */
	int64_t hour;                           /* the newest hour */
	uint64_t last_ms;                       /* clock_now() of this process's last IDENTIFY; 0: none */
};

/* Counts one IDENTIFY at this wall clock time (ms). */
void discord_identify_limit_note(struct discord_identify_limit *i, int64_t wall_ms);
/* Return the count of the last 24 hours, and of this hour and the one before. */
unsigned discord_identify_limit_day(struct discord_identify_limit *i, int64_t wall_ms);
unsigned discord_identify_limit_hour(struct discord_identify_limit *i, int64_t wall_ms);
/* Returns the ms until the next IDENTIFY is allowed; UINT64_MAX: none today. now_ms: clock_now(). */
uint64_t discord_identify_limit_wait(
    struct discord_identify_limit *i, const struct discord_limits *limits, int64_t wall_ms, uint64_t now_ms);
/* Write and read the stored form; the caller frees the text. */
char *discord_identify_limit_text(const struct discord_identify_limit *i);
void discord_identify_limit_read(struct discord_identify_limit *i, const char *text);

#endif

#ifndef BASE_TIME_CRON_H
#define BASE_TIME_CRON_H
/*
 * Cron schedules of five fields: minute, hour, day of the month, month, day of the week; with lists,
 * ranges, steps, English names of months and days (jan, mon), 7 for Sunday, and @hourly, @daily,
 * @weekly, @monthly, @yearly. When both day fields are restricted, a match of either is enough.
 * Times are wall-clock times of a time zone. When its clocks change:
 * - a time inside a skipped hour runs once, at the end of the gap (not after gaps of more than 3 hours,
 *   as when a zone skipped a day);
 * - a time inside a repeated hour runs in the first one;
 * - times of every hour ("*" for the hour) run once in every hour that passes, so neither rule applies.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct zone;

#define CRON_TEXT_MAX 120

struct cron {
	uint64_t minutes; /* bit n: at n */
	uint32_t hours, days, months, weekdays;
	bool either_day; /* both day fields are restricted */
	bool every_hour;
};

/* Returns 0, or -1 with ERROR_REFUSED and a sentence for the person who wrote it. */
int cron_parse(const char *text, struct cron *out, struct error *err);
/* Sets *next to the first time after that one (seconds of UTC). Returns false when there is none within 40
 * years. */
bool cron_next(const struct cron *c, const struct zone *z, int64_t after, int64_t *next);

#endif

#ifndef BASE_TIME_CRON_H
#define BASE_TIME_CRON_H
/*
 * Times in five fields, as cron has them: minute, hour, day of the month, month, day of the week; with lists,
 * ranges, steps, English names of months and days (jan, mon), 7 for Sunday, and @hourly, @daily, @weekly,
 * @monthly, @yearly. Where both kinds of days are restricted, either fits.
 *
 * They are meant on the wall of a time zone. Where its clocks are set:
 * - what falls into an hour that does not exist takes place once, when that gap ends (not after gaps of more
 * than 3 hours, as where a zone left out a day);
 * - what falls into an hour that comes twice takes place in the first one;
 * - times of every hour ("*" for the hour) take place once in every hour that passes, so neither of this.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct zone;

#define CRON_TEXT_MAX 120

struct cron {
	uint64_t minutes; /* bit n: at n */
	uint32_t hours, days, months, weekdays;
	bool either_day; /* both kinds of days are restricted */
	bool every_hour;
};

int cron_parse(const char *text, struct cron *out, struct error *err);
/* The first time after that (seconds of UTC). False: there is none within 40 years. */
bool cron_next(const struct cron *c, const struct zone *z, int64_t after, int64_t *next);

#endif

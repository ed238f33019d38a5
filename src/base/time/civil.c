#include "base/time/civil.h"

#include <stdbool.h>

/* Days in 400 years, after which the calendar repeats. */
#define ERA_DAYS 146097
/* From 0000-03-01 to 1970-01-01. Years begin in March here, so that the leap day comes last. */
#define EPOCH_DAYS 719468

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t days_of(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year, era = floor_div(y, 400), of_era = y - era * 400;
	int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH_DAYS;
}

struct civil civil_of(int64_t seconds)
{
	int64_t days = floor_div(seconds, CIVIL_DAY), rest = seconds - days * CIVIL_DAY;
	int64_t z = days + EPOCH_DAYS, era = floor_div(z, ERA_DAYS), d = z - era * ERA_DAYS;
	int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365, of_year = d - (365 * y + y / 4 - y / 100);
	int64_t m = (5 * of_year + 2) / 153;
	struct civil c = {
	    .month = (int)(m < 10 ? m + 3 : m - 9), .day = (int)(of_year - (153 * m + 2) / 5 + 1)};

	c.year = y + era * 400 + (c.month <= 2);
	c.hour = (int)(rest / 3600);
	c.minute = (int)(rest / 60 % 60);
	c.second = (int)(rest % 60);
	c.weekday = (int)((days % 7 + 11) % 7); /* the epoch was a Thursday */
	return c;
}

int64_t civil_seconds(const struct civil *c)
{
	return days_of(c->year, c->month, c->day) * CIVIL_DAY + c->hour * 3600 + c->minute * 60 + c->second;
}

int civil_month_days(int64_t year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

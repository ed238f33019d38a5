#ifndef BASE_TIME_CIVIL_H
#define BASE_TIME_CIVIL_H
/* The Gregorian calendar without time zones: converts wall-clock seconds since 1970-01-01 00:00 to calendar
 * fields and back. */
#include <stdint.h>

#define CIVIL_DAY 86400

struct civil {
	int64_t year;
	int month, day; /* from 1 */
	int hour, minute, second;
	int weekday; /* 0: Sunday */
};

struct civil civil_of(int64_t seconds);
/* Ignores weekday. */
int64_t civil_seconds(const struct civil *c);
int civil_month_days(int64_t year, int month);

#endif

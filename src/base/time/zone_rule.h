#ifndef BASE_TIME_ZONE_RULE_H
#define BASE_TIME_ZONE_RULE_H
/* The rule at the end of a zone's file, for all times after its table: "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX,
 * and RFC 9636 3.3.1). Private to zone.c. */
#include <stdbool.h>
#include <stddef.h>

#include "base/time/zone.h"

struct zone_date {
	char kind; /* 'M' month.week.day, 'J' day of the year without the leap day from 1, 'n' with it from 0
		    */
	int month, week, day;
	int seconds; /* of the day, from -167 h to 167 h */
};

struct zone_rule {
	int32_t standard, summer;    /* seconds ahead of UTC */
	bool changes;                /* else it is always standard */
	struct zone_date begin, end; /* of summer time, by the clocks before it and in it */
};

/* -1: it is no such rule. */
int zone_rule_parse(const char *text, size_t len, struct zone_rule *out);
struct zone_span zone_rule_span(const struct zone_rule *r, int64_t utc);

#endif

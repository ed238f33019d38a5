#ifndef BASE_TIME_ZONE_RULE_H
#define BASE_TIME_ZONE_RULE_H
/* The rule at the end of a zone file, for all times after its table: "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX,
 * and RFC 9636 3.3.1). For zone.c only. */
#include <stdbool.h>
#include <stddef.h>

#include "base/time/zone.h"

struct zone_date {
	/* 'M' month.week.day; 'J' day of the year from 1, without the leap day; 'n' from 0, with it. */
	char kind;
	int month, week, day;
	int seconds; /* of the day, from -167 h to 167 h */
};

struct zone_rule {
	int32_t standard, summer;    /* seconds ahead of UTC */
	bool changes;                /* otherwise always standard time */
	struct zone_date begin, end; /* of summer time, by the clocks before it and in it */
};

/* Returns -1 when the text is not such a rule. */
int zone_rule_parse(const char *text, size_t len, struct zone_rule *out);
struct zone_span zone_rule_span(const struct zone_rule *r, int64_t utc);

#endif

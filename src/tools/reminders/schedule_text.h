#ifndef TOOLS_REMINDERS_SCHEDULE_TEXT_H
#define TOOLS_REMINDERS_SCHEDULE_TEXT_H
/* Parses a point in time as people write it, for schedule.c. */
#include <stdint.h>

struct error;
struct zone;

/* Parses the forms of at in struct schedule_request; without an offset the time is in the zone.
 * ERROR_REFUSED when it is invalid or past. */
int schedule_moment(const char *text, const struct zone *z, int64_t now_ms, int64_t *ms, struct error *err);

#endif

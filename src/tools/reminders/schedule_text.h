#ifndef TOOLS_REMINDERS_SCHEDULE_TEXT_H
#define TOOLS_REMINDERS_SCHEDULE_TEXT_H
/* Reading a moment as people write it, for schedule.c. */
#include <stdint.h>

struct error;
struct zone;

/* As struct schedule_request has it in at; without an offset it is meant in the zone. ERROR_REFUSED: it
 * cannot be read, or is over. */
int schedule_moment(const char *text, const struct zone *z, int64_t now_ms, int64_t *ms, struct error *err);

#endif

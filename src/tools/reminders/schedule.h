#ifndef TOOLS_REMINDERS_SCHEDULE_H
#define TOOLS_REMINDERS_SCHEDULE_H
/* Due times of reminders: parsing what people and models write, and computing the next time. Times are wall
 * clock, in ms. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct config;
struct config_section;
struct error;
struct json_object;
struct store_schedule;
struct task;
struct tools;
struct zone;

#define SCHEDULE_CONTENT_MAX 4000 /* characters */

enum schedule_catch_up { SCHEDULE_ONCE, SCHEDULE_SKIP };

/* reminders: { … } in the configuration. */
struct schedule_settings {
	int64_t most, interval_ms;
	int catch_up;    /* enum schedule_catch_up */
	char *time_zone; /* NULL: local */
	char local[64];  /* this machine's zone */
};

extern const struct config_section reminders_section;

/* Reports errors to cfg. May block. */
void schedule_settings_read(struct schedule_settings *s, struct config *cfg);
void schedule_settings_clear(struct schedule_settings *s);
const struct schedule_settings *tools_reminders(const struct tools *ts);

/* A request: exactly one of at, every and cron is set. */
struct schedule_request {
	const char *at;    /* "2026-12-24T18:00", optionally with "Z" or "+01:00", "18:00", "in 20 min" */
	const char *every; /* "2 h" */
	const char *cron;  /* see base/time/cron.h */
	const char *zone;  /* NULL: from the settings */
};

/* Loads a time zone on a worker thread. Returns NULL with err. */
struct zone *schedule_zone(struct task *t, const char *name, struct error *err);
/* Fills created_ms, next_ms, at_ms, every_ms, cron and zone of a zeroed schedule. ERROR_REFUSED when the
 * request is invalid. */
int schedule_plan(struct task *t, const struct schedule_settings *s, const struct schedule_request *request,
    int64_t now_ms, struct store_schedule *e, struct error *err);
/* Returns the first due time after after_ms, 0 for none. */
int64_t schedule_after(const struct store_schedule *e, const struct zone *z, int64_t after_ms);
/* Parses "20 min", "2h30m", "1 week", or "90" for seconds. Returns false when invalid or longer than 366
 * days. */
bool schedule_duration(const char *text, int64_t *ms);

/* The decision about a schedule that is due. */
struct schedule_decision {
	bool fires;
	int64_t next_ms; /* 0: it is over */
	int64_t missed;  /* number of skipped times */
	int64_t late_ms;
};
struct schedule_decision schedule_decide(
    const struct store_schedule *e, const struct zone *z, int catch_up, int64_t now_ms);
/* Appends a sentence on the delay and the missed times; nothing when it is on time. */
void schedule_add_delay(struct buf *out, const struct store_schedule *e, const struct zone *z,
    const struct schedule_decision *decision);

/* Appends "2026-12-24T18:00:00+01:00". */
void schedule_add_time(struct buf *out, int64_t ms, const struct zone *z);
/* Appends "at 2026-12-24T18:00:00+01:00", "every 2 h", "cron 0 9 * * *". */
void schedule_add_rule(struct buf *out, const struct store_schedule *e, const struct zone *z);
/* Appends "2 h 30 min". */
void schedule_add_duration(struct buf *out, int64_t ms);

/* schedule_text.c: Parses a point in time as people write it, for schedule.c. */

/* Parses the forms of at in struct schedule_request; without an offset the time is in the zone.
 * ERROR_REFUSED when it is invalid or past. */
int schedule_moment(const char *text, const struct zone *z, int64_t now_ms, int64_t *ms, struct error *err);

#endif

#ifndef BUS_QUIET_HOURS_H
#define BUS_QUIET_HOURS_H
/* Quiet hours: notifications wait until they end, replies do not. */
#include <stdint.h>

struct address;
struct bus;
struct error;
struct task;

/* Minutes since midnight in this machine's local time; from == to: none. */
struct quiet_hours {
	int from, to;
};

/* Reads "HH:MM" as minutes since midnight and moves *text past it. Returns -1 when there is none. */
int quiet_hours_parse_time(const char **text);
/* Reads "22:00-07:00"; NULL gives none. */
int quiet_hours_parse(const char *text, struct quiet_hours *out, struct error *err);
/* Returns the end of the current quiet hours (wall clock, ms), 0 outside them. */
int64_t quiet_hours_until(const struct quiet_hours *q, int64_t now_ms);

/* Sets the callback that returns the quiet hours of an address, like quiet_hours_until. Every post calls
 * it. */
void bus_set_quiet(struct bus *b, int64_t (*until)(void *arg, const struct address *to), void *arg);

/* Internal. Returns 0 when a delivery to this address need not wait. */
int64_t quiet_hours_ask(const struct bus *b, const struct address *to);
/* Internal. Wakes all senders with deliveries, which check what is due. Returns how many, or -1. */
int quiet_hours_wake_senders(struct task *t, struct bus *b, struct error *err);
/* Internal. Starts a task that wakes deliveries at their time, until the journal has none that wait. */
void quiet_hours_watch(struct bus *b);

#endif

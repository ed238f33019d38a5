#ifndef BUS_QUIET_HOURS_H
#define BUS_QUIET_HOURS_H
/* Quiet hours: notifications wait until they end, replies do not. */
#include <stdint.h>

struct address;
struct bus;
struct error;
struct task;

/* Minutes since midnight, by the local time of this machine; from == to: none. */
struct quiet_hours {
	int from, to;
};

/* "HH:MM" as minutes since midnight, and *text behind it; -1: it is none. */
int quiet_hours_parse_time(const char **text);
/* "22:00-07:00". NULL: none. */
int quiet_hours_parse(const char *text, struct quiet_hours *out, struct error *err);
/* When they end (wall clock, ms), 0 when they are not now. */
int64_t quiet_hours_until(const struct quiet_hours *q, int64_t now_ms);

/* Which quiet hours an address has: asked for each post. until is as quiet_hours_until. */
void bus_set_quiet(struct bus *b, int64_t (*until)(void *arg, const struct address *to), void *arg);

/* Private to the bus. 0 when what goes to this address needs not wait. */
int64_t quiet_hours_ask(const struct bus *b, const struct address *to);
/* The journal may have rows that wait for their time: looks after them, in a task, until it has none. */
void quiet_hours_watch(struct bus *b);

#endif

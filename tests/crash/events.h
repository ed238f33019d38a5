#ifndef CRASH_EVENTS_H
#define CRASH_EVENTS_H
/* Reading what the shim noted. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "crash/shim.h"

struct event {
	enum shim_op op;
	uint64_t point;
	int64_t at;
	char path[256];   /* relative to the state directory */
	const char *data; /* in the buffer of the events */
	size_t data_len;
};

struct events { /* zeroed before first use */
	struct buf text;
	size_t at;
};

/* Loads SIDE/events, from its beginning; none is as good as an empty one. */
void events_load(struct events *ev, const char *side);
void events_clear(struct events *ev);
/* The next one, until false. A last one that was cut off is left out. */
bool events_next(struct events *ev, struct event *e);
void events_rewind(struct events *ev);
const char *events_op_name(enum shim_op op);

#endif

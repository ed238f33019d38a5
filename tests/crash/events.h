#ifndef CRASH_EVENTS_H
#define CRASH_EVENTS_H
/* Reads the event log of the shim. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "crash/shim.h"

struct event {
	enum shim_op op;
	uint64_t point;
	int64_t at;
	char path[256];   /* relative to the state directory */
	const char *data; /* points into the events' buffer */
	size_t data_len;
};

struct events { /* zero-initialised */
	struct buf text;
	size_t at;
};

/* Loads SIDE/events from its start; a missing file is empty. */
void events_load(struct events *ev, const char *side);
void events_clear(struct events *ev);
/* Reads the next event; returns false at the end. Skips an incomplete last event. */
bool events_next(struct events *ev, struct event *e);
void events_rewind(struct events *ev);
const char *events_op_name(enum shim_op op);

#endif

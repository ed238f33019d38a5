#ifndef BASE_TRACE_H
#define BASE_TRACE_H
/*
 * A live trace of messages for readers such as the event stream: ids and states, never message texts.
 * Without a reader an event costs one test of trace_on. On the loop's thread only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct task;

/* Lines kept for a slow reader. */
#define TRACE_LINES       1024
#define TRACE_READERS_MAX 16

/* Fields that are 0 or NULL are left out. */
struct trace_event {
	const char *step;
	int64_t inbound, turn, row;
	const char *channel, *chat, *thread;
	const char *message;     /* the platform's id */
	const char *call, *name; /* of a tool */
	const char *model;
	const char *state, *reason;
	unsigned try;
	uint64_t ms; /* duration */
};

extern bool trace_on;
void trace_emit(const struct trace_event *event);
#define trace_step(...)                                                 \
	do {                                                            \
		if (trace_on)                                           \
			trace_emit(&(struct trace_event){__VA_ARGS__}); \
	} while (0)

struct trace_reader {
	struct list link;
	struct task *task;
	uint64_t next;
};

/* Wakes task for each event from now on. Returns -1 when there are too many readers. Must be followed by
 * trace_close. */
int trace_open(struct trace_reader *r, struct task *task);
void trace_close(struct trace_reader *r);
/* Returns the next event as a line of JSON, valid until the next event is emitted; NULL when there is none
 * yet. Adds to *lost the number of events dropped before they were read. */
const char *trace_next(struct trace_reader *r, uint64_t *lost);

#endif

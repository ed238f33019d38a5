#ifndef BASE_TRACE_H
#define BASE_TRACE_H
/*
 * What becomes of messages, told to whoever watches at this moment: ids and states, never what was said.
 * While nobody does, telling costs one look at trace_on. On the loop's thread alone.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct task;

/* Lines that are kept for a slow reader. */
#define TRACE_LINES       1024
#define TRACE_READERS_MAX 16

/* What is 0 or NULL is left out. */
struct trace_event {
	const char *step;
	int64_t inbound, turn, row;
	const char *channel, *chat, *thread;
	const char *message;     /* the platform's id */
	const char *call, *name; /* of a tool */
	const char *model;
	const char *state, *reason;
	unsigned try;
	uint64_t ms; /* how long it took */
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

/* Wakes task for each event from now on. -1: there are too many readers. Followed by trace_close. */
int trace_open(struct trace_reader *r, struct task *task);
void trace_close(struct trace_reader *r);
/* The next event as a line of JSON, borrowed until something is told; NULL: none yet. Adds to *lost how many
 * were forgotten before they were taken. */
const char *trace_next(struct trace_reader *r, uint64_t *lost);

#endif

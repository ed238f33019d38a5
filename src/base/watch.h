#ifndef BASE_WATCH_H
#define BASE_WATCH_H
/*
 * What becomes of messages, told to whoever watches at this moment: ids and states, never what was said.
 * While nobody does, telling costs one look at watch_on. On the loop's thread alone.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct task;

/* Lines that are kept for a slow reader. */
#define WATCH_LINES        1024
#define WATCH_READERS_MOST 16

/* What is 0 or NULL is left out. */
struct watch_event {
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

extern bool watch_on;
void watch_tell(const struct watch_event *event);
#define watch(...)                                                      \
	do {                                                            \
		if (watch_on)                                           \
			watch_tell(&(struct watch_event){__VA_ARGS__}); \
	} while (0)

struct watch_reader {
	struct list link;
	struct task *task;
	uint64_t next;
};

/* Wakes task for each event from now on. -1: there are too many readers. Followed by watch_close. */
int watch_open(struct watch_reader *r, struct task *task);
void watch_close(struct watch_reader *r);
/* The next event as a line of JSON, borrowed until something is told; NULL: none yet. Adds to *lost how many
 * were forgotten before they were taken. */
const char *watch_take(struct watch_reader *r, uint64_t *lost);

#endif

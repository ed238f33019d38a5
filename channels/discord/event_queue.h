#ifndef CHANNELS_DISCORD_EVENT_QUEUE_H
#define CHANNELS_DISCORD_EVENT_QUEUE_H
/* Queues events between the connection, which must read on to answer heartbeats, and the journal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct json_object;
struct task;

struct discord_queued_event {
	struct list link;
	char type[40];            /* "MESSAGE_CREATE"; "" for an unused event, which only counts by seq */
	struct json_object *data; /* owned; NULL if type is "" */
	int64_t seq;
	size_t bytes;
};

struct discord_event_queue {
	struct list items;
	size_t count, bytes;
	struct task *reader, *writer; /* the connection while it waits for room; the task that commits */
	unsigned generation;          /* of the connection that sent the items */
};

void discord_event_queue_init(struct discord_event_queue *q);
/* Adds an event, takes data, and wakes the writer. */
void discord_event_queue_add(
    struct discord_event_queue *q, const char *type, struct json_object *data, int64_t seq, size_t bytes);
/* Frees the first n items, which are committed, and wakes the reader. */
void discord_event_queue_drop(struct discord_event_queue *q, size_t n);
/* Drops all items of a closed connection; Discord sends them again. */
void discord_event_queue_reset(struct discord_event_queue *q);

#endif

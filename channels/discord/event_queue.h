#ifndef CHANNELS_DISCORD_EVENT_QUEUE_H
#define CHANNELS_DISCORD_EVENT_QUEUE_H
/* Events between the connection, which must be read all the time for the sake of its heartbeats, and the
 * journal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct json_object;
struct task;

struct discord_queued_event {
	struct list link;
	char type[40];            /* "MESSAGE_CREATE"; "" for one that says nothing to us but its number */
	struct json_object *data; /* owned; NULL where type is "" */
	int64_t seq;
	size_t bytes;
};

struct discord_event_queue {
	struct list items;
	size_t count, bytes;
	struct task *reader, *writer; /* the connection, when it waits for room; who commits */
	unsigned generation;          /* of the connection that the items came by */
};

void discord_event_queue_init(struct discord_event_queue *q);
/* Adds an event, takes data, and wakes who commits. */
void discord_event_queue_add(
    struct discord_event_queue *q, const char *type, struct json_object *data, int64_t seq, size_t bytes);
/* The first n items are done with: frees them, and wakes who waits for room. */
void discord_event_queue_drop(struct discord_event_queue *q, size_t n);
/* What came by the connection that has ended will come again. */
void discord_event_queue_reset(struct discord_event_queue *q);

#endif

#include "channels/discord/event_queue.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"

void discord_event_queue_init(struct discord_event_queue *q)
{
	*q = (struct discord_event_queue){0};
	list_init(&q->items);
}

void discord_event_queue_add(
    struct discord_event_queue *q, const char *type, struct json_object *data, int64_t seq, size_t bytes)
{
	struct discord_queued_event *item = xcalloc(1, sizeof(*item));

	str_copy(item->type, sizeof(item->type), type);
	item->data = data;
	item->seq = seq;
	item->bytes = bytes;
	list_append(&q->items, &item->link);
	q->count++;
	q->bytes += bytes;
	if (q->writer)
		task_wake(q->writer);
}

void discord_event_queue_drop(struct discord_event_queue *q, size_t n)
{
	for (; n > 0 && !list_is_empty(&q->items); n--) {
		struct discord_queued_event *item =
		    list_entry(list_first(&q->items), struct discord_queued_event, link);

		list_remove(&item->link);
		q->count--;
		q->bytes -= item->bytes;
		json_object_put(item->data);
		free(item);
	}
	if (q->reader)
		task_wake(q->reader);
}

void discord_event_queue_reset(struct discord_event_queue *q)
{
	q->generation++;
	discord_event_queue_drop(q, q->count);
}

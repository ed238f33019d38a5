#include "channels/discord/queue.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/task.h"

void discord_queue_init(struct discord_queue *q)
{
	*q = (struct discord_queue){0};
	list_init(&q->items);
}

void discord_queue_add(
    struct discord_queue *q, const char *type, struct json_object *data, int64_t seq, size_t bytes)
{
	struct discord_item *item = xcalloc(1, sizeof(*item));

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

void discord_queue_drop(struct discord_queue *q, size_t n)
{
	for (; n > 0 && !list_is_empty(&q->items); n--) {
		struct discord_item *item = list_entry(list_first(&q->items), struct discord_item, link);

		list_remove(&item->link);
		q->count--;
		q->bytes -= item->bytes;
		json_object_put(item->data);
		free(item);
	}
	if (q->reader)
		task_wake(q->reader);
}

void discord_queue_reset(struct discord_queue *q)
{
	q->generation++;
	discord_queue_drop(q, q->count);
}

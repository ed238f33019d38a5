#include "playground/telegram/world/callback.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void drop_old(struct callbacks *c, uint64_t now_ms)
{
	size_t n = 0;

	while (n < c->count && (c->list[n].id == 0 || c->list[n].pressed_ms + CALLBACK_MS < now_ms))
		c->dropped += c->list[n++].id != 0;
	c->count -= n;
	memmove(c->list, c->list + n, c->count * sizeof(*c->list));
}

void callbacks_add(struct callbacks *c, int64_t id, uint64_t now_ms)
{
	if (c->count == c->cap && c->count > 0)
		drop_old(c, now_ms);
	if (c->count == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->list = xrealloc(c->list, c->cap * sizeof(*c->list));
	}
	c->list[c->count++] = (struct callback){id, now_ms};
}

static struct callback *find(const struct callbacks *c, int64_t id)
{
	for (size_t i = c->count; i-- > 0;)
		if (c->list[i].id == id)
			return &c->list[i];
	return NULL;
}

int callbacks_answer(struct callbacks *c, int64_t id, uint64_t now_ms)
{
	struct callback *cb = id != 0 ? find(c, id) : NULL;

	if (!cb || cb->pressed_ms + CALLBACK_MS < now_ms)
		return -1;
	cb->id = 0;
	return 0;
}

size_t callbacks_unanswered(const struct callbacks *c, uint64_t ms, uint64_t now_ms)
{
	size_t n = c->dropped;

	for (size_t i = 0; i < c->count; i++)
		n += c->list[i].id != 0 && c->list[i].pressed_ms + ms < now_ms;
	return n;
}

void callbacks_clear(struct callbacks *c)
{
	free(c->list);
	*c = (struct callbacks){0};
}

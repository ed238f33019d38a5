#include "playground/telegram/world/chat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void drafts_remove(struct drafts *d, struct draft *draft)
{
	size_t i = (size_t)(draft - d->list);

	formatted_clear(&draft->text);
	free(draft->rich);
	memmove(draft, draft + 1, (--d->count - i) * sizeof(*draft));
}

void drafts_clear(struct drafts *d)
{
	while (d->count > 0)
		drafts_remove(d, &d->list[d->count - 1]);
	free(d->list);
	*d = (struct drafts){0};
}

void drafts_drop_expired(struct drafts *d, uint64_t now_ms)
{
	for (size_t i = d->count; i-- > 0;)
		if (d->list[i].until_ms <= now_ms)
			drafts_remove(d, &d->list[i]);
}

struct draft *drafts_find(struct drafts *d, int64_t id, uint64_t now_ms)
{
	drafts_drop_expired(d, now_ms);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].id == id)
			return &d->list[i];
	return NULL;
}

struct draft *drafts_get(struct drafts *d, int64_t id, uint64_t now_ms)
{
	struct draft *draft = drafts_find(d, id, now_ms);

	if (!draft) {
		d->list = xrealloc(d->list, (d->count + 1) * sizeof(*d->list));
		draft = &d->list[d->count++];
		*draft = (struct draft){.id = id, .text = FORMATTED_INIT};
	}
	draft->until_ms = now_ms + DRAFT_MS;
	return draft;
}

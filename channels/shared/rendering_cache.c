#include "channels/shared/rendering_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"

/* NULL for a text that is too long. */
static struct rendering_cache_slot *slot_of(struct rendering_cache *c, const char *text)
{
	size_t len = strnlen(text, RENDERING_CACHE_TEXT_MAX + 1);

	return len > RENDERING_CACHE_TEXT_MAX ?
	    NULL :
	    &c->slots[fnv_add(FNV_START, text, len) % RENDERING_CACHE_SLOTS];
}

void rendering_cache_put(struct rendering_cache *c, const char *text, void *rendering)
{
	struct rendering_cache_slot *slot = slot_of(c, text);

	if (!slot) {
		c->free(rendering);
		return;
	}
	free(slot->text);
	if (slot->rendering)
		c->free(slot->rendering);
	*slot = (struct rendering_cache_slot){xstrdup(text), rendering};
}

const void *rendering_cache_get(struct rendering_cache *c, const char *text)
{
	struct rendering_cache_slot *slot = slot_of(c, text);

	return slot && slot->text && strcmp(slot->text, text) == 0 ? slot->rendering : NULL;
}

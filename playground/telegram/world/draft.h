#ifndef PLAYGROUND_TELEGRAM_WORLD_DRAFT_H
#define PLAYGROUND_TELEGRAM_WORLD_DRAFT_H
/* Drafts of a bot (Bot API 9.3, sendMessageDraft): previews that expire after 30 seconds or when the bot
 * sends a message. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "playground/telegram/text/formatted.h"

#define DRAFT_MS 30000

struct draft {
	int64_t id;
	struct formatted text;
	uint64_t until_ms;
	bool can_stop, keep_on_stop;
};

struct drafts { /* zero-initialised */
	struct draft *list;
	size_t count;
};

/* Returns the draft with that id, creating it; the caller fills its text. */
struct draft *drafts_get(struct drafts *d, int64_t id, uint64_t now_ms);
/* Returns NULL if unknown or expired. */
struct draft *drafts_find(struct drafts *d, int64_t id, uint64_t now_ms);
void drafts_drop_expired(struct drafts *d, uint64_t now_ms);
void drafts_remove(struct drafts *d, struct draft *draft);
void drafts_clear(struct drafts *d);

#endif

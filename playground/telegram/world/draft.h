#ifndef PLAYGROUND_TELEGRAM_WORLD_DRAFT_H
#define PLAYGROUND_TELEGRAM_WORLD_DRAFT_H
/*
 * What a bot shows while it still writes (Bot API 9.3, sendMessageDraft): a preview of 30
 * seconds, gone when the bot sends a message.
 */
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

struct drafts { /* zeroed before first use */
	struct draft *list;
	size_t count;
};

/* The draft with that id, new if there is none; its text is the caller's to fill. */
struct draft *drafts_get(struct drafts *d, int64_t id, uint64_t now_ms);
/* NULL when there is none, or it has expired. */
struct draft *drafts_find(struct drafts *d, int64_t id, uint64_t now_ms);
void drafts_drop_expired(struct drafts *d, uint64_t now_ms);
void drafts_remove(struct drafts *d, struct draft *draft);
void drafts_clear(struct drafts *d);

#endif

#ifndef PLAYGROUND_TELEGRAM_WORLD_CALLBACK_H
#define PLAYGROUND_TELEGRAM_WORLD_CALLBACK_H
/* Button presses that wait for answerCallbackQuery. */
#include <stddef.h>
#include <stdint.h>

/* How long an answer is accepted; undocumented. */
#define CALLBACK_MS 60000

struct callback {
	int64_t id; /* 0: answered */
	uint64_t pressed_ms;
};

struct callbacks { /* zero-initialised; sorted by age */
	struct callback *list;
	size_t count, cap;
	size_t dropped; /* of those that were never answered */
};

void callbacks_add(struct callbacks *c, int64_t id, uint64_t now_ms);
/* Marks the press as answered and returns 0; -1 if it is unknown, answered or expired. */
int callbacks_answer(struct callbacks *c, int64_t id, uint64_t now_ms);
/* How many have waited for longer than ms? */
size_t callbacks_unanswered(const struct callbacks *c, uint64_t ms, uint64_t now_ms);
void callbacks_clear(struct callbacks *c);

#endif

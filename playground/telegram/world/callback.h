#ifndef PLAYGROUND_TELEGRAM_WORLD_CALLBACK_H
#define PLAYGROUND_TELEGRAM_WORLD_CALLBACK_H
/* Presses of buttons that wait for answerCallbackQuery. */
#include <stddef.h>
#include <stdint.h>

/* How long an answer is taken; the documentation gives no number. */
#define CALLBACK_MS 60000

struct callback {
	int64_t id; /* 0: answered */
	uint64_t pressed_ms;
};

struct callbacks { /* zeroed before first use; by age */
	struct callback *list;
	size_t count, cap;
};

void callbacks_add(struct callbacks *c, int64_t id, uint64_t now_ms);
/* 0, and the press is answered; -1 when it is unknown, answered already or too old. */
int callbacks_answer(struct callbacks *c, int64_t id, uint64_t now_ms);
void callbacks_clear(struct callbacks *c);

#endif

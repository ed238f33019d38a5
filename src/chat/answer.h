#ifndef CHAT_ANSWER_H
#define CHAT_ANSWER_H
/* What the terminal shows: growing answers, other messages, notes. */
#include <stdbool.h>

#include "base/buf.h"
#include "chat/text.h"

struct chat_message;
struct chat_user_message;
struct chat_screen;

struct chat_answer {
	struct chat_screen *screen;
	bool typing;
	/* The growing answer. */
	bool growing;
	char *reply_to;
	struct buf shown; /* its Markdown so far */
	struct chat_text text;
};

void chat_answer_init(struct chat_answer *a, struct chat_screen *screen);
void chat_answer_clear(struct chat_answer *a);
/* See struct chat_handler. */
void chat_answer_live(struct chat_answer *a, bool typing, const char *preview, const char *reply_to);
void chat_answer_message(struct chat_answer *a, const struct chat_message *m);
void chat_answer_user_message(struct chat_answer *a, const struct chat_user_message *m);
__attribute__((format(printf, 2, 3))) void chat_answer_note(struct chat_answer *a, const char *fmt, ...);
/* Redraws the changing row after other output. */
void chat_answer_refresh(struct chat_answer *a);

#endif

#ifndef PLAYGROUND_TELEGRAM_METHODS_EDIT_H
#define PLAYGROUND_TELEGRAM_METHODS_EDIT_H
/* Shared by all methods that edit a message of the bot. */
#include <stdbool.h>

#include "playground/telegram/http/method.h"

struct chat;
struct message;

struct edit {
	struct chat *chat;
	struct message *message;
	char *markup; /* the new inline keyboard as JSON text; NULL: none */
};

/* Reads reply_markup and finds the message. Returns -1 after call_fail or call_refuse, with nothing to
 * clear. */
int edit_open(struct call *call, struct edit *e);
/* Is there something to change, and is the bot allowed to edit so often? changed: the content differs.
 * Returns -1 after call_fail, with nothing to clear. */
int edit_check(struct call *call, struct edit *e, bool changed);
/* Puts the keyboard into the message, whose content the caller has changed, and answers with it. */
void edit_close(struct call *call, struct edit *e);
/* Fails with 400, and clears. Returns -1. */
int edit_fail(struct call *call, struct edit *e, const char *says);

#endif

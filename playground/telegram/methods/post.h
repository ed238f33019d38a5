#ifndef PLAYGROUND_TELEGRAM_METHODS_POST_H
#define PLAYGROUND_TELEGRAM_METHODS_POST_H
/* Shared by all methods that send a message: target, reply, and permission. */
#include <stdint.h>

#include "playground/telegram/http/method.h"

struct chat;
struct message;
struct user;

struct post {
	struct chat *chat;
	int64_t thread; /* 0: none */
	const struct message *to;
	const struct user *receiver; /* of a message that one person of a group sees; NULL: all do */
	char *quote;                 /* TextQuote as JSON text; NULL: none */
	char *markup;                /* inline keyboard as JSON text; NULL: none */
};

/* Reads the parameters and checks that the bot may send count messages; what: "text messages", for the
 * error. Returns -1 after call_fail or call_refuse, with nothing to clear. */
int post_open(struct call *call, struct post *p, unsigned count, const char *what);
/* Takes m and adds it to the chat as the bot's. The first message gets the keyboard. */
void posting_add(struct call *call, struct post *p, struct message *m);
/* All of it for one message, which is the result; takes m, also when it fails. */
int post_send(struct call *call, const char *what, struct message *m);
/* Applies the effects of sending; call it after the last message. */
void post_close(struct call *call, struct post *p);

#endif

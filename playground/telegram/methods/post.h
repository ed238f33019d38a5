#ifndef PLAYGROUND_TELEGRAM_METHODS_POST_H
#define PLAYGROUND_TELEGRAM_METHODS_POST_H
/* What all methods that send a message have in common: where it goes, what it replies to, and whether the bot
 * may. */
#include <stdint.h>

#include "playground/telegram/http/method.h"

struct chat;
struct message;

/* Rows that they share; the first POST_ALBUM_PARAMS are those of sendMediaGroup, too. */
#define POST_PARAMS       13
#define POST_ALBUM_PARAMS 10
extern const struct param post_params[POST_PARAMS];

struct post {
	struct chat *chat;
	int64_t thread; /* 0: none */
	const struct message *to;
	char *quote;  /* TextQuote as JSON text; NULL: none */
	char *markup; /* inline keyboard as JSON text; NULL: none */
};

/* Reads the parameters and checks that count messages may be sent; what: "text messages", for the
 * refusal. -1 after call_fail or call_refuse, and nothing is left to clear. */
int post_open(struct call *call, struct post *p, unsigned count, const char *what);
/* Takes m: puts it into the chat as the bot's. The keyboard goes to the first. */
void posting_add(struct call *call, struct post *p, struct message *m);
/* What sending has done to the chat; after the last message. */
void post_close(struct call *call, struct post *p);

#endif

#ifndef PLAYGROUND_TELEGRAM_WORLD_INLINE_H
#define PLAYGROUND_TELEGRAM_WORLD_INLINE_H
/* Inline mode: what people ask a bot for, what it offers, and the messages that they send of that. Lives in
 * memory alone; the messages stay. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct bot;
struct buf;
struct chat;
struct json_object;
struct message;
struct user;
struct world;

struct inline_result {
	struct json_object *as_sent; /* the InlineQueryResult */
	struct message *message;     /* what a person would send; NULL: not simulated */
};

struct inline_query {
	struct list link;
	int64_t id;
	struct user *user;
	char *text;
	bool answered;
	struct inline_result *results;
	size_t count;
	struct json_object *button; /* NULL: none */
	char *next_offset;          /* NULL: none */
	struct chat *chat; /* of a guest query: where the bot was summoned; NULL: of an inline query */
	int32_t message;   /* likewise: by which message */
};

struct inline_query *inline_ask(struct bot *b, struct user *u, const char *text);
struct inline_query *inline_find(const struct bot *b, int64_t id); /* NULL: none */
/* Takes both. */
void inline_offer(struct inline_query *q, struct json_object *as_sent, struct message *m);
/* A person sends the result to the chat; tells the bot. Returns the message. */
struct message *inline_choose(
    struct bot *b, struct inline_query *q, const struct inline_result *r, struct chat *c);
void inline_clear(struct bot *b);
/* A person summons a bot that is not in the chat, by that message: guest_message. */
void inline_summon(struct bot *b, struct user *u, struct chat *c, struct message *m);
/* The bot answers that with the result: a message of its own. */
struct message *inline_reply(struct bot *b, struct inline_query *q, const struct inline_result *r);

/* The message is one that a person sent by that bot; NULL: no such message. */
struct bot *inline_bot(const struct message *m, const struct world *w);
/* Appends the inline_message_id. */
void inline_write_id(const struct message *m, const struct chat *c, struct buf *out);
/* Returns the message of an inline_message_id of the bot and its chat; NULL: none. */
struct message *inline_message(struct bot *b, const char *id, struct chat **c);

#endif

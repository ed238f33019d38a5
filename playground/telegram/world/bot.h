#ifndef PLAYGROUND_TELEGRAM_WORLD_BOT_H
#define PLAYGROUND_TELEGRAM_WORLD_BOT_H
/* A bot: its update queue, commands and settings. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/world/callback.h"
#include "playground/telegram/world/commands.h"
#include "playground/telegram/world/update.h"
#include "playground/telegram/world/webhook.h"

struct buf;
struct chat;
struct file;
struct json_object;
struct world;

/* The waiting getUpdates call, owned by its task. */
struct poll {
	struct task *task;
	const char *conflict; /* reason to end it with 409; NULL: none */
};

struct bot {
	struct list link;
	struct world *world;
	int64_t id;     /* 0: no client has connected yet */
	int64_t number; /* counts from 1 */
	char username[40];
	int32_t last_message_id; /* private chats of a bot share one counter */
	struct update_queue updates;
	uint64_t allowed; /* kinds of updates; kept until changed */
	struct poll *poll;
	int64_t last_offset; /* of getUpdates, and its time */
	uint64_t last_poll_ms;
	uint64_t next_conflict_ms;
	struct webhook webhook;
	uint64_t next_webhook_ms;
	uint64_t created_ms, logged_out_ms;
	struct command_lists commands;
	struct json_object *profile; /* what the bot set of itself: name, descriptions, menu_button, rights */
	struct file *photo;          /* newest of its profile photos; NULL: none */
	struct callbacks callbacks;
	struct list inlines;           /* struct inline_query */
	struct json_object *checkouts; /* payments under way: see payment.h; NULL: none */
	struct bucket sends;
};

struct bot *bot_new(struct world *w, int64_t id);
void bot_free(struct bot *b);
/* A client with that id has connected to the unclaimed bot. */
void bot_claim(struct bot *b, int64_t id);
const char *bot_name(const struct bot *b);
/* The bot's User object; getMe adds its own members. */
void bot_write(const struct bot *b, struct buf *out);
/* The bot's ChatMember object with that status. */
void bot_write_member(const struct bot *b, const struct chat *c, const char *status, struct buf *out);
void bot_write_full(const struct bot *b, struct buf *out);

/* Queues an update if the bot wants its kind, and wakes the poll. object is the value of the update's
 * member. */
void bot_update(struct bot *b, enum update_kind kind, const struct buf *object);
/* Queues my_chat_member: the status changed from was to is, by that person. */
void bot_update_member(struct bot *b, const struct chat *c, int64_t by, const char *was, const char *is);
/* Ends the waiting poll with 409. */
void bot_end_poll(struct bot *b, const char *conflict);

#endif

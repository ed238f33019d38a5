#ifndef PLAYGROUND_TELEGRAM_WORLD_BOT_H
#define PLAYGROUND_TELEGRAM_WORLD_BOT_H
/* A bot: its queue of updates, its commands, its settings. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/world/callback.h"
#include "playground/telegram/world/commands.h"
#include "playground/telegram/world/update.h"

struct buf;
struct chat;
struct world;

/* The getUpdates call that waits; its task owns it. */
struct poll {
	struct task *task;
	const char *conflict; /* why it has to end with 409, NULL while it need not */
};

struct bot {
	struct list link;
	struct world *world;
	int64_t id;     /* 0: no client has come yet */
	int64_t number; /* counts from 1 */
	char username[40];
	int32_t last_message_id; /* private chats of an account share one count */
	struct update_queue updates;
	uint64_t allowed; /* kinds of updates; sticky */
	struct poll *poll;
	int64_t last_offset; /* of getUpdates, and when */
	uint64_t last_poll_ms;
	uint64_t next_conflict_ms;
	char *webhook_url; /* NULL: none */
	int webhook_connections;
	uint64_t next_webhook_ms;
	uint64_t created_ms, logged_out_ms;
	struct command_lists commands;
	struct callbacks callbacks;
	struct bucket sends;
};

struct bot *bot_new(struct world *w, int64_t id);
void bot_free(struct bot *b);
/* A client with that id has come for the bot that nobody had claimed. */
void bot_claim(struct bot *b, int64_t id);
/* The bot as a User object; getMe adds what only it tells. */
void bot_write(const struct bot *b, struct buf *out);
/* The bot as a ChatMember of that status. */
void bot_write_member(const struct bot *b, const char *status, struct buf *out);
void bot_write_full(const struct bot *b, struct buf *out);

/* Puts an update into the queue, if the bot wants its kind, and wakes the poll. object
 * is the value of the update's member. */
void bot_update(struct bot *b, enum update_kind kind, const struct buf *object);
/* my_chat_member: from the status was to is, by that person. */
void bot_update_member(struct bot *b, const struct chat *c, int64_t by, const char *was, const char *is);
/* Ends the poll that waits, with 409. */
void bot_end_poll(struct bot *b, const char *conflict);

#endif

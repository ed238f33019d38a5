#ifndef PLAYGROUND_TELEGRAM_WORLD_BOT_H
#define PLAYGROUND_TELEGRAM_WORLD_BOT_H
/* A bot: its update queue, webhook, commands, settings, and those who let it work for them or pay it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/world/update.h"

struct bot;
struct buf;
struct chat;
struct error;
struct file;
struct json_object;
struct message;
struct user;
struct world;

/* Button presses that wait for answerCallbackQuery. */

/* How long an answer is accepted. Undocumented: what bots have observed. */
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

/* The command lists of a bot, by scope and language. */

struct command_list {
	struct list link;
	char *scope; /* BotCommandScope and language as canonical text */
	char *json;  /* the array of BotCommand */
};

struct command_lists {
	struct list lists;
};

/* Copies both. json NULL removes the list. */
void command_lists_set(struct command_lists *c, const char *scope, const char *json);
/* Returns "[]" if not set. */
const char *command_lists_get(const struct command_lists *c, const char *scope);
void command_lists_clear(struct command_lists *c);

/* Delivers updates to the webhook of a bot, to servers of this machine alone. As the platform does: those of
 * one chat one after the other, those of several at once; again after a failure, with growing delays. */

struct webhook {
	char *url;    /* NULL: none */
	char *secret; /* NULL: none */
	int connections;
	int64_t error_date; /* Unix time of the last failure; 0: none */
	char error[160];
	unsigned generation; /* counts changes; deliveries of an older one do not count */
	unsigned active;     /* deliveries under way */
};

/* Copies the texts; url NULL removes it. */
void webhook_set(struct bot *b, const char *url, const char *secret, int connections);
/* Delivers pending updates; call it when there are more. */
void webhook_pump(struct bot *b);
/* Is it a host of this machine, or one that the command line allows? */
bool webhook_is_reached(const char *url);
void webhook_clear(struct webhook *h);
/* For --data; NULL: none is set. */
struct json_object *webhook_save(const struct webhook *h);
void webhook_load(struct bot *b, struct json_object *o);

/* A bot: its update queue, commands and settings. */

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
	struct json_object *checkouts; /* payments under way: see payment_begin; NULL: none */
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

/* People who let a bot work for their account: their private chats with others are chats of the bot, too. A
 * connection is JSON in the profile of the bot: {"user","date","is_enabled","rights"}. */

/* Makes or changes the connection of a person, and tells the bot. rights: names of BusinessBotRights, NULL:
 * to reply and to read. Returns the id. */
const char *business_connect(struct bot *b, const struct user *u, bool enabled, struct json_object *rights);
/* NULL: there is none. */
struct json_object *business_find(const struct bot *b, const char *id);
/* The BusinessConnection. */
void business_write(const struct bot *b, const char *id, struct buf *out);
bool business_may(const struct bot *b, const char *id, const char *right);
struct user *business_owner(const struct bot *b, const char *id);
/* The chat of the connection with a person; customer NULL: finds by the id; made if u is given. */
struct chat *business_chat(struct bot *b, const char *id, struct user *customer, int64_t customer_id);
/* Deletes a message of such a chat. notify: tells the bot, unless it did that itself. */
void business_delete(struct chat *c, struct message *m, bool notify);

/* Invoices, and the people who pay them. No money moves. An invoice is JSON: title, description, payload,
 * currency, total_amount, is_flexible. */

/* A person begins to pay; returns the checkout, whose "id" is the bot's query: {"id","state","user",
 * "invoice","error"}. state: shipping, checkout, paid, refused. */
struct json_object *payment_begin(
    struct bot *b, struct chat *c, const struct user *u, struct json_object *invoice);
/* NULL: there is none in that state. */
struct json_object *payment_find(const struct bot *b, const char *id, const char *state);
/* The bot accepts (error NULL) or declines; option: of the shipping that it offers, NULL: none. */
void payment_answer(
    struct bot *b, struct json_object *checkout, const char *error, struct json_object *option);
/* The Star transactions, oldest first: an array in the profile. */
struct json_object *payment_transactions(struct bot *b);
int64_t payment_balance(struct bot *b);
/* Gives Stars back. Returns NULL, or the platform's error. */
const char *payment_refund(struct bot *b, int64_t user_id, const char *charge);

#endif

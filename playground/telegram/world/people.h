#ifndef PLAYGROUND_TELEGRAM_WORLD_PEOPLE_H
#define PLAYGROUND_TELEGRAM_WORLD_PEOPLE_H
/* The people of a chat: what they do, what they may do, and how they come in. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct bot;
struct buf;
struct chat;
struct error;
struct json_object;
struct member;
struct message;
struct topic;
struct user;
struct world;

/* Service messages and the events behind them. */

/* The acting user or bot: one of the two. */
struct author {
	struct user *user;
	struct bot *bot;
};

/* Adds the message and queues it for the bots that may see it. Takes members, which are the message's
 * without braces. topic NULL: none. Returns the message id. */
int32_t service_add(struct chat *c, struct author by, const struct topic *topic, char *members);

/* A topic has the id of its first service message. */
struct topic *service_create_topic(struct chat *c, struct author by, const char *name, int64_t color);
void service_rename_topic(struct chat *c, struct author by, struct topic *topic, const char *name);
void service_close_topic(struct chat *c, struct author by, struct topic *topic, bool closed);
/* Deletes its messages without updates. */
void service_delete_topic(struct chat *c, struct topic *topic);
/* The general topic: its name; "closed" and "hidden", where what is hidden is closed, too. */
void service_rename_general(struct chat *c, struct author by, const char *name);
void service_set_general(struct chat *c, struct author by, const char *what, bool on);
/* A member joined or left. */
void service_member(struct chat *c, struct author by, struct author who, bool joined);

/* The people of a group or channel: who is in it, and with which rights. Each has a record, which is their
 * ChatMember without the user. Permissions and rights have the names of the Bot API. */

/* Returns the record, borrowed; NULL: never been there. What has expired is over. */
struct json_object *people_get(const struct chat *c, int64_t id);
/* Returns {"status":STATUS}, new. */
struct json_object *people_record(const char *status);
const char *people_status(const struct chat *c, int64_t id);
bool people_is_in(const struct chat *c, int64_t id);
/* People with that record and bots that are there. */
size_t people_count(const struct chat *c);
/* Makes whoever acts in a group or channel a member, without an event. */
void people_meet(struct chat *c, const struct user *u);
/* Takes the new record and further members of the update (NULL: none), and tells the bots that are
 * administrators: chat_member. */
void people_set(
    struct chat *c, struct author by, int64_t id, struct json_object *record, struct json_object *further);
/* Appends the ChatMember of a person or a bot. */
void people_write(const struct chat *c, int64_t id, struct buf *out);
/* May the person do what the permission names, such as can_send_messages? */
bool people_may(const struct chat *c, int64_t id, const char *permission);

/* Returns what everybody may do in the chat, new. */
struct json_object *people_permissions(const struct chat *c);
/* Is the bot an administrator with that right, such as can_pin_messages? NULL: with any. */
bool bot_may(const struct chat *c, const struct member *m, const char *right);
/* Sets each member of the type in out, by what in says of it: false, unless it is true. */
void rights_read(const char *type, struct json_object *in, struct json_object *out);

/* Invite links of a chat, and those who ask to join. A link is its ChatInviteLink; "joined" counts who came
 * by it, and is not shown. */

/* Makes a link of that bot; the caller sets what else it has. */
struct json_object *invite_new(struct chat *c, const struct bot *b, bool primary);
/* Returns the link of that bot, NULL: there is none. */
struct json_object *invite_find(const struct chat *c, const struct bot *b, const char *link);
struct json_object *invite_primary(const struct chat *c, const struct bot *b);
void invite_write(struct json_object *link, struct buf *out);
/* A person follows a link, and is in, or asks to join. Sets err when the link does not work. */
int invite_follow(struct chat *c, struct user *u, const char *link, bool *asked, struct error *err);
/* Ends the request of a person to join. false: there was none. by: the bot that approved or declined. */
bool invite_end(struct chat *c, struct bot *by, int64_t user_id, bool approved);

/* Inline mode: what people ask a bot for, what it offers, and the messages that they send of that. Lives in
 * memory alone; the messages stay. */

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

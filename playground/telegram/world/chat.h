#ifndef PLAYGROUND_TELEGRAM_WORLD_CHAT_H
#define PLAYGROUND_TELEGRAM_WORLD_CHAT_H
/* A chat, its topics and drafts, and who gets its messages. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/text/formatted.h"

struct bot;
struct buf;
struct error;
struct json_object;
struct message;
struct user;
struct world;

/* The topics of a forum. The General topic is not listed: its id is 1, and its messages carry no thread. */

#define TOPIC_GENERAL  1
#define TOPIC_NAME_MAX 128 /* characters */
#define TOPIC_COLOR    0x6FB9F0

struct topic {
	int64_t id;
	char *name;
	int64_t color;
	bool closed;
};

/* The name of the general topic by the settings of its chat. */
const char *topic_general_name(struct json_object *settings);

struct topics { /* zero-initialised */
	struct topic *list;
	size_t count;
};

struct topic *topics_find(const struct topics *t, int64_t id); /* NULL when there is none */
/* Returns the topic with that id, creating it; name NULL: derive it from the id. Valid until the next
 * addition. */
struct topic *topics_add(struct topics *t, int64_t id, const char *name);
void topic_rename(struct topic *topic, const char *name);
void topics_remove(struct topics *t, struct topic *topic);
void topics_clear(struct topics *t);

/* Save and load the topics. */
struct json_object *topics_save(const struct topics *t);
void topics_load(struct topics *t, struct json_object *array);

/* Drafts of a bot (Bot API 9.3, sendMessageDraft): previews that expire after 30 seconds or when the bot
 * sends a message. */

#define DRAFT_MS 30000

struct draft {
	int64_t id;
	struct formatted text;
	char *rich; /* a rich message in place of the text, as JSON text; NULL: none */
	uint64_t until_ms;
	bool can_stop, keep_on_stop;
};

struct drafts { /* zero-initialised */
	struct draft *list;
	size_t count;
};

/* Returns the draft with that id, creating it; the caller fills its text. */
struct draft *drafts_get(struct drafts *d, int64_t id, uint64_t now_ms);
/* Returns NULL if unknown or expired. */
struct draft *drafts_find(struct drafts *d, int64_t id, uint64_t now_ms);
void drafts_drop_expired(struct drafts *d, uint64_t now_ms);
void drafts_remove(struct drafts *d, struct draft *draft);
void drafts_clear(struct drafts *d);

/* A chat and its messages. */

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_SUPERGROUP, CHAT_CHANNEL };

/* Why the bot cannot write to the chat. */
enum chat_gone {
	GONE_NOT,
	GONE_BLOCKED,     /* blocked by the person, or removed from the group */
	GONE_DEACTIVATED, /* the person's account */
	GONE_DELETED,     /* the group */
	GONE_LEFT
};

/* A bot as a member of a chat. */
struct member {
	struct bot *bot;
	enum chat_gone gone;
	bool admin;                 /* of a group */
	bool muted;                 /* may not send unless it is an administrator */
	struct json_object *rights; /* of an administrator, by name; NULL: the usual ones */
};

struct chat {
	struct list link;
	struct world *world;
	int64_t id;
	enum chat_kind kind;
	char *title;       /* of groups and channels */
	struct user *user; /* of a private chat */
	char *business; /* the connection of a private chat that is another person's; NULL: the bot's own */
	struct member *members; /* exactly one in a private chat */
	size_t member_count;
	bool forum;
	struct topics topics;
	/* What bots set, by name, as JSON: description, permissions, people, pinned, links, requests, … */
	struct json_object *settings;
	int64_t migrated_to;       /* new id of a group that became a supergroup; 0: none */
	struct message **messages; /* by id */
	size_t count, cap;
	int32_t last_id;         /* per group */
	size_t shown, shown_bot; /* messages that are not deleted, and the bot's among them */
	char action[24];         /* the bot's chat action, until action_until_ms (clock_now()) */
	uint64_t action_until_ms;
	struct drafts drafts;
	struct bucket sends, edits;
};

/* A chat as a control request names it. */
struct chat_query {
	const char *chat, *kind; /* NULL: private unless the chat exists or its id is negative */
	const char *user;        /* name of the person of a new private chat; NULL: as chat */
	struct bot *bot;
};

const char *telegram_chat_type(enum chat_kind kind); /* Bot API: Chat.type */
/* Finds the chat, or returns NULL with err set. */
struct chat *chat_find(struct world *w, const struct chat_query *query, struct error *err);
/* The same; creates the chat. */
struct chat *chat_get(struct world *w, const struct chat_query *query, struct error *err);
/* Returns the chat of that id for a bot; NULL if the bot was never in it. */
struct chat *chat_of_bot(struct bot *b, int64_t id);
struct chat *chat_new(struct world *w, enum chat_kind kind, int64_t id, const char *title);
void chat_free(struct chat *c);
/* Returns the key of a private chat besides the person: the bot's, or that of the connection. */
int64_t chat_key(const struct chat *c);
int64_t chat_business_key(const char *connection);
/* Returns an object of the settings, made if it is not there. */
struct json_object *chat_part(struct chat *c, const char *name);
void chat_clear_messages(struct chat *c);
/* Adds the bot if it is not a member, and queues the update. */
void chat_add_member(struct chat *c, struct bot *b);
struct member *chat_find_member(const struct chat *c, const struct bot *b);
/* Returns the Bot API's status: member, administrator, left, kicked. */
const char *chat_member_status(const struct chat *c, const struct member *m);

/* The Chat object. */
void chat_write(const struct chat *c, struct buf *out);

struct message *chat_message(const struct chat *c, int64_t id);      /* NULL when none, or deleted */
struct message *chat_message_ever(const struct chat *c, int64_t id); /* also a deleted one */
struct message *chat_pinned(const struct chat *c);                   /* the newest that is; NULL: none */
/* Assigns the next id and takes m. */
void chat_add_message(struct chat *c, struct message *m);
/* Deletes m; the transcript keeps it as deleted. */
void chat_delete_message(struct chat *c, struct message *m);

/* Decides which bots get a message. */

/* Queues a person's new or edited message for the bots that may see it. */
void deliver_message(struct chat *c, const struct message *m, bool edited);

#endif

#ifndef PLAYGROUND_TELEGRAM_WORLD_CHAT_H
#define PLAYGROUND_TELEGRAM_WORLD_CHAT_H
/* A chat and what was said in it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/world/draft.h"
#include "playground/telegram/world/topic.h"

struct bot;
struct buf;
struct error;
struct message;
struct user;
struct world;

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_SUPERGROUP, CHAT_CHANNEL };

/* Why a bot cannot write any more. */
enum chat_gone {
	GONE_NOT,
	GONE_BLOCKED,     /* by the person, or thrown out of the group */
	GONE_DEACTIVATED, /* the person's account */
	GONE_DELETED,     /* the group */
	GONE_LEFT
};

/* A bot in a chat. */
struct member {
	struct bot *bot;
	enum chat_gone gone;
	bool admin; /* of a group: with all rights */
	bool muted; /* it may not send, unless it is an administrator */
};

struct chat {
	struct list link;
	struct world *world;
	int64_t id;
	enum chat_kind kind;
	char *title;            /* of groups and channels */
	struct user *user;      /* of a private chat */
	struct member *members; /* one in a private chat */
	size_t member_count;
	bool forum;
	struct topics topics;
	int64_t migrated_to;       /* a group that became a supergroup: its id there; 0 otherwise */
	struct message **messages; /* by id */
	size_t count, cap;
	int32_t last_id;         /* groups count their own messages */
	size_t shown, shown_bot; /* messages that are not deleted; those of bots among them */
	char action[24];         /* what the bot is doing, until that time of clock_now() */
	uint64_t action_until_ms;
	struct drafts drafts;
	struct bucket sends, edits;
};

/* What a control request means by a chat. */
struct chat_wish {
	const char *chat, *kind; /* kind may be NULL: private unless the chat exists or its id is negative */
	const char *user;        /* how the person of a new private chat is called; NULL: as chat says */
	struct bot *bot;
};

const char *telegram_chat_type(enum chat_kind kind); /* Bot API: Chat.type */
/* NULL with err set where it does not exist. */
struct chat *chat_find(struct world *w, const struct chat_wish *wish, struct error *err);
/* The same, created when new. */
struct chat *chat_get(struct world *w, const struct chat_wish *wish, struct error *err);
/* The chat that a bot may mean by that id; NULL if it never met it. */
struct chat *chat_of_bot(struct bot *b, int64_t id);
struct chat *chat_new(struct world *w, enum chat_kind kind, int64_t id, const char *title);
void chat_free(struct chat *c);
void chat_clear_messages(struct chat *c);
/* Adds the bot as a member where it is none; tells it, if that is news. */
void chat_add_member(struct chat *c, struct bot *b);
struct member *chat_find_member(const struct chat *c, const struct bot *b);
/* How the Bot API calls what a bot is in the chat: member, administrator, left, kicked. */
const char *chat_member_status(const struct chat *c, const struct member *m);

/* The Chat object. */
void chat_write(const struct chat *c, struct buf *out);

struct message *chat_message(const struct chat *c, int64_t id);      /* NULL when none, or deleted */
struct message *chat_message_ever(const struct chat *c, int64_t id); /* also a deleted one */
/* Gives m the next id and takes it. */
void chat_add_message(struct chat *c, struct message *m);
/* It stays in the transcript as deleted. */
void chat_delete_message(struct chat *c, struct message *m);

#endif

#ifndef PLAYGROUND_DISCORD_WORLD_CHANNEL_H
#define PLAYGROUND_DISCORD_WORLD_CHANNEL_H
/* Channels and threads, and what happens to a guild besides messages: its audit log, events and rules. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/discord/world/message.h"

struct cord_bot;
struct cord_guild;
struct cord_message;
struct cord_record;
struct cord_user;
struct cord_world;
struct json_object;

/* A channel, thread or direct message with its messages. */

/* Discord: resources/channel, Channel Types. */
enum cord_channel_type {
	CORD_TEXT = 0,
	CORD_DM = 1,
	CORD_VOICE = 2,
	CORD_GROUP_DM = 3,
	CORD_CATEGORY = 4,
	CORD_NEWS = 5,
	CORD_NEWS_THREAD = 10,
	CORD_PUBLIC_THREAD = 11,
	CORD_PRIVATE_THREAD = 12,
	CORD_STAGE_VOICE = 13,
	CORD_FORUM = 15,
	CORD_MEDIA = 16
};

struct cord_channel {
	struct list link;
	struct cord_world *world;
	uint64_t id;
	enum cord_channel_type type;
	struct cord_guild *guild;    /* NULL: a direct message or group DM */
	struct cord_channel *parent; /* of a thread */
	uint64_t category_id;        /* of others; 0: none */
	char *name;
	char kind[8];           /* in the control interface; of a direct message with the bot: none */
	struct cord_user *user; /* of a direct message with the bot; else NULL */
	struct cord_bot *bot;
	bool blocked;                   /* the user of a direct message blocks the bot */
	bool gone;                      /* deleted: hidden from the API */
	struct json_object *overwrites; /* of permissions: an array as the API shows it */
	struct json_object *more; /* what it has beside these fields: topic, position, available_tags... */
	/* Threads, and where people are among themselves. */
	uint64_t owner_id;
	struct cord_ids members;
	/* Threads. */
	bool archived, locked, invitable;
	int64_t auto_archive;           /* minutes */
	int64_t archive_ms;             /* wall clock of the last change */
	struct cord_message **messages; /* by id */
	size_t count, cap;
	size_t polls;    /* open ones, and when the first */
	int64_t poll_ms; /* of them ends, of clock_wall() */
	uint64_t last_message_id;
	uint64_t typing_until_ms;          /* clock_now() until which a bot is typing */
	int64_t slowmode_s, slow_until_ms; /* wall clock; for bots, whoever wrote last */
};

struct cord_channel *cord_channel_find(const struct cord_world *w, uint64_t id);
struct cord_channel *cord_channel_new(
    struct cord_world *w, enum cord_channel_type type, uint64_t id, const char *name);
void cord_channel_free(struct cord_channel *c);
/* Returns the direct message of the two; creates it with that id, or a new one for 0. */
struct cord_channel *cord_channel_dm(struct cord_bot *b, struct cord_user *u, uint64_t id);
/* Returns the direct message or group DM of these people, without a bot; NULL: there is none, unless the
 * first of them creates it. */
struct cord_channel *cord_channel_people(struct cord_world *w, const struct cord_ids *people, bool create);
/* Is it one of these? */
bool cord_channel_is_people(const struct cord_channel *c);
/* Creates a thread in c and sends its event. */
struct cord_channel *cord_channel_thread(struct cord_channel *c, enum cord_channel_type type, uint64_t id,
    const char *name, uint64_t owner_id, int64_t auto_archive);
bool cord_channel_is_thread(const struct cord_channel *c);
/* Moves the unclaimed bot's messages to this bot. */
void cord_channel_claim(struct cord_channel *c, const struct cord_bot *b);

/* Returns the permission bits of a person or bot; 0: it does not see the channel. */
uint64_t cord_channel_may(const struct cord_channel *c, uint64_t id);
/* The same of the app when it answers an interaction, also where its bot is not. */
uint64_t cord_channel_app_may(const struct cord_channel *c, uint64_t id);
bool cord_channel_sees(const struct cord_channel *c, uint64_t id);
void cord_channel_deny(struct cord_channel *c, const struct cord_bot *b, uint64_t bits, bool deny);
/* Is there room for messages of its own? Categories and forums have none. */
bool cord_channel_takes_messages(const struct cord_channel *c);
/* Its overwrite of a role (type 0) or member (1); NULL: none, unless it is created. */
struct json_object *cord_channel_overwrite(struct cord_channel *c, uint64_t id, int type, bool create);
/* Removes it; false: there was none. */
bool cord_channel_overwrite_remove(struct cord_channel *c, uint64_t id);

/* The Channel object for that person or bot; 0: for nobody in particular. */
struct json_object *cord_channel_json(const struct cord_channel *c, uint64_t id);
/* Returns NULL for unknown and deleted messages. */
struct cord_message *cord_channel_message(const struct cord_channel *c, uint64_t id);
/* Returns the index of the first message with at least this id. */
size_t cord_channel_place(const struct cord_channel *c, uint64_t id);
/* It has changed: shows it and sends CHANNEL_UPDATE or THREAD_UPDATE. */
void cord_channel_changed(const struct cord_channel *c);
void cord_channel_rename(struct cord_channel *c, const char *name);
/* Deletes it with its threads; a category's channels stay. Its transcript stays, too. */
void cord_channel_delete(struct cord_channel *c);
/* Somebody joins or leaves a thread, with the event. */
void cord_thread_join(struct cord_channel *t, uint64_t id);
void cord_thread_leave(struct cord_channel *t, uint64_t id);
/* The ThreadMember object. */
struct json_object *cord_thread_member_json(const struct cord_channel *t, uint64_t id, bool with_member);
/* Archives the threads in which nothing has happened for long enough. */
void cord_threads_archive(struct cord_world *w);
/* The position of the next channel of the guild. */
int64_t cord_channel_next_position(const struct cord_guild *g);
/* Takes m, whose id is set. Unarchives a thread. */
void cord_channel_add(struct cord_channel *c, struct cord_message *m);

/* The audit log of a guild. */

/* Discord: resources/audit-log, Audit Log Events. The values are those of a creation; add 1 for an update, 2
 * for a deletion. */
enum cord_action {
	CORD_ACTION_GUILD_UPDATE = 1,
	CORD_ACTION_CHANNEL = 10,
	CORD_ACTION_OVERWRITE = 13,
	CORD_ACTION_KICK = 20,
	CORD_ACTION_PRUNE = 21,
	CORD_ACTION_BAN = 22,
	CORD_ACTION_UNBAN = 23,
	CORD_ACTION_MEMBER_UPDATE = 24,
	CORD_ACTION_MEMBER_ROLES = 25,
	CORD_ACTION_MEMBER_MOVE = 26,
	CORD_ACTION_BOT_ADD = 28,
	CORD_ACTION_ROLE = 30,
	CORD_ACTION_INVITE = 40,
	CORD_ACTION_WEBHOOK = 50,
	CORD_ACTION_EMOJI = 60,
	CORD_ACTION_MESSAGE_DELETE = 72,
	CORD_ACTION_BULK_DELETE = 73,
	CORD_ACTION_PIN = 74,
	CORD_ACTION_UNPIN = 75,
	CORD_ACTION_STAGE = 83,
	CORD_ACTION_STICKER = 90,
	CORD_ACTION_SCHEDULED = 100,
	CORD_ACTION_THREAD = 110,
	CORD_ACTION_COMMAND_PERMISSIONS = 121,
	CORD_ACTION_SOUND = 130,
	CORD_ACTION_RULE = 140,
	CORD_ACTION_RULE_BLOCK = 143,
	CORD_ACTION_RULE_FLAG = 144,
	CORD_ACTION_RULE_TIMEOUT = 145,
	CORD_ACTION_ONBOARDING = 167
};

struct cord_audit_entry {
	uint64_t user_id, target_id; /* who, and on what */
	int action;
	struct json_object *before, *after; /* the object before and after; NULL: it did not exist */
	struct json_object *options;        /* is taken; NULL: none */
	const char *reason;                 /* NULL: none */
};

/* Adds an entry, and sends its event to the bots that may see the log. */
void cord_audit(struct cord_guild *g, const struct cord_audit_entry *entry);

/* Interest of people in a scheduled event. */

/* Adds or removes a person, and sends the event to the bots. */
void cord_scheduled_attend(
    struct cord_guild *g, const struct cord_record *event, uint64_t user_id, bool remove);

/* Auto moderation: rules check what members write in a guild. */

/* Discord: resources/auto-moderation. Checks a new or changed message before it is stored, and runs the
 * actions of the rules that it breaks. Returns whether it is blocked. Word sets of Discord's own and spam are
 * not known here. */
bool cord_rules_block(struct cord_message *m);

#endif

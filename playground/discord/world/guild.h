#ifndef PLAYGROUND_DISCORD_WORLD_GUILD_H
#define PLAYGROUND_DISCORD_WORLD_GUILD_H
/* Guilds, their members, and what each may do. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_channel;
struct cord_guild;
struct cord_ids;
struct cord_record;
struct cord_user;
struct cord_world;
struct json_object;

/* Permission bits (Discord: topics/permissions), and whose they are. */

#define CORD_MAY_INVITE             (UINT64_C(1) << 0)
#define CORD_MAY_KICK               (UINT64_C(1) << 1)
#define CORD_MAY_BAN                (UINT64_C(1) << 2)
#define CORD_MAY_ADMINISTER         (UINT64_C(1) << 3)
#define CORD_MAY_MANAGE_CHANNELS    (UINT64_C(1) << 4)
#define CORD_MAY_MANAGE_GUILD       (UINT64_C(1) << 5)
#define CORD_MAY_REACT              (UINT64_C(1) << 6)
#define CORD_MAY_VIEW_AUDIT         (UINT64_C(1) << 7)
#define CORD_MAY_STREAM             (UINT64_C(1) << 9)
#define CORD_MAY_VIEW               (UINT64_C(1) << 10)
#define CORD_MAY_SEND               (UINT64_C(1) << 11)
#define CORD_MAY_MANAGE_MESSAGES    (UINT64_C(1) << 13)
#define CORD_MAY_EMBED              (UINT64_C(1) << 14)
#define CORD_MAY_ATTACH             (UINT64_C(1) << 15)
#define CORD_MAY_READ_HISTORY       (UINT64_C(1) << 16)
#define CORD_MAY_MENTION_ALL        (UINT64_C(1) << 17)
#define CORD_MAY_USE_EMOJI          (UINT64_C(1) << 18)
#define CORD_MAY_CONNECT            (UINT64_C(1) << 20)
#define CORD_MAY_SPEAK              (UINT64_C(1) << 21)
#define CORD_MAY_MUTE               (UINT64_C(1) << 22)
#define CORD_MAY_DEAFEN             (UINT64_C(1) << 23)
#define CORD_MAY_MOVE               (UINT64_C(1) << 24)
#define CORD_MAY_USE_VAD            (UINT64_C(1) << 25)
#define CORD_MAY_CHANGE_NICK        (UINT64_C(1) << 26)
#define CORD_MAY_MANAGE_NICKS       (UINT64_C(1) << 27)
#define CORD_MAY_MANAGE_ROLES       (UINT64_C(1) << 28)
#define CORD_MAY_MANAGE_WEBHOOKS    (UINT64_C(1) << 29)
#define CORD_MAY_MANAGE_EXPRESSIONS (UINT64_C(1) << 30)
#define CORD_MAY_USE_COMMANDS       (UINT64_C(1) << 31)
#define CORD_MAY_REQUEST_TO_SPEAK   (UINT64_C(1) << 32)
#define CORD_MAY_MANAGE_EVENTS      (UINT64_C(1) << 33)
#define CORD_MAY_MANAGE_THREADS     (UINT64_C(1) << 34)
#define CORD_MAY_MAKE_THREADS       (UINT64_C(1) << 35)
#define CORD_MAY_MAKE_PRIVATE       (UINT64_C(1) << 36)
#define CORD_MAY_USE_STICKERS       (UINT64_C(1) << 37)
#define CORD_MAY_SEND_IN_THREADS    (UINT64_C(1) << 38)
#define CORD_MAY_MODERATE           (UINT64_C(1) << 40)
#define CORD_MAY_USE_SOUNDS         (UINT64_C(1) << 42)
#define CORD_MAY_MAKE_EXPRESSIONS   (UINT64_C(1) << 43)
#define CORD_MAY_MAKE_EVENTS        (UINT64_C(1) << 44)
#define CORD_MAY_USE_OTHER_SOUNDS   (UINT64_C(1) << 45)
#define CORD_MAY_SEND_VOICE         (UINT64_C(1) << 46)
#define CORD_MAY_SET_STATUS         (UINT64_C(1) << 48)
#define CORD_MAY_SEND_POLLS         (UINT64_C(1) << 49)
#define CORD_MAY_USE_APPS           (UINT64_C(1) << 50)
#define CORD_MAY_PIN                (UINT64_C(1) << 51)
#define CORD_MAY_BYPASS_SLOWMODE    (UINT64_C(1) << 52)

/* The permissions of everyone in a new guild. */
#define CORD_MAY_USUALLY                                                                                     \
	(CORD_MAY_INVITE | CORD_MAY_REACT | CORD_MAY_STREAM | CORD_MAY_VIEW | CORD_MAY_SEND |                \
	    CORD_MAY_EMBED | CORD_MAY_ATTACH | CORD_MAY_READ_HISTORY | CORD_MAY_USE_EMOJI |                  \
	    CORD_MAY_CONNECT | CORD_MAY_SPEAK | CORD_MAY_USE_VAD | CORD_MAY_CHANGE_NICK |                    \
	    CORD_MAY_USE_COMMANDS | CORD_MAY_REQUEST_TO_SPEAK | CORD_MAY_MAKE_THREADS |                      \
	    CORD_MAY_MAKE_PRIVATE | CORD_MAY_USE_STICKERS | CORD_MAY_SEND_IN_THREADS | CORD_MAY_USE_SOUNDS | \
	    CORD_MAY_USE_OTHER_SOUNDS | CORD_MAY_SEND_VOICE | CORD_MAY_SEND_POLLS | CORD_MAY_USE_APPS)
#define CORD_MAY_ALL ((UINT64_C(1) << 53) - 1)

/* Returns the bit of a name such as SEND_MESSAGES, 0 if it is unknown here. */
uint64_t cord_permission_find(const char *name);

/* Permissions are texts in JSON. Absent ones are 0. */
uint64_t cord_get_bits(struct json_object *o, const char *key);
void cord_set_bits(struct json_object *o, const char *key, uint64_t bits);

/* Returns what a member, person or bot, may do in the guild by all its roles. */
uint64_t cord_guild_may(const struct cord_guild *g, uint64_t id);
/* The same in a channel or thread of a guild, with its overwrites. 0: the member does not see it. */
uint64_t cord_permissions_in(const struct cord_channel *c, uint64_t id);
/* Does the highest role of the member stand above that role? The owner stands above all. */
bool cord_outranks_role(const struct cord_guild *g, uint64_t id, struct json_object *role);
/* Or above all roles of another member? Nobody outranks the owner. */
bool cord_outranks(const struct cord_guild *g, uint64_t id, uint64_t other);

/* A guild ("server"), its bots and roles. */

#define CORD_GUILD_DEFAULT "Playground"

struct cord_guild_bot {
	struct cord_bot *bot;
	uint64_t role;     /* its managed role */
	int64_t joined_ms; /* wall clock */
	uint64_t asked_ms; /* clock_now() of its last request for all members; 0: none */
	bool in;
};

/* Objects of which a guild has one each, in records of the kind CORD_SETTINGS. */
enum cord_setting { CORD_GUILD_SETTINGS = 1, CORD_WIDGET, CORD_WELCOME, CORD_ONBOARDING };

struct cord_guild {
	struct list link;
	struct cord_world *world;
	uint64_t id;
	char *name;
	uint64_t owner_id; /* its own id while nobody owns it */
	struct cord_guild_bot *bots;
	size_t bot_count;
};

struct cord_guild *cord_guild_find(const struct cord_world *w, uint64_t id);
/* Returns the guild by name or id; creates it. NULL: the default guild. */
struct cord_guild *cord_guild_get(struct cord_world *w, const char *name);
struct cord_guild *cord_guild_new(struct cord_world *w, uint64_t id, const char *name);
void cord_guild_free(struct cord_guild *g);
/* Returns the membership row of the bot, also after it left; NULL if it never joined. */
struct cord_guild_bot *cord_guild_bot(const struct cord_guild *g, const struct cord_bot *b);
/* Is the bot in the guild? */
bool cord_guild_has(const struct cord_guild *g, const struct cord_bot *b);
/* Makes the managed role of the bot, without an event. */
void cord_guild_make_role(struct cord_guild *g, const struct cord_guild_bot *row, bool admin);
/* The bot joins and gets the event. */
void cord_guild_join(struct cord_guild *g, struct cord_bot *b);
/* The role of the unclaimed bot is this bot's. */
void cord_guild_claim(struct cord_guild *g, const struct cord_bot *b);

/* Sends all bots GUILD_CREATE for their guilds or, unless available, the GUILD_DELETE of a removal. */
void cord_guilds_announce(struct cord_world *w, bool available);
/* The bot is removed and gets the event. */
void cord_guild_leave(struct cord_guild *g, struct cord_bot *b);

/* Gives the role of the bot permissions, or takes them, and sends the event. */
void cord_guild_grant(struct cord_guild *g, const struct cord_bot *b, uint64_t bits, bool give);

/* The Guild object; for_gateway: as in that bot's GUILD_CREATE. */
struct json_object *cord_guild_json(const struct cord_guild *g, const struct cord_bot *for_gateway);
/* {"guild_id"} and a member with that value, which is taken; as many events are. */
struct json_object *cord_guild_event(const struct cord_guild *g, const char *key, struct json_object *value);
/* GUILD_UPDATE and other events with the whole object, to the bots in the guild. */
void cord_guild_changed(const struct cord_guild *g);
/* GUILD_ROLE_CREATE, GUILD_ROLE_UPDATE. */
void cord_role_event(const struct cord_guild *g, struct json_object *role, const char *name);
/* Removes the role, also from the members that have it. Takes it from the list of records. */
void cord_role_remove(struct cord_guild *g, struct cord_record *role);

/* Members of guilds. Every person is one of every guild until leaving it; bots join by invitation. */

/* Is the person or bot a member? */
bool cord_is_member(const struct cord_guild *g, uint64_t id);
/* Guild member objects, with or without the user. */
struct json_object *cord_member_json(const struct cord_guild *g, const struct cord_user *u, bool with_user);
struct json_object *cord_member_bot_json(
    const struct cord_guild *g, const struct cord_bot *b, bool with_user);
/* The same for any id; NULL: no member. */
struct json_object *cord_someone_json(const struct cord_guild *g, uint64_t id, bool with_user);
/* The ids of all members in ascending order; the caller frees ids->list. */
void cord_members(const struct cord_guild *g, struct cord_ids *ids);

/* Does a name of the member object begin with the query, in any case? */
bool cord_member_starts_with(struct json_object *member, const char *query);

/* The ids of its roles, beside everyone's; the caller frees ids->list. */
void cord_member_role_ids(const struct cord_guild *g, uint64_t id, struct cord_ids *ids);
/* What is kept of a member, to change: "nick", "roles" and the like. */
struct json_object *cord_member_state(const struct cord_guild *g, uint64_t id);
/* The roles in it. */
struct json_object *cord_member_roles(const struct cord_guild *g, uint64_t id);
/* Until when it may not write, in ms of clock_wall(); 0: it may. */
int64_t cord_member_timeout(const struct cord_guild *g, uint64_t id);
/* A person becomes a member, with the event; or ceases to be one, and loses nick and roles. */
void cord_member_join(struct cord_guild *g, uint64_t id);
void cord_member_leave(struct cord_guild *g, uint64_t id);
/* GUILD_MEMBER_ADD, GUILD_MEMBER_UPDATE or GUILD_MEMBER_REMOVE. */
void cord_member_event(const struct cord_guild *g, uint64_t id, const char *name);

#endif

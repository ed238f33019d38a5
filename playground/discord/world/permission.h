#ifndef PLAYGROUND_DISCORD_WORLD_PERMISSION_H
#define PLAYGROUND_DISCORD_WORLD_PERMISSION_H
/* Permission bits (Discord: topics/permissions), and whose they are. */
#include <stdbool.h>
#include <stdint.h>

struct cord_channel;
struct cord_guild;
struct json_object;

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

/* What a new guild gives to everyone. */
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

/* What a member, person or bot, may do in the guild: by all its roles. */
uint64_t cord_guild_may(const struct cord_guild *g, uint64_t id);
/* The same in a channel or thread of a guild: changed by its overwrites. 0: it does not see it. */
uint64_t cord_permissions_in(const struct cord_channel *c, uint64_t id);
/* Does the highest role of the member stand above that role? The owner stands above all. */
bool cord_outranks_role(const struct cord_guild *g, uint64_t id, struct json_object *role);
/* Or above all roles of another member? Nobody outranks the owner. */
bool cord_outranks(const struct cord_guild *g, uint64_t id, uint64_t other);

#endif

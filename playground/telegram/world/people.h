#ifndef PLAYGROUND_TELEGRAM_WORLD_PEOPLE_H
#define PLAYGROUND_TELEGRAM_WORLD_PEOPLE_H
/* The people of a group or channel: who is in it, and with which rights. Each has a record, which is their
 * ChatMember without the user. Permissions and rights have the names of the Bot API. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "playground/telegram/world/service.h"

struct buf;
struct chat;
struct json_object;
struct member;
struct user;

/* Returns the record, borrowed; NULL: never been there. What has expired is over. */
struct json_object *people_get(const struct chat *c, int64_t id);
/* Returns {"status":STATUS}, new. */
struct json_object *people_record(const char *status);
const char *people_status(const struct chat *c, int64_t id);
bool people_is_in(const struct chat *c, int64_t id);
/* People with that record and bots that are there. */
size_t people_count(const struct chat *c);
/* Somebody acts in the chat, and so has always been there. */
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

#endif

#ifndef PLAYGROUND_TELEGRAM_WORLD_BUSINESS_H
#define PLAYGROUND_TELEGRAM_WORLD_BUSINESS_H
/* People who let a bot work for their account: their private chats with others are chats of the bot, too. A
 * connection is JSON in the profile of the bot: {"user","date","is_enabled","rights"}. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct buf;
struct chat;
struct json_object;
struct message;
struct user;

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
/* Deletes a message of such a chat, and tells the bot unless it did that itself. */
void business_delete(struct chat *c, struct message *m, bool told);

#endif

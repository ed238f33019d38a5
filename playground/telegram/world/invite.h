#ifndef PLAYGROUND_TELEGRAM_WORLD_INVITE_H
#define PLAYGROUND_TELEGRAM_WORLD_INVITE_H
/* Invite links of a chat, and those who ask to join. A link is its ChatInviteLink; "joined" counts who came
 * by it, and is not shown. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct buf;
struct chat;
struct error;
struct json_object;
struct user;

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

#endif

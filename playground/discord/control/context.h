#ifndef PLAYGROUND_DISCORD_CONTROL_CONTEXT_H
#define PLAYGROUND_DISCORD_CONTROL_CONTEXT_H
/* Reads who acts and where from a /control request. */
#include <stdbool.h>
#include <stdint.h>

struct cord_bot;
struct cord_channel;
struct cord_message;
struct cord_user;
struct cord_world;
struct error;
struct json_object;

/* Members "bot", "chat", "user", "kind", "thread", "guild". In a direct message chat or user is enough. */
struct cord_context {
	struct cord_bot *bot;
	struct cord_channel *channel; /* the thread, if one is named */
	struct cord_user *user;       /* NULL: no user named in a guild */
};

/* create: create what does not exist. */
int cord_context_read(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err);
/* Returns the message that the member key names, or NULL with err set. */
struct cord_message *cord_context_message(
    const struct cord_context *s, struct json_object *in, const char *key, struct error *err);
/* Returns "private", "group", "channel" or "news". */
const char *cord_context_kind(const struct cord_channel *c);
/* Sets the message id and chat of an answer. */
void cord_context_answer(const struct cord_context *s, struct json_object *out, uint64_t message_id);

#endif

#ifndef PLAYGROUND_DISCORD_CONTROL_CONTEXT_H
#define PLAYGROUND_DISCORD_CONTROL_CONTEXT_H
/* Who does something, where: read from what comes to /control. */
#include <stdbool.h>
#include <stdint.h>

struct cord_bot;
struct cord_channel;
struct cord_message;
struct cord_user;
struct cord_world;
struct error;
struct json_object;

/* "bot", "chat", "user", "kind", "thread", "guild". In a direct message one of chat and user will do. */
struct cord_context {
	struct cord_bot *bot;
	struct cord_channel *channel; /* the thread, where one is named */
	struct cord_user *user;       /* NULL where nobody is named in a guild */
};

/* create: what does not exist comes into being. */
int cord_context_read(
    struct cord_world *w, struct json_object *in, bool create, struct cord_context *s, struct error *err);
/* The message that the member key names; NULL with err set when there is none. */
struct cord_message *cord_context_message(
    const struct cord_context *s, struct json_object *in, const char *key, struct error *err);
/* private, group, channel or news. */
const char *cord_context_kind(const struct cord_channel *c);
/* Sets a member of an answer. */
void cord_context_answer(const struct cord_context *s, struct json_object *out, uint64_t message_id);

#endif

#ifndef PLAYGROUND_TELEGRAM_CONTROL_ACTIONS_H
#define PLAYGROUND_TELEGRAM_CONTROL_ACTIONS_H
/*
 * What people do: the rows for POST /control/NAME. in and out as struct platform has it.
 */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct chat;
struct error;
struct json_object;
struct message;
struct user;
struct world;

int telegram_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_topic(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Who does it, where: read from "bot", "chat", "user" and "kind". In a private chat one of chat and user will
 * do. */
struct actor {
	struct bot *bot;
	struct chat *chat;
	struct user *user; /* NULL where nobody is named in a group or channel */
};

/* create: what does not exist comes into being. */
int actor_read(struct world *w, struct json_object *in, bool create, struct actor *s, struct error *err);
/* The message that the member key names; NULL with err set when there is none. */
struct message *actor_message(
    const struct actor *s, struct json_object *in, const char *key, struct error *err);

#endif

#ifndef PLAYGROUND_TELEGRAM_CONTROL_ACTIONS_H
#define PLAYGROUND_TELEGRAM_CONTROL_ACTIONS_H
/* Actions of people: the rows for POST /control/NAME; see struct platform. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct chat;
struct error;
struct json_object;
struct message;
struct user;
struct world;

int telegram_control_business(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_inline(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_join(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_pay(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_profile(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_tick(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_topic(void *self, struct json_object *in, struct json_object *out, struct error *err);
int telegram_control_vote(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Who acts and where, read from "bot", "chat", "user" and "kind". In a private chat, chat or user is
 * enough. */
struct actor {
	struct bot *bot;
	struct chat *chat;
	struct user *user; /* NULL: no user named in a group or channel */
};

/* create: create what does not exist. */
int actor_read(struct world *w, struct json_object *in, bool create, struct actor *s, struct error *err);
/* Returns the message that the member key names, or NULL with err set. */
struct message *actor_message(
    const struct actor *s, struct json_object *in, const char *key, struct error *err);

#endif

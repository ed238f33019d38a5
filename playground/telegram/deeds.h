#ifndef PLAYGROUND_TELEGRAM_DEEDS_H
#define PLAYGROUND_TELEGRAM_DEEDS_H
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

int deed_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int deed_topic(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Who does it, where: read from "bot", "chat", "user" and "kind". In a private chat one of chat and user will
 * do. */
struct scene {
	struct bot *bot;
	struct chat *chat;
	struct user *user; /* NULL where nobody is named in a group or channel */
};

/* create: what does not exist comes into being. */
int scene_read(struct world *w, struct json_object *in, bool create, struct scene *s, struct error *err);
/* The message that the member key names; NULL with err set when there is none. */
struct message *scene_message(
    const struct scene *s, struct json_object *in, const char *key, struct error *err);

#endif

#ifndef PLAYGROUND_SLACK_CONTROL_ACTIONS_H
#define PLAYGROUND_SLACK_CONTROL_ACTIONS_H
/* What people do: the rows for POST /control/NAME. in and out as struct platform has it. */
#include <stdbool.h>

#include "playground/slack/world/world.h"

struct error;
struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;

int slk_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Who does it, where: read from "bot", "chat", "kind" and "user". */
struct slk_context {
	struct slk_app *app;
	struct slk_conv *conv;
	struct slk_user *user; /* NULL where nobody is named in a channel */
};

/* create: what does not exist comes into being, and who acts in a channel is in it. */
int slk_context_read(
    struct slk_world *w, struct json_object *in, bool create, struct slk_context *s, struct error *err);
/* The message that the member key names, also one that only one sees; NULL with err set when there is
 * none. */
struct slk_message *slk_context_message(
    const struct slk_context *s, struct json_object *in, const char *key, struct error *err);

#endif

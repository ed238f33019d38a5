#ifndef PLAYGROUND_SLACK_CONTROL_ACTIONS_H
#define PLAYGROUND_SLACK_CONTROL_ACTIONS_H
/* Actions of people: the rows for POST /control/NAME; see struct platform. */
#include <stdbool.h>

#include "playground/slack/world/world.h"

struct error;
struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;
struct slk_view;

int slk_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_close(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_emoji(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_home(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_pin(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_shortcut(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_control_submit(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Who acts and where, read from "bot", "chat", "kind" and "user". */
struct slk_context {
	struct slk_app *app;
	struct slk_conv *conv;
	struct slk_user *user; /* NULL: no user named in a channel */
};

/* create: create what does not exist; the acting user joins the channel. */
int slk_context_read(
    struct slk_world *w, struct json_object *in, bool create, struct slk_context *s, struct error *err);
/* Reads "bot" and "user" alone, of an action that belongs to no conversation. */
int slk_context_person(struct slk_world *w, struct json_object *in, struct slk_context *s, struct error *err);
/* Returns the view of that person: which is an id, "home", or "modal" or NULL for the topmost one. NULL with
 * err set. */
struct slk_view *slk_context_view(
    struct slk_world *w, const struct slk_context *s, const char *which, struct error *err);
/* Returns the message that the member key names, ephemeral ones included, or NULL with err set. */
struct slk_message *slk_context_message(
    const struct slk_context *s, struct json_object *in, const char *key, struct error *err);

#endif

#ifndef PLAYGROUND_SLACK_CONTROL_CONTROL_H
#define PLAYGROUND_SLACK_CONTROL_CONTROL_H
/* People, for the control interface; see struct platform. */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/platform.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/slack/world/world.h"
#include "playground/world/given.h"
#include "playground/world/json_members.h"

/* Actions of people: the rows for POST /control/NAME; see struct platform. */

platform_act_fn slk_control_assistant, slk_control_chat, slk_control_command, slk_control_delete,
    slk_control_member, slk_control_press, slk_control_close, slk_control_emoji, slk_control_home,
    slk_control_pin, slk_control_react, slk_control_say, slk_control_shortcut, slk_control_submit;

/* Says the prompt that "button" names, of those that the app suggests in "thread". */
platform_act_fn slk_assistant_press;

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
/* Both, of what exists: the message is that of "message_id". */
int slk_context_on(struct slk_world *w, struct json_object *in, struct slk_context *s, struct slk_message **m,
    struct error *err);

/* A person uploads a file, which nobody else sees until it is shared; o as one of "files" of say. NULL with
 * err set. */
struct slk_file *slk_upload(
    struct slk_world *w, struct slk_user *user, struct json_object *o, struct error *err);

/* Details of a conversation besides messages, and the content of files; see struct platform. */

int slk_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Payloads of interactions: what the app is told when a person uses an element, a shortcut or a modal
 * (docs.slack.dev/reference/interaction-payloads). */

struct slk_interaction {
	struct slk_app *app;
	struct slk_user *user;
	struct slk_conv *conv;       /* NULL: none */
	struct slk_message *message; /* NULL: none */
	struct slk_view *view;       /* NULL: none */
};

/* The payload with who, where and, for all but view_closed, a trigger. The caller owns it. */
struct json_object *slk_interaction_new(const struct slk_interaction *i, const char *type);
/* Adds the surface that holds the element, and its state. */
void slk_interaction_set_container(const struct slk_interaction *i, struct json_object *o,
    struct json_object *blocks, struct json_object *kept);
/* Fails with what the platform shows when the app cannot be reached. */
int slk_interaction_fail(const char *what, struct error *err);

/* Marks visible changes of a conversation in the feed and writes their content. */

/* what: the literal "new", "edited", "deleted" or "reaction". */
void slk_show_message(const struct slk_conv *c, const struct slk_message *m, const char *what);
void slk_show_status(const struct slk_conv *c, int64_t thread);
/* The conversation is new or has changed. */
void slk_show_conv(const struct slk_conv *c);

/* See struct platform. */
void slk_show_write(void *self, const struct feed_mark *mark, struct buf *out);

/* What people see in chats; see struct platform. */

void slk_transcript_chats(void *self, struct json_object *array);
int slk_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int slk_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Appends one message as in the transcript. */
void slk_transcript_write_message(struct slk_world *w, struct slk_message *m, struct buf *out);

#endif

#ifndef PLAYGROUND_TELEGRAM_CONTROL_CONTROL_H
#define PLAYGROUND_TELEGRAM_CONTROL_CONTROL_H
/* People, for the control interface; see struct platform. */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/platform.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/world/people.h"
#include "playground/telegram/world/world.h"
#include "playground/world/given.h"
#include "playground/world/json_members.h"

/* Actions of people: the rows for POST /control/NAME; see struct platform. */

platform_act_fn telegram_control_business, telegram_control_chat, telegram_control_delete,
    telegram_control_inline, telegram_control_join, telegram_control_member, telegram_control_pay,
    telegram_control_pin, telegram_control_press, telegram_control_profile, telegram_control_react,
    telegram_control_say, telegram_control_tick, telegram_control_topic, telegram_control_vote;

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
/* Both, of what exists: the message is that of "message_id". */
int actor_on(struct world *w, struct json_object *in, struct actor *s, struct message **m, struct error *err);

/* Presses the key "button" of the keyboard that m brings. Returns 1 when there is none of that name. */
int telegram_press_key(struct world *w, const struct actor *s, struct json_object *in,
    const struct message *m, struct json_object *out, struct error *err);

/* Chat details besides messages, and the content of files; see struct platform. */

int about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

/* Message content of POST /control/say besides text: files, a location, a quote, a forward origin, a
 * sender chat. */

/* Reads "contact", "dice", "location", "poll", "quote", "forward" and "sender_chat" of in, and "shared": what
 * a key of a keyboard gives. */
int say_read_extras(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err);
/* "forward" with a "message_id": a message of its "chat", or of this one, as it is. The file comes with it.
 */
int say_forward(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err);
/* Validates the {"name","base64" or "size","kind"?,...} items of a message or album. */
int say_check_files(struct json_object *files, struct error *err);
/* Adds one validated item to the message. */
int say_read_file(struct world *w, struct json_object *o, struct message *m, struct error *err);

/* Marks visible changes of a chat in the feed and writes their content. */

/* what: the literal "new", "edited", "deleted" or "reaction". */
void show_message(const struct chat *c, const struct message *m, const char *what);
void show_drafts(const struct chat *c);
void show_action(const struct chat *c);
/* The chat is new or has changed. */
void show_chat(const struct chat *c);

/* See struct platform. */
void show_write(void *self, const struct feed_mark *mark, struct buf *out);

/* What people see in chats; see struct platform. */

void transcript_chats(void *self, struct json_object *array);
int transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int transcript_progress(void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Append one message, and all drafts separated by commas, as in the transcript. */
void transcript_write_message(const struct message *m, const struct chat *c, struct buf *out);
void transcript_write_drafts(struct chat *c, struct buf *out);

#endif
